/// A payment of a payout, by its reference `P<payout>-<number>`.
public struct PaymentReference: Hashable, Comparable, Sendable, CustomStringConvertible {
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

  /// The bytes of the form in which the ledger keeps it.
  package static let length = 7

  /// The reference at the beginning of some bytes: three of the payout, four of the number, the highest first.
  package init(bytes: ArraySlice<UInt8>) {
    func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
    self.init(payout: number(bytes.prefix(3)), number: number(bytes.dropFirst(3).prefix(4)))
  }

  /// The form in which the ledger keeps it. Sorting these bytes sorts the references.
  package var bytes: [UInt8] {
    let number = UInt64(payout) << 32 | UInt64(self.number)
    return (0..<Self.length).map { UInt8(truncatingIfNeeded: number >> (48 - 8 * UInt64($0))) }
  }

  /// The form in reports and bank files.
  public var text: String { "P\(payout)-\(number)" }
  public var description: String { text }
}
