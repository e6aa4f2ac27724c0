import Claims
import ExactArithmetic
import Failures
import Money
import Postings
import Records
import Documents
import Rules
import Text

/// Audits `settlement.csv`: every row, every payment's zero sum, and the sums with which other reports must agree.
struct SettlementAudit: ~Copyable {
  typealias Column = SettlementReport.Column

  /// After this many bytes of account texts, the postings are handed over.
  private static let textBudget = 1 << 18

  let log: FindingLog
  /// The counts and sums of all settled payments.
  var totals = ControlTotals()
  /// What each account got.
  let accounts = AccountTotals()
  /// What refunds took from each account, or gave it.
  let refundAccounts = AccountTotals()
  var refunds: [RefundRows] = []
  /// The refund whose rows are being read.
  var refund: RefundRows?
  var keys = PayKeyMemory()
  /// The number of rows read, without the header.
  private(set) var rows = 0
  /// Whether every row could be read and belongs to a payment, so that the sums are meaningful.
  private(set) var isWhole = true

  var payment = PaymentRows()
  var party = PartyRow()
  private(set) var row = ReportRow()
  private var queue: PostingQueue
  /// The next posting for the queue.
  private var posting = [Posting()]
  /// The accounts of the parties, one after the other.
  private var texts = TextBuffer(capacity: 2 * textBudget)
  /// The ranges in them of the accounts of the payment's parties, the sender's first.
  private var accountsSeen: [Range<Int>] = []
  /// Whether rows are skipped up to the next sender's, because after a fault they belong to no payment.
  private var isLost = false

  init(_ log: FindingLog) {
    self.log = log
    queue = PostingQueue(for: accounts)
  }

  /// Audits the report's rows, after its header.
  mutating func audit(_ lines: ReportLines) throws(Failure) {
    while try lines.next() { check(lines) }
    finishPayment()
    finishRefund()
    post()
  }

  // MARK: Rows

  private mutating func check(_ lines: ReportLines) {
    rows += 1
    guard read(lines) else { return lose() }
    if party.isRefund {
      finishPayment()
      payment = PaymentRows()
      return checkRefundRow(lines.number)
    }
    if refund != nil {
      log.add(ReportKind.settlement.fileName, line: lines.number, "payments come before refunds")
    }
    if party.role == .sender {
      finishPayment()
      isLost = false
      payment.begin(party, row, line: lines.number)
      checkAmounts(lines.number)
      remember()
    } else if !isLost {
      addReceiver(lines.number)
    }
  }

  private mutating func lose() {
    isWhole = false
    isLost = true
  }

  /// Reads a row into `party`; false, with a finding, if a field is not valid.
  private mutating func read(_ lines: ReportLines) -> Bool {
    guard lines.split(into: &row, log) else { return false }
    do throws(RowFault) {
      try readParty()
      return true
    } catch {
      lines.note(error, in: row, log)
      return false
    }
  }

  private mutating func readParty() throws(RowFault) {
    guard payment.hasKey(row[Column.payKey]) || ReportField.isPayKey(row[Column.payKey]) else {
      throw RowFault(Column.payKey, "a pay key has 1 to 64 of A-Z a-z 0-9 . _ -, the first a letter or digit")
    }
    let isRefund = ReportField.is("REFUND", row[Column.kind])
    guard let kind = isRefund ? .simple : ReportField.kind(row[Column.kind]) else {
      throw RowFault(Column.kind, "a kind is SIMPLE, PARALLEL, CHAINED or REFUND")
    }
    guard isRefund ? ReportField.isPayKey(row[Column.refundKey]) : row[Column.refundKey].isEmpty else {
      throw RowFault(Column.refundKey, "a refund has a refund key, and a payment none")
    }
    guard let role = ReportField.role(row[Column.role]) else {
      throw RowFault(Column.role, "a role is SENDER, RECEIVER, PRIMARY or SECONDARY")
    }
    guard role == .sender && row[Column.account].isEmpty || Account.isCanonical(row[Column.account]) else {
      throw RowFault(Column.account, "an account is an email address or a phone number, in lower case")
    }
    guard let currency = Currency.find(row[Column.currency]) else {
      throw RowFault(Column.currency, "a currency is a code that settle currencies lists")
    }
    party.isRefund = isRefund
    party.kind = kind
    party.role = role
    party.currency = currency
    party.gross = try amount(.gross)
    party.passedOn = try amount(.passedOn)
    party.fee = try amount(.fee)
    party.net = try amount(.net)
  }

