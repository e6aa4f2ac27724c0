import Claims
import Failures
import Postings
import Rules

/// Judges the refunds of some of a batch's payments, in batch order, while other lanes judge those of other payments: a
/// refund depends only on earlier ones of its own payment.
final class RefundLane: @unchecked Sendable {  // One thread judges; when all have finished, the commit hands on.
  /// What a refund gave: the ends of its texts among those of the piece.
  private struct Result {
    let rows: Int
    let made: MadeRefunds.Place
  }

  let number: Int
  var judge: ClaimJudge
  /// What the refunds change in the totals of the batch.
  private(set) var totals = ControlTotals()
  private var settler: RecordSettler
  private let accounts: AccountTotals
  private var stretch: StretchResult
  private var made: MadeRefunds
  private var results: [Result] = []
  // How much of the piece is handed on.
  private var next = 0
  private var rowsDone = 0
  private var rowTextDone = 0
  private var madeDone = MadeRefunds.Place()

  /// - Parameters:
  ///   - made: what refunds that are made change in accounts goes to these.
  ///   - accounts: the postings of payments.
  init(
    _ number: Int, _ judge: consuming ClaimJudge, _ settler: consuming RecordSettler, _ made: consuming MadeRefunds,
    accounts: AccountTotals
  ) {
    self.number = number
    self.judge = judge
    self.settler = settler
    self.made = made
    self.accounts = accounts
    stretch = StretchResult(accounts: accounts)
  }

  /// The lane of a payment among `count`. Each has a range of keys, as blocks of a ledger have.
  static func number(of payment: Fingerprint, among count: Int) -> Int {
    Int(payment.high.multipliedFullWidth(by: UInt64(count)).high)
  }

  /// Judges the refunds of its payments in a piece.
  func judge(_ piece: HeldPiece, among count: Int) {
    stretch.clear()
    made.removeAll()
    results.removeAll(keepingCapacity: true)
    (next, rowsDone, rowTextDone, madeDone) = (0, 0, 0, MadeRefunds.Place())
    for entry in piece.entries
    where entry.payment != .none && Self.number(of: entry.payment, among: count) == number {
      _ = piece.withText(of: entry) { settler.judge.judge($0) }
      let place = ClaimTrace.Place(file: entry.place.file, line: entry.place.line)
      switch judge.judge(settler.judge.judgement.refundTerms!, of: entry.payment, at: place) {
      case .refused(let refusals): settler.refuse(refusals, in: &totals, accounts)
      case .made(let refund, let run):
        totals.count(refund, showsNames: made.showsNames)
        made.append(refund, of: entry.payment, run: run, settler.judge.judgement)
      }
      settler.appendRows(line: 0, number: 0, to: &stretch) { _ in }
      results.append(Result(rows: stretch.rows.count, made: made.end))
    }
    made.post()
  }

  /// Hands on what the next refund of the piece gave.
  func handOn(at place: StretchPlace, to reports: StretchReports) throws(Failure) {
    let result = results[next]
    next += 1
    while rowsDone < result.rows {
      let row = stretch.rows[rowsDone]
      try stretch.rowTexts.withSpan { texts throws(Failure) in
        try reports.appendRow(row, texts.extracting(rowTextDone..<rowTextDone + row.length), at: place)
      }
      rowTextDone += row.length
      rowsDone += 1
    }
    try reports.appendRefund(of: made, from: &madeDone, to: result.made)
  }
}
