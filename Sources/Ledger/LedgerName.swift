import FoundationEssentials

/// The name that a ledger has for life: 12 hexadecimal digits, which its payouts and bank files show.
public struct LedgerName: Sendable, Hashable {
  /// Its 48 bits.
  let number: UInt64

  init(_ number: UInt64) { self.number = number & 0xFFFF_FFFF_FFFF }

  /// The name of a ledger that has none yet: the first digits of its id.
  init(of id: UUID) { self.init(id.bytes.prefix(6).reduce(0) { $0 << 8 | UInt64($1) }) }

  /// The name with some digits; nil unless they are 12 hexadecimal digits in lower case.
  public init?(digits: String) {
    guard digits.utf8.count == 12, let number = UInt64(digits, radix: 16), LedgerName(number).digits == digits else {
      return nil
    }
    self.init(number)
  }

  /// The digits, in lower case.
  public var digits: String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 12 - digits.count) + digits
  }
}
