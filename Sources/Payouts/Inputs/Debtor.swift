import Money
import Documents

/// The accounts that pay, by currency and method (`payouts.md`, Debtor).
package struct Debtor {
  /// The most payments of a file, unless the debtor sets a limit.
  static let defaultMaximum = 100_000

  var terms: [BankFileKind: any BankTerms] = [:]

  /// The own account of each currency, as answers of banks name it.
  package func accounts(_ method: PayoutMethod) -> [Currency: String] {
    var accounts: [Currency: String] = [:]
    for (kind, terms) in terms where kind.method == method { accounts[kind.currency] = terms.ownAccount }
    return accounts
  }
}
