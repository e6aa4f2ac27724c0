import Money

/// The files of a payout's directory, except the files for the bank (`payouts.md`), in the order of their names.
public enum PayoutReport: String, DescribedSet {
  /// What was decided outside of batches.
  case adjusted = "adjusted.csv"
  /// The balances that are not paid, and why.
  case carried = "carried.csv"
  /// The payout on one line.
  case summary = "payouts.json"
  /// The payments.
  case payouts = "payouts.csv"
  /// The payments that came back.
  case returned = "returned.csv"

  public static let contents =
    "the directory of a payout holds what payouts.json lists, its reports, SHA256SUMS and nothing else"

  /// The columns, in their order; `payouts.json` has none.
  public var describedColumns: [any DescribedColumn] {
    switch self {
    case .payouts: PayoutsReport.Column.allCases
    case .carried: CarriedReport.columns(hasTerms: false)
    case .returned: ReturnedReport.Column.allCases
    case .adjusted: AdjustedReport.Column.allCases
    case .summary: []
    }
  }

  /// The name of a file for the bank: `pain001-EUR-0001.xml`, `nacha-USD-0001.ach`.
  public static func bankFile(_ method: PayoutMethod, _ currency: Currency, _ number: Int) -> String {
    "\(method.filePrefix)-\(fileID(currency, number)).\(method.fileSuffix)"
  }

  /// The part of a bank file's name that its texts contain too: `EUR-0001`.
  public static func fileID(_ currency: Currency, _ number: Int) -> String {
    let digits = "\(number)"
    return "\(currency.code)-" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }

  /// Whether a payout may publish a file of a name.
  public static func isFile(_ name: String) -> Bool {
    if name == ReportKind.sums || allCases.contains(where: { $0.fileName == name }) { return true }
    return PayoutMethod.all.contains { isBankFile(name, $0) }
  }

  /// Whether a name is that of a file for the bank of a method.
  public static func isBankFile(_ name: String, _ method: PayoutMethod) -> Bool {
    let parts = name.split(whereSeparator: { "-.".contains($0) })
    guard parts.count == 4, let currency = Currency(code: String(parts[1])), let number = Int(parts[2]) else {
      return false
    }
    return name == bankFile(method, currency, number)
  }
}

/// Why a balance is carried, in the order in which reasons are looked for.
public enum CarriedReason: String, CaseIterable, Sendable {
  /// It is below zero.
  case owes = "OWES"
  /// The payout pays no one.
  case notPaid = "NOT_PAID"
  /// The payee is on hold.
  case onHold = "ON_HOLD"
  /// The last payment came back, and the payee still has the same bank account; or the payout books a return from it.
  case returned = "RETURNED"
  /// The payees file has no such row.
  case noPayee = "NO_PAYEE"
  /// No account that pays is given for its currency and method.
  case noDebtor = "NO_DEBTOR"
  /// Terms hold all of it, or what is not paid of it.
  case notFree = "NOT_FREE"
  /// It, or what is free of it, is less than the currency's minimum.
  case belowMinimum = "BELOW_MINIMUM"
  /// It, or what is free of it, is more than a payment can have.
  case aboveMaximum = "ABOVE_MAXIMUM"

  /// Whether someone must act before it is paid.
  public var needsAction: Bool {
    switch self {
    case .returned, .noPayee, .noDebtor, .aboveMaximum: true
    case .owes, .notPaid, .onHold, .notFree, .belowMinimum: false
    }
  }

  /// Whether a payout needs an option for it.
  public var needsOption: Bool { self == .notPaid || self == .notFree }
}
