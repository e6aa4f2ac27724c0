import Digests
import JSON
import Records
import Rules
import Text

/// Turns requests of PayPal's Adaptive Payments API into a batch: payments, refunds, and preapprovals.
///
/// Call `read` for each file, then `writeBatch`. It does no I/O of its own. A request that PayPal would have refused is
/// reported with PayPal's error id and does not enter the batch. Two sources decide what is refused: the *Adaptive
/// Payments Developer Guide* (October 2012) for each field, and the settlement's own rules for the payment.
public struct RequestImport: ~Copyable {
  /// The number of requests read.
  public private(set) var requests = 0
  /// How many of them became records of the batch.
  public private(set) var imported = 0
  /// How many are valid but say that no money passed through PayPal. They are not payments.
  public private(set) var unpaid = 0
  /// How many have faults and are not in the batch.
  public var refused: Int { requests - imported - unpaid }
  /// How many records come from PayPal Here calls whose invoice has no number.
  public private(set) var withoutNumber = 0

  private let format: Format
  private let createdAt: String?
  private let merchant: [UInt8]?
  private var judge = RecordJudge(listsNotices: true)
  private var totals = ControlTotals()
  private var records = TextBuffer()
  private var record = TextBuffer()
  private var keys = RequestKeys()
  private var payKeys: [String: Int] = [:]
  private var digest = SHA256()

  /// An import of requests that are all in one format.
  ///
  /// - Parameters:
  ///   - createdAt: when they were made (RFC 3339); the time of the batch and of its records.
  ///   - merchant: the account of the merchant who was signed in to PayPal Here.
  public init(_ format: Format, createdAt: String? = nil, merchant: String? = nil) {
    self.format = format
    self.createdAt = createdAt
    self.merchant = merchant.flatMap { Account.canonical($0.utf8) }
  }

  /// Whether a text is an account: an email address or a phone number.
  public static func isAccount(_ text: String) -> Bool { Account.canonical(text.utf8) != nil }

  // MARK: Reading

