import ExactArithmetic
import Failures
import Money
import Postings
import Documents
import Text

/// The sums of the rows of one refund in `settlement.csv`, read one by one; `refunds.csv` must have a row that agrees.
struct RefundRows {
  /// The refund's key and its payment's.
  let refundKey: [UInt8]
  let payKey: [UInt8]
  let currency: Currency
  /// The line of the sender.
  let line: Int
  /// What the sender gets back, without fees.
  let amount: ExactDecimal
  /// What it gets back in total.
  let refunded: ExactDecimal
  /// The sums of the rows. The `passedOn` of primary receivers is what they get back from secondary ones.
  var sums: PartySums
  /// What the receivers give.
  var receiverDebit: ExactDecimal { -sums.receiverNet }
  var feesReturned: ExactDecimal { -sums.fees }

  /// Begins with the row of a sender.
  init(_ row: PartyRow, _ fields: ReportRow, line: Int) {
    refundKey = fields.bytes(SettlementReport.Column.refundKey)
    payKey = fields.bytes(SettlementReport.Column.payKey)
    currency = row.currency
    self.line = line
    amount = row.gross
    refunded = row.net
    sums = PartySums(fees: row.fee)
  }

  /// Whether a row belongs to this refund.
  func has(_ row: PartyRow, _ fields: ReportRow) -> Bool {
    fields[SettlementReport.Column.refundKey].isEqual(to: refundKey.span)
      && fields[SettlementReport.Column.payKey].isEqual(to: payKey.span) && row.currency == currency
  }
}

/// Refunds in `settlement.csv`, after the payments.
extension SettlementAudit {
  mutating func checkRefundRow(_ line: Int) {
    checkRefundAmounts(line)
    if party.role == .sender {
      finishRefund()
      refund = RefundRows(party, row, line: line)
    } else if refund?.has(party, row) == true {
      refund?.sums.add(party)
      let sums = AccountSums(payments: 1, gross: party.gross, passedOn: party.passedOn, fee: party.fee)
      refundAccounts.add(
        AccountBalance(side: .receiver, account: row[Column.account], currency: party.currency, sums: sums))
    } else {
      log.add(ReportKind.settlement.fileName, line: line, "no sender's row of the refund comes before it")
    }
  }

  private mutating func checkRefundAmounts(_ line: Int) {
    let net = party.gross - party.passedOn - party.fee
    if net != party.net { complain(line, .net, expected: net.description, "gross - passed_on - fee") }
    if party.fee > .zero { complain(line, .fee, "the fee of a refund is zero or comes back") }
    if party.role == .sender {
      if party.gross <= .zero { complain(line, .gross, "a sender gets something back") }
    } else if party.gross > .zero {
      complain(line, .gross, "a receiver of a refunded payment gives")
    }
  }

  mutating func finishRefund() {
    guard let refund else { return }
    let (line, sums) = (refund.line, refund.sums)
    let balance = refund.refunded - refund.receiverDebit - refund.feesReturned
    check(line, "net and fees together", balance, .zero, "every refund sums to zero")
    check(line, "what goes back", refund.amount, -sums.sentGross, "what the receivers give")
    check(line, "what was passed on", sums.passedOn, sums.secondaryGross, "the gross of the secondary receivers")
    totals.countRefund(
      refund.currency, refunded: refund.refunded, receiverDebit: refund.receiverDebit,
      feesReturned: refund.feesReturned)
    refunds.append(refund)
    self.refund = nil
  }
}

/// Audits `refunds.csv`: its rows are the refunds of `settlement.csv`, in their order.
struct RefundsAudit {
  private typealias Column = RefundsReport.Column

  private let log: FindingLog
  /// Whether payments of earlier runs are refunded.
  private(set) var namesRuns = false

  init(_ log: FindingLog) { self.log = log }

  mutating func audit(_ lines: ReportLines, _ settlement: borrowing SettlementAudit) throws(Failure) {
    var fields = ReportRow()
    var place = 0
    while try lines.next() {
      guard lines.split(into: &fields, log) else { continue }
      guard place < settlement.refunds.count else {
        log.add(ReportKind.refunds.fileName, line: lines.number, "settlement.csv has no such refund")
        continue
      }
      let refund = settlement.refunds[place]
      place += 1
      func expect(_ column: Column, _ expected: [UInt8]) {
        guard !fields[column].isEqual(to: expected.span) else { return }
        log.add(
          .refunds, line: lines.number, column, found: MessageText.identifier(fields.bytes(column)),
          expected: MessageText.identifier(expected), "the refund of line \(refund.line) of settlement.csv")
      }
      expect(.refundKey, refund.refundKey)
      expect(.payKey, refund.payKey)
      expect(.currency, Array(refund.currency.code.utf8))
      expect(.amount, Array("\(refund.amount)".utf8))
      expect(.feesReturned, Array("\(refund.feesReturned)".utf8))
      check(fields, refund, lines.number, isOwn: settlement.keys.contains(refund.payKey.span))
    }
    if place < settlement.refunds.count {
      log.add(ReportKind.refunds.fileName, "fewer refunds than settlement.csv has")
    }
  }

  private mutating func check(_ fields: ReportRow, _ refund: RefundRows, _ line: Int, isOwn: Bool) {
    func complain(_ column: Column, _ reason: String) {
      log.add(.refunds, line: line, column, found: MessageText.identifier(fields.bytes(column)), reason)
    }
    if fields[Column.run].isEmpty {
      if !isOwn { complain(.run, "settlement.csv settles no such payment; a run that did has a number") }
    } else {
      namesRuns = true
      if ReportField.count(fields[Column.run]) ?? 0 < 1 { complain(.run, "runs are numbered from 1") }
    }
    if ReportField.amount(fields[Column.remaining], refund.currency)?.isNegative ?? true {
      complain(.remaining, "an amount of zero or more remains")
    }
  }
}
