import BatchRun
import ExactArithmetic
import Money
import Records
import Rules

/// What becomes of a record: `.settled`, `.pending`, `.held` or `.rejected`; of a refund that is made `.refunded`, of a
/// preapproval that is accepted `.agreed`. `name` is the word in reports.
public typealias Outcome = Records.Outcome

/// How the control totals of a batch stand: `.verified`, `.mismatch`, or `.absent` if there is no trailer.
public typealias ControlTotalsState = Rules.ControlTotalsState

/// What became of a batch.
public struct BatchResult: Sendable {
  package let run: RunResult

  package init(_ run: RunResult) { self.run = run }

  /// The batch's identifier, where its header gives one.
  public var batchID: String? { run.batchID }
  /// The records read, header and trailer not among them.
  public var recordsRead: Int { run.totals.recordsRead }
  /// Whether the trailer agrees with what was read.
  public var controlTotals: ControlTotalsState { run.controlTotals }
  /// How often each error occurred in rejected records, in the order of the table of errors; those that did.
  public var errors: [(code: String, count: Int)] {
    RejectionReason.allCases.map { ($0.code.description, run.totals.errors[Int($0.rawValue)]) }.filter { $1 > 0 }
  }
  /// How often each notice was given to records that are not rejected, likewise.
  public var notices: [(code: String, count: Int)] {
    Notice.allCases.map { ($0.code.description, run.totals.notices[Int($0.rawValue)]) }.filter { $1 > 0 }
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

/// What became of a currency's money, as exact decimals with the decimals that the currency is settled in.
public struct CurrencyResult: Sendable {
  /// The currency.
  public let currency: Currency
  private let totals: CurrencyTotals

  init(_ currency: Currency, _ totals: CurrencyTotals) {
    self.currency = currency
    self.totals = totals
  }

  package var records: Int { totals.records }

  var isUsed: Bool { totals.records > 0 || totals.refunds > 0 }

  /// The payments that are settled.
  public var payments: Int { totals.payments }
  /// What their senders send, without fees.
  public var sent: ExactDecimal { totals.senderAmount }
  /// The fees that their senders bear.
  public var feesOnTop: ExactDecimal { totals.senderFees }
  /// All their fees.
  public var fees: ExactDecimal { totals.fees }
  /// What their receivers get, after fees: `sent + feesOnTop - fees`.
  public var toReceivers: ExactDecimal { totals.receiverNet }
  /// The control amounts of pending and held payments.
  public var waiting: ExactDecimal { totals[.pending] + totals[.held] }
  /// The control amounts of rejected payments, of those that have one.
  public var rejected: ExactDecimal { totals[.rejected] }
  /// The refunds that are made.
  public var refunds: Int { totals.refunds }
  /// What goes back to senders: `fromReceivers + feesReturned`.
  public var refunded: ExactDecimal { totals.refunded }
  /// What receivers give back.
  public var fromReceivers: ExactDecimal { totals.receiverDebit }
  /// The fees that come back.
  public var feesReturned: ExactDecimal { totals.feesReturned }
}
