import ExactArithmetic
import Failures
import Ledger
import Money
import Documents

/// Checks each row of `payouts.csv` and `carried.csv`, apart from account, currency and amount.
final class BalanceRules {
  private let summary: PayoutSummary
  private let minimums: [Currency: ExactDecimal]
  private let files: [String: (kind: BankFileKind, place: Int)]
  private var number = 0
  /// The last file of each kind, by its place among all files.
  private var lastFile: [BankFileKind: Int] = [:]

  init(_ summary: PayoutSummary) {
    (self.summary, minimums) = (summary, summary.minimums)
    files = Dictionary(summary.files.enumerated().map { ($1.name, ($1.kind, $0)) }, uniquingKeysWith: { $1 })
  }

  func payments(_ lines: ReportLines, _ log: FindingLog) throws(Failure) -> BalanceRows {
    typealias Column = PayoutsReport.Column
    return try BalanceRows(lines, Column.account, Column.currency, Column.amount, log) { rows throws(RowFault) in
      try self.check(payment: rows)
    }
  }

  func carried(_ lines: ReportLines, _ log: FindingLog) throws(Failure) -> BalanceRows {
    typealias Column = CarriedReport.Column
    let columns = CarriedReport.columns(hasTerms: summary.hasTerms).map(\.name)
    return try BalanceRows(
      lines, Column.account, Column.currency, Column.balance, log, all: columns
    ) { rows throws(RowFault) in
      try self.check(balance: rows)
    }
  }

  /// What terms hold of the balance of a row of `carried.csv`; nil without terms.
  func held(_ rows: BalanceRows) throws(RowFault) -> HeldAmounts? {
    guard summary.hasTerms else { return nil }
    let row = rows.row
    func amount(_ column: CarriedReport.Column) throws(RowFault) -> ExactDecimal {
      guard let amount = ReportField.amount(row[column], rows.currency), !amount.isNegative else {
        throw RowFault(column, "expected an amount of zero or more with the currency's decimals")
      }
      return amount
    }
    return HeldAmounts(delayed: try amount(.delayed), reserved: try amount(.reserved), kept: try amount(.kept))
  }

  private func check(payment rows: BalanceRows) throws(RowFault) {
    typealias Column = PayoutsReport.Column
    let row = rows.row
    number += 1
    if summary.identity.hasNoPayments {
      throw RowFault(Column.reference, "payouts.json says that the payout pays no one")
    }
    guard PaymentReference(row[Column.reference]) == PaymentReference(payout: summary.number, number: number)
    else {
      throw RowFault(Column.reference, "payments are numbered from 1, each under the payout's number")
    }
    guard let method = PayoutMethod(name: row.text(Column.method)) else {
      throw RowFault(Column.method, "there is no such method")
    }
    guard !rows.amount.isNegative, rows.amount.inlineCoefficient.map({ $0 <= method.maximum }) ?? false else {
      throw RowFault(Column.amount, "a payment is above zero, and at most what its method can pay")
    }
    if let minimum = minimums[rows.currency], rows.amount < minimum {
      throw RowFault(Column.amount, "is below the minimum that payouts.json names")
    }
    guard [0, 4].contains(row[Column.ending].count) else { throw RowFault(Column.ending, "has four characters") }
    let file = row.text(Column.file)
    guard summary.identity.debtor != nil else {
      if file.isEmpty { return }
      throw RowFault(Column.file, "there is no file for the bank without a debtor")
    }
    guard let (kind, place) = files[file],
      kind == BankFileKind(currency: rows.currency, method: method)
    else { throw RowFault(Column.file, "payouts.json has no such file of this currency and method") }
    guard place >= lastFile[kind, default: 0] else {
      throw RowFault(Column.file, "a file takes payments until it is full; then comes the next one")
    }
    lastFile[kind] = place
  }

  private func check(balance rows: BalanceRows) throws(RowFault) {
    typealias Column = CarriedReport.Column
    let row = rows.row
    guard let reason = CarriedReason(rawValue: row.text(Column.reason)) else {
      throw RowFault(Column.reason, "there is no such reason")
    }
    let leastMaximum = PayoutMethod.all.map(\.maximum).min()!
    let (isNegative, held) = (rows.amount.isNegative, try held(rows)?.sum ?? .zero)
    let free = rows.amount - held
    let isBelowMinimum = minimums[rows.currency].map { free < $0 } ?? false
    let fits =
      switch reason {
      case .owes: isNegative
      case .notPaid: !isNegative && summary.identity.hasNoPayments
      case .onHold, .returned, .noPayee: !isNegative
      case .noDebtor: !isNegative && summary.identity.debtor != nil
      case .notFree: !isNegative && summary.hasTerms
      case .belowMinimum: !isNegative && isBelowMinimum
      case .aboveMaximum: free.inlineCoefficient.map { $0 > leastMaximum } ?? !isNegative
      }
    guard fits, !summary.identity.hasNoPayments || reason == .owes || reason == .notPaid else {
      throw RowFault(Column.reason, "does not fit the balance")
    }
    guard reason == .owes ? held.isZero : reason == .notFree ? free.isZero : !free.isNegative else {
      throw RowFault(
        Column.delayed,
        "with reserved and kept it is the balance with NOT_FREE, zero with OWES, and otherwise at most the balance")
    }
    guard let since = ReportField.count(row[Column.since]),
      summary
        .firstRun...max(
          summary.firstRun, summary.identity.untilRun) ~= since
    else { throw RowFault(Column.since, "is not a run that counts") }
  }
}
