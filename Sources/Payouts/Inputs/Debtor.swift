import Money
import Reports

/// The accounts that pay, by currency and method (`payouts.md`, Debtor).
package struct Debtor {
  /// An account that pays by credit transfers.
  package struct Transfers {
    var name = ""
    package var iban = ""
    /// Empty if there is none.
    var bic = ""
    var text = "Payout"
    var maximum = defaultMaximum
    /// Whether its IBAN belongs to a SEPA country.
    var isSEPA = false
  }

  /// An account that pays by NACHA files.
  package struct Entries {
    var name = ""
    package var company = ""
    var odfi = ""
    var destination = ""
    var destinationName = ""
    var origin = ""
    var originName: String?
    var description = "PAYOUT"
    var maximum = defaultMaximum
  }

  /// The most payments of a file, unless the debtor sets a limit.
  static let defaultMaximum = 100_000

  package var transfers: [Currency: Transfers] = [:]
  package var entries: [Currency: Entries] = [:]

  func has(_ method: PayoutMethod, _ currency: Currency) -> Bool {
    method == .iban ? transfers[currency] != nil : entries[currency] != nil
  }
}
