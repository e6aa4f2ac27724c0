/// A payment of a payout, by its reference `P<payout>-<number>`.
public struct PaymentReference: Hashable, Comparable, Sendable {
  public let payout: Int
  /// The payment's number in it, from 1.
  public let number: Int

  /// A payment's place.
  public init(payout: Int, number: Int) { (self.payout, self.number) = (payout, number) }

  /// The reference of a text `P[1-9][0-9]{0,4}-[1-9][0-9]{0,7}`; nil for any other text.
  public init?(_ text: UnsafeBufferPointer<UInt8>) {
    guard text.first == UInt8(ascii: "P"), let hyphen = text.firstIndex(of: UInt8(ascii: "-")),
      let payout = Self.number(text[1..<hyphen], digits: 5), let number = Self.number(text[(hyphen + 1)...], digits: 8)
    else { return nil }
    self.init(payout: payout, number: number)
  }

  private static func number(_ text: Slice<UnsafeBufferPointer<UInt8>>, digits: Int) -> Int? {
    guard 1...digits ~= text.count, text.first != UInt8(ascii: "0"), text.allSatisfy({ $0 &- 0x30 < 10 }) else {
      return nil
    }
    return text.reduce(0) { 10 * $0 + Int($1 - 0x30) }
  }

  /// Compares payouts, then numbers.
  public static func < (left: PaymentReference, right: PaymentReference) -> Bool {
    (left.payout, left.number) < (right.payout, right.number)
  }

  /// The form in reports and bank files.
  public var text: String { "P\(payout)-\(number)" }
}
