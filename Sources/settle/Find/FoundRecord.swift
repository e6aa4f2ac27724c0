import BatchRun
import ExactArithmetic
import Failures
import LedgerRuns
import Money
import Records
import Documents
import Text

/// A record that was found by its key, with its outcome in one night.
struct FoundRecord {
  /// A row of `settlement.csv`.
  struct Party {
    let account: String
    let role: String
    let (gross, passedOn): (ExactDecimal, ExactDecimal)
    let (fee, net): (ExactDecimal, ExactDecimal)
  }

  /// Why a record was rejected or waits.
  struct Failing {
    let code: String
    let field: String
    let payPalErrorID: Int?
    let message: String
  }

  /// What the ledger knows about it.
  enum Known {
    case payment(PaymentHistory)
    case refund(RefundTaking)
    case nothing
  }

  /// What happened to an agreement in the night.
  struct AgreementNight {
    let history: AgreementHistory
    let actions: [String]
    let payments: Int
    let amount: ExactDecimal
    /// The row of `preapprovals.csv`; nil if it was not read.
    var after: (status: String, sender: String, payments: Int, amount: ExactDecimal)?
  }

  private typealias Column = SettlementReport.Column

  let outcome: String
  private(set) var payKey: String?
  private(set) var refundKey: String?
  private(set) var preapprovalKey: String?
  private(set) var kind: String?
  private(set) var currency: String?
  private(set) var amount: ExactDecimal?
  private(set) var parties: [Party]?
  private(set) var agreement: AgreementNight?
  private(set) var place: (file: String, line: Int)?
  var errors: [Failing] = []
  private(set) var known = Known.nothing
  /// In which payments of payouts each receiver's money left; nil if the receivers are not known.
  var paidOut: [ShownWay]?

  /// Whether its parties are in `settlement.csv`.
  var isSettled: Bool { if case .nothing = known { false } else { true } }

  /// The receivers of a settled payment or a refund, in the order of the reports or else of the ledger; nil if they are not
  /// known.
  var receivers: (accounts: [[UInt8]], currency: Currency)? {
    guard isSettled, let currency = currency.flatMap({ Currency.find($0.utf8Span.span) }) else { return nil }
    if let parties {
      let receivers = parties.filter { $0.role != PartyRole.sender.name.description }
      return (receivers.map { Array($0.account.utf8) }, currency)
    }
    guard case .payment(let history) = known, let payment = history.payment else { return nil }
    return (payment.payment.receivers.map(\.account), currency)
  }

  func isSameRecord(as other: FoundRecord) -> Bool {
    place.map { place in other.place.map { $0 == place } ?? false } ?? false
  }

  // MARK: What the ledger knows

  /// A settled payment.
  init(_ history: PaymentHistory, payKey: String) {
    outcome = Outcome.settled.name.description
    self.payKey = payKey
    known = .payment(history)
    guard let payment = history.payment?.payment else { return }
    kind = payment.kind.name.description
    currency = payment.currency.code
    amount = payment.senderAmount
    if !payment.preapprovalKey.isEmpty { preapprovalKey = String(decoding: payment.preapprovalKey, as: UTF8.self) }
  }

  /// A refund that was made.
  init(_ refund: RefundTaking, payKey: String? = nil, currency: String? = nil) {
    outcome = Outcome.refunded.name.description
    (self.payKey, refundKey, self.currency) = (payKey, refund.refundKey, currency)
    amount = refund.amount
    known = .refund(refund)
  }

  /// An agreement in a night that changed or used it.
  init(_ history: AgreementHistory, in run: Int, preapprovalKey: String) {
    let actions = history.records.filter { $0.run == run }.map(\.action.name)
    let uses = history.uses.filter { $0.run == run }
    outcome = actions.isEmpty ? "USED" : Outcome.agreed.name.description
    self.preapprovalKey = preapprovalKey
    currency = history.agreement.terms.currency.code
    let zero = ExactDecimal.zero(at: -history.agreement.terms.currency.settlementExponent)
    agreement = AgreementNight(
      history: history, actions: actions, payments: uses.reduce(0) { $0 + $1.payments },
      amount: uses.reduce(zero) { $0 + $1.amount })
  }

  // MARK: What reports contain

  /// A record that was rejected or waits.
  init(_ exception: ExceptionRow, _ row: FoundRow) {
    typealias Column = ExceptionsReport.Column
    func given(_ key: [UInt8]) -> String? { key.isEmpty ? nil : String(decoding: key, as: UTF8.self) }
    outcome = exception.outcome.name.description
    payKey = given(exception.payKey)
    refundKey = given(exception.refundKey)
    preapprovalKey = given(exception.preapprovalKey)
    currency = exception.control?.currency.code
    amount = exception.control?.amount
    place = (MessageText.escapedName(exception.file), exception.line)
    errors = [
      Failing(
        code: row.text(Column.code), field: MessageText.escapedName(exception.field),
        payPalErrorID: exception.reason?.payPalErrorID, message: MessageText.escapedName(exception.message))
    ]
  }

  /// Adds a party of a payment or refund.
  mutating func add(_ row: FoundRow) throws(Failure) {
    let currency = try row.currency(Column.currency)
    let (kind, role) = (row.text(Column.kind), row.text(Column.role))
    guard SettlementReport.kinds.contains(kind) else { throw row.fault("kind: no such kind") }
    guard PartyRole.allCases.contains(where: { $0.name.description == role }) else {
      throw row.fault("role: no such role")
    }
    let party = Party(
      account: MessageText.identifier(row.bytes(Column.account), limit: Account.maximumLength), role: role,
      gross: try row.amount(Column.gross, currency), passedOn: try row.amount(Column.passedOn, currency),
      fee: try row.amount(Column.fee, currency), net: try row.amount(Column.net, currency))
    self.kind = kind
    self.currency = currency.code
    payKey = MessageText.identifier(row.bytes(Column.payKey))
    amount = amount ?? (party.gross.isNegative ? -party.gross : party.gross)
    parties = (parties ?? []) + [party]
  }

  /// Adds the agreement's row of `preapprovals.csv`.
  mutating func addAgreement(_ row: FoundRow) throws(Failure) {
    typealias Column = PreapprovalsReport.Column
    let currency = try row.currency(Column.currency)
    agreement?.after = (
      MessageText.identifier(row.bytes(Column.status)),
      MessageText.identifier(row.bytes(Column.sender), limit: Account.maximumLength),
      try row.count(Column.payments), try row.amount(Column.amount, currency)
    )
  }
}
