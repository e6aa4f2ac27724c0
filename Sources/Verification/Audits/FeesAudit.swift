import Documents
import ExactArithmetic
import Failures
import Money
import Rules
import Text

/// Audits `fees.csv`: for each payment, refund and bearer its rows add up to the fee in `settlement.csv`. The payments of
/// both are in the same order, so that they are read side by side.
struct FeesAudit {
  private typealias Column = FeesReport.Column

  /// A payment or a refund in `settlement.csv`.
  private struct Entry {
    let payKey, refundKey: [UInt8]
    let currency: Currency
    let line: Int
    /// The parties, the sender first: accounts, fees, and those that `fees.csv` has so far.
    var parties: [(account: [UInt8], fee: ExactDecimal, listed: ExactDecimal)] = []
  }

  private let log: FindingLog
  private let settlement: ReportLines
  /// The sums of all rows.
  private(set) var named = NamedFeeTotals()
  /// Whether all rows could be read, so that the sums are meaningful.
  private(set) var isWhole = true
  private var row = ReportRow()
  private var entry: Entry?
  /// The place among the entry's parties of the receiver of the row before.
  private var receiver = 0
  /// The row of `settlement.csv` after those of the entry, and whether there is one.
  private var next = ReportRow()
  private var hasParty = false

  /// - Parameter settlement: the rows of `settlement.csv`, each of which was found to be valid.
  init(_ settlement: ReportLines, _ log: FindingLog) throws(Failure) {
    (self.settlement, self.log) = (settlement, log)
    _ = try settlement.next()
    try readParty()
    try nextEntry()
  }

  /// Audits the report's rows, after its header.
  mutating func audit(_ lines: ReportLines) throws(Failure) {
    while try lines.next() {
      guard lines.split(into: &row, log) else {
        isWhole = false
        continue
      }
      try findEntry()
      do throws(RowFault) { try check() } catch {
        lines.note(error, in: row, log)
        isWhole = false
      }
    }
    while entry != nil {
      finishEntry()
      try nextEntry()
    }
  }

  // MARK: settlement.csv

  private mutating func readParty() throws(Failure) {
    hasParty = try settlement.next() && settlement.split(into: &next, FindingLog())
  }

  private mutating func nextEntry() throws(Failure) {
    entry = nil
    receiver = 0
    guard hasParty, let currency = Currency.find(next[SettlementReport.Column.currency]) else { return }
    var read = Entry(
      payKey: next.bytes(SettlementReport.Column.payKey), refundKey: next.bytes(SettlementReport.Column.refundKey),
      currency: currency, line: settlement.number)
    repeat {
      read.parties.append(
        (
          next.bytes(SettlementReport.Column.account),
          ReportField.amount(next[SettlementReport.Column.fee], currency) ?? .zero,
          .zero(at: -currency.settlementExponent)
        ))
      try readParty()
    } while hasParty && next[SettlementReport.Column.payKey].isEqual(to: read.payKey.span)
      && next[SettlementReport.Column.refundKey].isEqual(to: read.refundKey.span)
    entry = read
  }

  /// Goes on to the payment or refund of the row.
  private mutating func findEntry() throws(Failure) {
    while let entry,
      !row[Column.payKey].isEqual(to: entry.payKey.span) || !row[Column.refundKey].isEqual(to: entry.refundKey.span)
    {
      finishEntry()
      try nextEntry()
    }
  }

  private func finishEntry() {
    guard let entry else { return }
    let record = entry.refundKey.isEmpty ? "payment \(text(entry.payKey))" : "refund \(text(entry.refundKey))"
    for party in entry.parties where party.fee != party.listed {
      log.add(
        ReportKind.fees.fileName,
        field: "what \(party.account.isEmpty ? "the sender" : text(party.account)) bears of \(record)",
        found: party.listed.description, expected: party.fee.description,
        "the rows of settlement.csv from line \(entry.line) on")
    }
  }

  private func text(_ identifier: [UInt8]) -> String { MessageText.identifier(identifier) }

  // MARK: Rows

  private mutating func check() throws(RowFault) {
    guard let entry else {
      throw RowFault(Column.payKey, "settlement.csv has no such payment or refund, or has it before this place")
    }
    guard row[Column.currency].isEqual(to: entry.currency.code.utf8.span) else {
      throw RowFault(Column.currency, "the payment in settlement.csv has another currency")
    }
    guard let place = party(row[Column.account], of: entry, from: 1), place >= receiver else {
      throw RowFault(Column.account, "a receiver of the payment, in the order of settlement.csv")
    }
    guard let bearer = party(row[Column.bearer], of: entry, from: 0) else {
      throw RowFault(Column.bearer, "a party of the payment bears a fee")
    }
    let name = row.bytes(Column.name)
    guard FeeSchedule.isName(name) else {
      throw RowFault(Column.name, "a name has 1 to 32 of a-z 0-9 -, the first a letter")
    }
    let (fee, vat) = (try amount(.fee, entry), try amount(.vat, entry))
    guard !(fee.isZero && vat.isZero) else { throw RowFault(Column.fee, "a row has a fee or VAT that is not zero") }
    receiver = place
    self.entry!.parties[bearer].listed.add(fee + vat)
    var sums = FeeSums(exponent: -entry.currency.settlementExponent)
    if entry.refundKey.isEmpty {
      (sums.fee, sums.vat) = (fee, vat)
    } else {
      sums.feeReturned.subtract(fee)
      sums.vatReturned.subtract(vat)
    }
    named.add(sums, of: NamedFeeTotals.Key(entry.currency, name))
  }

  /// The place of an account among the parties. A sender that is not given has none.
  private func party(_ account: Span<UInt8>, of entry: Entry, from first: Int) -> Int? {
    for place in entry.parties.indices.dropFirst(first) {
      let known = entry.parties[place].account
      if known.span.isEqual(to: account) { return place }
    }
    return nil
  }

  private func amount(_ column: Column, _ entry: Entry) throws(RowFault) -> ExactDecimal {
    guard let amount = ReportField.amount(row[column], entry.currency) else {
      throw RowFault(
        column, "an amount in \(entry.currency.code) has exactly \(entry.currency.settlementExponent) decimals")
    }
    guard amount.isZero || amount.isNegative != entry.refundKey.isEmpty else {
      throw RowFault(column, "an amount is above zero in a payment, and below in a refund")
    }
    return amount
  }
}
