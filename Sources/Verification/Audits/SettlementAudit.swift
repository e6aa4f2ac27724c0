import BatchFile
import BatchRun
import ExactArithmetic
import Money
import Payments
import Settlement

/// Goes through `settlement.csv`: every row, every payment's zero sum, and the sums that other reports must agree with.
struct SettlementAudit: ~Copyable {
  static let columns = ReportColumns.settlement
  /// Texts of accounts beyond which the postings are handed over.
  private static let textBudget = 1 << 18

  let log: FindingLog
  /// The counts and sums of all settled payments.
  var totals = ControlTotals()
  /// What each account got.
  let accounts = AccountTotals()
  /// The pay keys met.
  var keys = PayKeyMemory()
  /// The rows read, the header not among them.
  private(set) var rows = 0
  /// Whether every row could be read and belongs to a payment, so that the sums mean something.
  private(set) var isWhole = true

  var payment = PaymentRows()
  var party = PartyRow()
  private var row = ReportRow()
  private var postings: [[AccountPosting]] = Array(repeating: [], count: AccountTotals.shardCount)
  /// `account,currency` of the receivers that are posted next.
  private var texts = TextBuffer(capacity: 2 * textBudget)
  /// Where in them the accounts of the payment's parties stand, the sender's first.
  private var accountsSeen: [Range<Int>] = []
  /// Whether rows are passed over up to the next sender's: something was found that makes them nobody's.
  private var isLost = false
  private let canonical = UnsafeMutablePointer<UInt8>.allocate(capacity: Account.maximumLength)

  init(_ log: FindingLog) { self.log = log }

  deinit { canonical.deallocate() }

  /// Goes through the report's rows, its header taken already.
  mutating func audit(_ lines: ReportLines) throws(RunFailure) {
    while try lines.next() { take(lines) }
    finishPayment()
    post()
  }

  // MARK: Rows

  private mutating func take(_ lines: ReportLines) {
    rows += 1
    guard read(lines) else { return lose() }
    if party.role == .sender {
      finishPayment()
      isLost = false
      payment.begin(party, line: lines.number)
      checkAmounts(lines.number)
      remember(party.account)
    } else if !isLost {
      addReceiver(lines.number)
    }
  }

  private mutating func lose() {
    isWhole = false
    isLost = true
    payment.isWhole = false
  }

  /// Reads a row into `party`; false, and a finding, where a field of it is none.
  private mutating func read(_ lines: ReportLines) -> Bool {
    guard lines.isProperLine(log) else { return false }
    row.split(lines.line, count: lines.length)
    guard row.count == Self.columns.names.count else {
      log.add(lines.finding("is no row of \(Self.columns.names.count) fields"))
      return false
    }
    party.payKey = row[0]
    guard payment.hasKey(row[0]) && payment.keyLength > 0 || ReportField.isPayKey(row[0]) else {
      return complain(lines, 0, "a pay key has 1 to 64 of A-Z a-z 0-9 . _ -, the first a letter or digit")
    }
    guard let kind = ReportField.kind(row[1]) else {
      return complain(lines, 1, "a kind is SIMPLE, PARALLEL or CHAINED")
    }
    guard let role = ReportField.role(row[2]) else {
      return complain(lines, 2, "a role is SENDER, RECEIVER, PRIMARY or SECONDARY")
    }
    party.account = row[3]
    guard role == .sender && row[3].isEmpty || isAccount(row[3]) else {
      return complain(lines, 3, "an account is an email address or a phone number, in lower case")
    }
    guard let currency = ReportField.currency(row[4]) else {
      return complain(lines, 4, "a currency is one of the 24 codes")
    }
    party.kind = kind
    party.role = role
    party.currency = currency
    return readAmounts(lines, currency)
  }

  @inline(__always)
  private mutating func readAmounts(_ lines: ReportLines, _ currency: Currency) -> Bool {
    guard let gross = ReportField.amount(row[5], currency) else { return complainOfAmount(lines, 5, currency) }
    guard let passedOn = ReportField.amount(row[6], currency) else { return complainOfAmount(lines, 6, currency) }
    guard let fee = ReportField.amount(row[7], currency) else { return complainOfAmount(lines, 7, currency) }
    guard let net = ReportField.amount(row[8], currency) else { return complainOfAmount(lines, 8, currency) }
    party.gross.set(gross)
    party.passedOn.set(passedOn)
    party.fee.set(fee)
    party.net.set(net)
    return true
  }

  private mutating func isAccount(_ field: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = field.baseAddress, field.count <= Account.maximumLength,
      Account.canonicalize(start, count: field.count, into: canonical)
    else { return false }
    return SameBytes.are(start, canonical, count: field.count)
  }

