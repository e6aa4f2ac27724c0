import BatchRun
import ExactArithmetic
import Money
import Postings
import Records
import Rules

/// The outcome of a record: `.settled`, `.pending`, `.held` or `.rejected`; `.refunded` for a refund that is made,
/// `.agreed` for a preapproval that is accepted. `name` is the word in reports.
public typealias Outcome = Records.Outcome

/// The result of checking a batch's control totals: `.verified`, `.mismatch`, or `.absent` if there is no trailer.
public typealias ControlTotalsState = Rules.ControlTotalsState

/// The result of a batch.
public struct BatchResult: Sendable {
  package let run: RunResult

  package init(_ run: RunResult) { self.run = run }

  /// The batch's identifier, if its header gives one.
  public var batchID: String? { run.batchID }
  /// The settlement day, `YYYY-MM-DD`: that of the header's `createdAt` in UTC, otherwise, with a ledger, the day on which
  /// the run was entered. Nil without either.
  public var day: String? { (run.days?.settled ?? run.createdAt.map { CalendarDay($0) })?.text }
  /// The day, `YYYY-MM-DD`, on which a ledger has booked the run: later than the settlement day if something was booked
  /// on a later day before, and earlier if the header's day is later than the day of entry. Nil without a ledger.
  public var bookingDay: String? { run.days?.booked.text }
  /// The number of records read, without header and trailer.
  public var recordsRead: Int { run.totals.recordsRead }
  /// Whether the trailer agrees with what was read.
  public var controlTotals: ControlTotalsState { run.controlTotals }
  /// The errors of rejected records, each with the number of times it occurred, in the order of the error table.
  public var errors: [(code: String, count: Int)] {
    RejectionReason.allCases.map { ($0.code.description, run.totals.errors[Int($0.rawValue)]) }.filter { $1 > 0 }
  }
  /// The notices of records that are not rejected, each with the number of times it was given.
  public var notices: [(code: String, count: Int)] {
    Notice.allCases.map { ($0.code.description, run.totals.notices[Int($0.number)]) }.filter { $1 > 0 }
  }
  /// The sums of each currency of the batch, in alphabetical order of their codes.
  public var currencies: [CurrencyResult] {
    zip(Currency.all, run.totals.currencies).map(CurrencyResult.init).filter { $0.isUsed }
  }
  /// The exit code of `settle run`: 1 if a record was rejected, else 0.
  public var exitCode: Int32 { run.exitCode }

  /// The number of records of an outcome.
  public func count(of outcome: Outcome) -> Int { run.totals[outcome] }
}

/// A currency's sums, as exact decimals with the decimals of its settlement.
public struct CurrencyResult: Sendable {
  /// The currency.
  public let currency: Currency
  private let totals: CurrencyTotals
  /// What was moved, for the command's tables.
  package var moved: TrialBalance { totals.moved }

  init(_ currency: Currency, _ totals: CurrencyTotals) {
    self.currency = currency
    self.totals = totals
  }

  package var records: Int { totals.records }

  var isUsed: Bool { totals.records > 0 || moved.refunds > 0 }

  /// The number of settled payments.
  public var payments: Int { moved.payments }
  /// What their senders send, without fees.
  public var sent: ExactDecimal { moved.senderAmount }
  /// The fees that their senders bear.
  public var feesOnTop: ExactDecimal { moved.senderFees }
  /// All their fees.
  public var fees: ExactDecimal { moved.fees }
  /// What their receivers get after fees: `sent + feesOnTop - fees`.
  public var toReceivers: ExactDecimal { moved.receiverNet }
  /// The control amounts of pending and held payments.
  public var waiting: ExactDecimal { totals[.pending] + totals[.held] }
  /// The control amounts of rejected payments that have one.
  public var rejected: ExactDecimal { totals[.rejected] }
  /// The number of refunds that were made.
  public var refunds: Int { moved.refunds }
  /// What senders get back: `fromReceivers + feesReturned`.
  public var refunded: ExactDecimal { moved.refunded }
  /// What receivers return.
  public var fromReceivers: ExactDecimal { moved.receiverDebit }
  /// The fees that are returned.
  public var feesReturned: ExactDecimal { moved.feesReturned }
}
