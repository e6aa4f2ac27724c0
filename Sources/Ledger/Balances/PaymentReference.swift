/// A payment of a payout, by its reference `P<payout>-<number>`.
public struct PaymentReference: Hashable, Comparable, Sendable {
  /// The payout.
  public let payout: Int
  /// The payment's number in it, from 1.
  public let number: Int

  /// A payment's place.
  public init(payout: Int, number: Int) { (self.payout, self.number) = (payout, number) }

  /// The reference of a text `P[1-9][0-9]{0,4}-[1-9][0-9]{0,7}`; nil if it is none.
  public init?(_ text: some Collection<UInt8>) {
    let parts = text.dropFirst().split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard text.first == UInt8(ascii: "P"), parts.count == 2, let payout = Self.number(parts[0], digits: 5),
      let number = Self.number(parts[1], digits: 8)
    else { return nil }
    self.init(payout: payout, number: number)
  }

  private static func number(_ text: some Collection<UInt8>, digits: Int) -> Int? {
    guard 1...digits ~= text.count, text.first != UInt8(ascii: "0"), text.allSatisfy({ $0 &- 0x30 < 10 }) else {
      return nil
    }
    return text.reduce(0) { 10 * $0 + Int($1 - 0x30) }
  }

  /// In the order of payouts, then numbers.
  public static func < (left: PaymentReference, right: PaymentReference) -> Bool {
    (left.payout, left.number) < (right.payout, right.number)
  }

  /// As reports and bank files have it.
  public var text: String { "P\(payout)-\(number)" }
}