  private func complain(_ lines: ReportLines, _ column: Int, _ reason: String) -> Bool {
    log.add(
      ReportFinding(
        Self.columns.file, line: lines.number, field: Self.columns.names[column], found: ShownField.text(row[column]),
        reason))
    return false
  }

  private func complainOfAmount(_ lines: ReportLines, _ column: Int, _ currency: Currency) -> Bool {
    complain(lines, column, "an amount in \(currency.code) has exactly \(currency.settlementExponent) decimals")
  }

  // MARK: Receivers

  private mutating func addReceiver(_ line: Int) {
    guard belongs(line) else { return lose() }
    payment.add(party)
    checkAmounts(line)
    checkUnique(line)
    let offset = remember(party.account)
    let code = party.currency.codeBytes
    texts.append(UInt8(ascii: ","))
    texts.append(code.0)
    texts.append(code.1)
    texts.append(code.2)
    let length = texts.count - offset
    let isPositive = !party.gross.isNegative && !party.passedOn.isNegative && !party.fee.isNegative
    guard isPositive, let gross = party.gross.inlineMagnitude, let passedOn = party.passedOn.inlineMagnitude,
      let fee = party.fee.inlineMagnitude
    else {
      return accounts.post(
        gross: party.gross, passedOn: party.passedOn, fee: party.fee, account: texts.bytes + offset, count: length)
    }
    let hash = accounts.hash(texts.bytes + offset, count: length)
    postings[AccountTotals.shard(of: hash)].append(
      AccountPosting(hash: hash, offset: offset, length: length, gross: gross, passedOn: passedOn, fee: fee))
  }

  /// Appends an account to the texts, and keeps where it stands; gives the place.
  @discardableResult
  private mutating func remember(_ account: UnsafeBufferPointer<UInt8>) -> Int {
    // A payment has few parties; whose rows never end is not allowed to fill the memory.
    if texts.count > 2 * Self.textBudget { post() }
    let offset = texts.count
    if let start = account.baseAddress { texts.append(start, count: account.count) }
    if accountsSeen.count <= PaymentKind.maximumReceivers { accountsSeen.append(offset..<texts.count) }
    return offset
  }

  /// Whether the row goes on with the payment that the last sender began.
  private func belongs(_ line: Int) -> Bool {
    guard payment.keyLength > 0 else {
      log.add(ReportFinding(Self.columns.file, line: line, "no row of a sender before it; a payment begins with one"))
      return false
    }
    if !payment.hasKey(party.payKey) {
      log.add(finding(line, 0, ShownField.identifier(party.payKey), ShownField.identifier(payment.payKey)))
      return false
    }
    if party.kind != payment.kind {
      log.add(finding(line, 1, party.kind.name.description, payment.kind.name.description))
      return false
    }
    if party.currency != payment.currency {
      log.add(finding(line, 4, party.currency.code, payment.currency.code))
      return false
    }
    if (party.role == .receiver) == (payment.kind == .chained) {
      let expected = payment.kind == .chained ? "PRIMARY or SECONDARY" : PartyRole.receiver.name.description
      log.add(finding(line, 2, party.role.name.description, expected))
      return false
    }
    return true
  }

  private func finding(_ line: Int, _ column: Int, _ found: String, _ expected: String) -> ReportFinding {
    ReportFinding(
      Self.columns.file, line: line, field: Self.columns.names[column], found: found, expected: expected,
      "the row of the payment's sender is line \(payment.line)")
  }

  private func checkUnique(_ line: Int) {
    guard let start = party.account.baseAddress else { return }
    for seen in accountsSeen where seen.count == party.account.count {
      if SameBytes.are(texts.bytes + seen.lowerBound, start, count: seen.count) {
        log.add(
          ReportFinding(
            Self.columns.file, line: line, field: Self.columns.names[3], found: ShownField.identifier(party.account),
            "an earlier row of the payment has the same account"))
      }
    }
  }

  // MARK: Payments

  private mutating func finishPayment() {
    if payment.keyLength > 0, payment.isWhole {
      checkPayment()
      totals.countSettled(
        payment.currency, senderAmount: payment.senderAmount, senderFees: payment.senderFees,
        receiverNet: payment.receiverNet, fees: payment.fees)
    }
    accountsSeen.removeAll(keepingCapacity: true)
    if texts.count > Self.textBudget { post() }
  }

  private mutating func post() {
    for shard in postings.indices where !postings[shard].isEmpty {
      accounts.post(postings[shard], shard: shard, text: texts.bytes)
      postings[shard].removeAll(keepingCapacity: true)
    }
    accountsSeen.removeAll(keepingCapacity: true)
    texts.removeAll(keeping: 4 * Self.textBudget)
  }
}
