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
    return try BalanceRows(lines, Column.account, Column.currency, Column.balance, log) { rows throws(RowFault) in
      try self.check(balance: rows)
    }
  }

  private func check(payment rows: BalanceRows) throws(RowFault) {
    typealias Column = PayoutsReport.Column
    let row = rows.row
    number += 1
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
    let isBelowMinimum = minimums[rows.currency].map { rows.amount < $0 } ?? false
    let fits =
      switch reason {
      case .owes: rows.amount.isNegative
      case .onHold, .returned, .noPayee: !rows.amount.isNegative
      case .noDebtor: !rows.amount.isNegative && summary.identity.debtor != nil
      case .belowMinimum: !rows.amount.isNegative && isBelowMinimum
      case .aboveMaximum: rows.amount.inlineCoefficient.map { $0 > leastMaximum } ?? !rows.amount.isNegative
      }
    guard fits else { throw RowFault(Column.reason, "does not fit the balance") }
    guard let since = ReportField.count(row[Column.since]),
      summary
        .firstRun...max(
          summary.firstRun, summary.identity.untilRun) ~= since
    else { throw RowFault(Column.since, "is not a run that counts") }
  }
}
