import Text

/// A payment of a payout, by its reference `P<payout>-<number>`.
public struct PaymentReference: Hashable, Comparable, Sendable {
  public let payout: Int
  /// The payment's number in it, from 1.
  public let number: Int

  /// A payment's place.
  public init(payout: Int, number: Int) { (self.payout, self.number) = (payout, number) }

  /// The reference of a text `P[1-9][0-9]{0,4}-[1-9][0-9]{0,7}`; nil for any other text.
  public init?(_ text: Span<UInt8>) {
    guard !text.isEmpty, text[0] == UInt8(ascii: "P"), let hyphen = text.place(of: UInt8(ascii: "-")),
      let payout = Self.number(text.extracting(1..<hyphen), digits: 5),
      let number = Self.number(text.extracting((hyphen + 1)...), digits: 8)
    else { return nil }
    self.init(payout: payout, number: number)
  }

  private static func number(_ text: Span<UInt8>, digits: Int) -> Int? {
    guard 1...digits ~= text.count, text[0] != UInt8(ascii: "0") else { return nil }
    var number = 0
    for place in text.indices {
      let digit = text[place] &- 0x30
      guard digit < 10 else { return nil }
      number = 10 * number + Int(digit)
    }
    return number
  }

  /// Compares payouts, then numbers.
  public static func < (left: PaymentReference, right: PaymentReference) -> Bool {
    (left.payout, left.number) < (right.payout, right.number)
  }

  /// The form in reports and bank files.
  public var text: String { "P\(payout)-\(number)" }
}
