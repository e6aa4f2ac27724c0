import Failures
import LedgerRuns
import Documents

/// Searches for all records with a given pay key, refund key or preapproval key.
///
/// The ledger knows the run of every record that was settled, refunded or agreed: `settlement.csv` and
/// `preapprovals.csv` are searched only there. `exceptions.csv` is searched in all nights.
struct KeySearch: NightSearch {
  private let key: String
  private let bytes: [UInt8]
  private let history: KeyHistory
  private let ways: MoneyWays
  private var showsAgreement = false

  init(_ key: String, _ history: KeyHistory, _ ways: MoneyWays) {
    (self.key, self.history, self.ways) = (key, history, ways)
    bytes = Array(key.utf8)
  }

  mutating func look(at night: Night, _ reports: ReportSearch?, _ found: FoundNights) throws(Failure) {
    var records = known(night.number)
    if let reports {
      try read(&records, of: night.number, reports)
      records += try exceptions(reports)
    }
    guard !records.isEmpty else { return }
    for place in records.indices {
      guard let (accounts, currency) = records[place].receivers else { continue }
      records[place].paidOut = try ways.ways(of: accounts, currency, from: night.number)
    }
    if records.contains(where: { $0.agreement != nil }) { showsAgreement = true }
    try found.show(night) {
      records.flatMap(\.text)
    } json: {
      records.map(\.json)
    }
  }

  /// Shows the whole agreement. As JSON it is in each of its records.
  func finish(_ found: FoundNights) throws(Failure) {
    guard showsAgreement, let agreement = history.agreement else { return }
    try found.showLedger(agreement.lines(key)) { nil }
  }

  /// What the ledger knows about the key in a run.
  private func known(_ run: Int) -> [FoundRecord] {
    var records: [FoundRecord] = []
    if let payment = history.payment {
      if payment.run == run { records.append(FoundRecord(payment, payKey: key)) }
      records += payment.refunds.filter { $0.run == run }.map {
        FoundRecord($0, payKey: key, currency: payment.payment?.payment.currency.code)
      }
    }
    if let refund = history.refund, refund.run == run, !records.contains(where: { $0.refundKey == key }) {
      records.append(FoundRecord(refund))
    }
    if let agreement = history.agreement {
      let isNamed = agreement.records.contains { $0.run == run } || agreement.uses.contains { $0.run == run }
      if isNamed { records.append(FoundRecord(agreement, in: run, preapprovalKey: key)) }
    }
    return records
  }

  /// Adds what the reports contain about records that the ledger knows.
  private func read(_ records: inout [FoundRecord], of run: Int, _ reports: ReportSearch) throws(Failure) {
    typealias Column = SettlementReport.Column
    let isPaid = history.payment.map { $0.run == run || $0.refunds.contains { $0.run == run } } ?? false
    let columns = (isPaid ? [Column.payKey] : []) + (history.refund?.run == run ? [.refundKey] : [])
    if !columns.isEmpty {
      try reports.forEachRow(of: .settlement, where: columns, are: bytes) { row throws(Failure) in
        let refundKey = row.text(Column.refundKey)
        guard let place = records.firstIndex(where: { $0.isSettled && $0.refundKey ?? "" == refundKey }) else { return }
        try records[place].add(row)
      }
    }
    if let place = records.firstIndex(where: { $0.agreement != nil }) {
      try reports.forEachRow(of: .preapprovals, sortedAt: bytes) { row throws(Failure) in
        try records[place].addAgreement(row)
      }
    }
  }

  /// The records of `exceptions.csv`, each with all of its errors.
  private func exceptions(_ reports: ReportSearch) throws(Failure) -> [FoundRecord] {
    var records: [FoundRecord] = []
    try reports.forEachRow(
      of: .exceptions, where: [ExceptionsReport.Column.payKey, .refundKey, .preapprovalKey], are: bytes
    ) { row throws(Failure) in
      let record = FoundRecord(try row.exception(), row)
      if records.last?.isSameRecord(as: record) == true {
        records[records.count - 1].errors += record.errors
      } else {
        records.append(record)
      }
    }
    return records
  }
}
