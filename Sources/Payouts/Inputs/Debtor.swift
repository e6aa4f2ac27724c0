import Reports

/// The accounts that pay, by currency and method (`payouts.md`, Debtor).
struct Debtor {
  /// The most payments of a file, unless the debtor sets a limit.
  static let defaultMaximum = 100_000

  var terms: [BankFileKind: any BankTerms] = [:]
}
