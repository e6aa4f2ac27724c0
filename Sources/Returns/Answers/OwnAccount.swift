import Money
import Payouts

/// The accounts of the debtor file, compared with the one that an answer names as its own.
struct OwnAccount {
  /// The bits of all currencies.
  static let any = UInt32.max

  /// Nil if no debtor file is given.
  let debtor: Debtor?

  /// The currencies whose payments an IBAN makes.
  func currencies(iban: [UInt8]) -> UInt32 {
    guard let debtor else { return Self.any }
    return debtor.accounts(.iban).reduce(0) { bits, terms in
      terms.value.utf8.elementsEqual(iban) ? bits | Self.bit(terms.key) : bits
    }
  }

  /// All currencies if a NACHA company is the debtor's, otherwise none.
  func currencies(company: [UInt8]) -> UInt32 {
    guard let debtor else { return Self.any }
    return debtor.accounts(.ach).values.contains { $0.utf8.elementsEqual(company) } ? Self.any : 0
  }

  /// Whether a debtor file is given, and a NACHA company is its own.
  func isOwn(company: [UInt8]) -> Bool { debtor != nil && currencies(company: company) != 0 }

  static func bit(_ currency: Currency) -> UInt32 { 1 << UInt32(currency.index) }
}