  @inline(__always)
  private func amount(_ column: Column) throws(RowFault) -> ExactDecimal {
    guard let amount = ReportField.amount(row[column], party.currency) else {
      let (code, decimals) = (party.currency.code, party.currency.settlementExponent)
      throw RowFault(column, "an amount in \(code) has exactly \(decimals) decimals")
    }
    return amount
  }

  /// Adds a finding that an amount of the row is wrong.
  func complain(_ line: Int, _ column: Column, expected: String? = nil, _ reason: String) {
    log.add(.settlement, line: line, column, found: ShownField.figure(row.bytes(column)), expected: expected, reason)
  }

  // MARK: Receivers

  private mutating func addReceiver(_ line: Int) {
    guard belongs(line) else { return lose() }
    payment.add(party)
    checkAmounts(line)
    checkUnique(line)
    posting[0].account = remember()
    posting[0].gross.set(party.gross)
    posting[0].passedOn.set(party.passedOn)
    posting[0].fee.set(party.fee)
    Self.add(posting, accounts: texts, party.currency, to: &queue)
  }

  private static func add(
    _ postings: [Posting], accounts: borrowing TextBuffer, _ currency: Currency, to queue: inout PostingQueue
  ) {
    let entry = SettledEntry(
      payKey: Span(), kind: .simple, currency: currency, postings: postings.span, accounts: accounts.span,
      refundKey: Span(), placesInPayment: Span())
    queue.add(entry, 0, .receiver)
  }

  /// Appends the row's account to the texts, and keeps and returns its place.
  @discardableResult
  private mutating func remember() -> Range<Int> {
    // A payment has few parties, but endless rows must not fill the memory.
    if texts.count > 2 * Self.textBudget { post() }
    let offset = texts.count
    Self.append(row, to: &texts)
    if accountsSeen.count <= PaymentKind.maximumReceivers { accountsSeen.append(offset..<texts.count) }
    return offset..<texts.count
  }

  private static func append(_ row: ReportRow, to texts: inout TextBuffer) { texts.append(row[Column.account]) }

  /// Whether the row belongs to the payment that the last sender's row began.
  private func belongs(_ line: Int) -> Bool {
    func differs(_ column: Column, _ found: String, _ expected: String) -> Bool {
      let reason = "the row of the payment's sender is line \(payment.line)"
      log.add(.settlement, line: line, column, found: found, expected: expected, reason)
      return false
    }
    guard !payment.key.isEmpty else {
      let reason = "no sender's row comes before it; a payment begins with one"
      log.add(ReportKind.settlement.fileName, line: line, reason)
      return false
    }
    if !payment.hasKey(row[Column.payKey]) {
      return differs(
        .payKey, MessageText.identifier(row.bytes(Column.payKey)), MessageText.identifier(payment.key))
    }
    if party.kind != payment.kind { return differs(.kind, "\(party.kind.name)", "\(payment.kind.name)") }
    if party.currency != payment.currency { return differs(.currency, party.currency.code, payment.currency.code) }
    let isChained = payment.kind == .chained
    guard (party.role == .receiver) != isChained else {
      return differs(.role, "\(party.role.name)", isChained ? "PRIMARY or SECONDARY" : "\(PartyRole.receiver.name)")
    }
    return true
  }

  private func checkUnique(_ line: Int) {
    for seen in accountsSeen where texts.span.extracting(seen).isEqual(to: row[Column.account]) {
      log.add(
        .settlement, line: line, Column.account, found: MessageText.identifier(row.bytes(Column.account)),
        "an earlier row of the payment has the same account")
    }
  }

  // MARK: Payments

  private mutating func finishPayment() {
    if !payment.key.isEmpty, !isLost {
      checkPayment()
      totals.countSettled(
        payment.currency, senderAmount: payment.senderAmount, senderFees: payment.senderFees,
        receiverNet: payment.sums.receiverNet, fees: payment.sums.fees)
    }
    accountsSeen.removeAll(keepingCapacity: true)
    if texts.count > Self.textBudget { post() }
  }

  private mutating func post() {
    queue.post()
    accountsSeen.removeAll(keepingCapacity: true)
    texts.removeAll(keeping: 4 * Self.textBudget)
  }
}