  /// Reads a file's requests.
  ///
  /// - Parameters:
  ///   - text: the whole file; a byte order mark at its start is skipped.
  ///   - tell: called with each fault of a request and each field that is not carried over, request by request.
  /// - Returns: whether the file was read to its end. It is not if too many requests, or its array, are not JSON.
  public mutating func read(_ text: [UInt8], tell: (RequestFinding) -> Void) -> Bool {
    let fileDigest = SHA256.digest(of: text)
    digest.update(fileDigest.bytes.span)
    let plain = text.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text.dropFirst(3)) : text
    return format.read(plain, skip: tell) { request in
      switch request {
      case .adaptive(let request): convert(request, tell: tell)
      case .here(let request, let line): convert(request, line: line, tell: tell)
      }
    }
  }

  private mutating func convert(
    _ request: Result<HereRequest, HereFault>, line: Int, tell: (RequestFinding) -> Void
  ) {
    requests += 1
    func refuse(_ fault: HereFault) { tell(RequestFinding(fault, line: line)) }
    let payment: HerePayment
    do throws(HereFault) { payment = HerePayment(try request.get(), merchant: merchant) } catch { return refuse(error) }
    for note in payment.notes {
      tell(RequestFinding(line: line, payPalErrorID: nil, field: note.field, reason: note.reason))
    }
    guard payment.faults.isEmpty else { return payment.faults.forEach(refuse) }
    guard payment.isPayment else {
      unpaid += 1
      return
    }
    if let payKey = payment.payKey {
      if let earlier = payKeys[payKey] {
        return refuse(HereFault(id: 579042, field: "invoice.number", reason: "was given before, in request \(earlier)"))
      }
      payKeys[payKey] = requests
      assess(payment.record(key: payKey))
    } else {
      withoutNumber += 1
      assess(payment.record(key: keys.next(forRecord: payment.record(key: ""))))
    }
    enter()
  }

  private mutating func convert(_ given: PayRequest, tell: (RequestFinding) -> Void) {
    requests += 1
    var request = given
    if !request.isKnown {
      request.fault(
        Limits.invalidRequest, "",
        "the request calls \(request.operation); expected Pay, Refund, Preapproval, ConfirmPreapproval or "
          + "CancelPreapproval")
    }
    // If a request cannot be read at all, do not also report missing fields.
    guard request.faults.isEmpty else { return request.faults.forEach(tell) }
    var draft = RequestedRecord(request, createdAt: createdAt, &keys)
    judge(&draft)
    let faults = draft.request.faults
    let findings = faults + draft.request.findings.filter { $0.payPalErrorID == nil }
    for finding in findings.enumerated().sorted(by: { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }) {
      tell(finding.element)
    }
    guard faults.isEmpty else { return }
    enter()
  }

  /// Adds the record that was just judged to the batch.
  private mutating func enter() {
    imported += 1
    totals.count(&judge)
    record.withSpan { records.append($0) }
  }

  /// Has the settlement's rules judge a record.
  ///
  /// - Returns: false, without judging, if it is too large for a record.
  @discardableResult
  private mutating func assess(_ tree: JSONTree) -> Bool {
    record.removeAll(keeping: 1 << 16)
    tree.write(to: &record)
    let length = record.count
    record.append("\n")
    guard length <= Limits.requestBytes else { return false }
    guard Self.judge(record, count: length, with: &judge) == .record else {
      preconditionFailure("a record made from a request is not valid")
    }
    return true
  }

  private static func judge(
    _ record: borrowing TextBuffer, count: Int, with judge: inout RecordJudge
  ) -> RecordClass {
    judge.judge(record.span.extracting(first: count))
  }

  /// Has the settlement's rules judge the record that a request becomes.
  private mutating func judge(_ draft: inout RequestedRecord) {
    guard assess(draft.record) else {
      return draft.request.fault(Limits.invalidRequest, "", "is too large for a record of a batch")
    }
    // Payment types that differ were already reported in PayPal's words.
    for finding in judge.judgement.findings.prefix(Limits.faultsOfRequest) where finding.reason != .paymentTypeMixed {
      let pointer = TextBuffer.string { finding.path.write(to: &$0) }
      let field = draft.requestField(for: pointer)
      if draft.hasFault(at: field) { continue }
      let text = TextBuffer.string { judge.judgement.writeMessage(of: finding, to: &$0) }
      let message = draft.requestMessage(text, named: pointer)
      if let id = finding.reason.payPalErrorID {
        let isValue = [580022, 580027, 589039].contains(id)
        draft.request.fault(id, field, message + (isValue ? draft.request[field]?.hint ?? "" : ""))
      } else {
        draft.request.note(field, "settle run will reject the record, \(finding.reason.code): \(message)")
      }
    }
    for notice in judge.judgement.notices where [.textTooLong, .urlNotUsed].contains(notice.notice) {
      let pointer = TextBuffer.string { notice.path.write(to: &$0) }
      let text = TextBuffer.string { judge.judgement.writeMessage(of: notice, to: &$0) }
      let field = draft.requestField(for: pointer)
      draft.request.note(
        field, "\(notice.notice.code): \(draft.requestMessage(text, named: pointer))\(draft.request[field]?.hint ?? "")"
      )
    }
    guard draft.request.faults.isEmpty, draft.request.operation == "Pay" else { return }
    if let earlier = payKeys[draft.key] {
      draft.request.fault(579042, "trackingId", "was given before, in request \(earlier)")
    } else {
      payKeys[draft.key] = requests
    }
  }

  // MARK: The batch

  /// Writes the batch: a header, the records in the order of their requests, a trailer.
  public borrowing func writeBatch(_ write: (Span<UInt8>) throws -> Void) rethrows {
    var header: [(String, JSONTree)] = [
      ("type", .string("header")),
      ("batchId", .string(format.batchPrefix + digest.finalize().hexadecimal.prefix(16))),
    ]
    if let createdAt { header.append(("createdAt", .string(createdAt))) }
    try write("\(JSONTree.object(header))\n".utf8Span.span)
    try write(records.span)
    try write("\(totals.trailer(recordCount: imported))\n".utf8Span.span)
  }
}
