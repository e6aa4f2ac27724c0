import BatchFile
import Crypto
import Glibc
import Money
import Reports
import Settlement

/// Turns `Pay` requests of PayPal's Adaptive Payments API into a batch.
///
/// Pure but for the memory of what it has read: `read` for each file, then `writeBatch`. A request that PayPal would have
/// refused is told with PayPal's error id and does not enter the batch. What PayPal refuses is what its *Adaptive
/// Payments Developer Guide* (October 2012) says of each field, and what the settlement's own rules say of the payment.
public struct RequestImport: ~Copyable {
  /// How the requests are written.
  public enum Format: String, CaseIterable, Sendable {
    /// JSON objects, one or many.
    case json = "adaptive-json"
    /// Name-value pairs: query strings.
    case nameValue = "adaptive-nvp"
  }

  /// What is to be told of a request.
  public enum Finding: Sendable, Equatable {
    /// It is not in the batch.
    case fault(RequestFault)
    /// Something of it is not in the batch as it was.
    case note(RequestNote)

    /// The line it stands in, from 1.
    public var line: Int {
      switch self {
      case .fault(let fault): fault.line
      case .note(let note): note.line
      }
    }
  }

  /// The requests read.
  public private(set) var requests = 0
  /// Those of them that are payments of the batch.
  public private(set) var payments = 0
  /// Those that are not, as something is wrong with them.
  public var refused: Int { requests - payments }

  private let format: Format
  private var assessor = PaymentAssessor(schedule: .published)
  private var totals = ControlTotals()
  private var records = TextBuffer()
  private var record = TextBuffer()
  private var payKeys: [[UInt8]: Int] = [:]
  private var digest = SHA256()

  /// An import of requests that are all written in one way.
  public init(_ format: Format) { self.format = format }

  // MARK: Reading

  /// Reads a file's requests.
  ///
  /// - Parameters:
  ///   - text: the whole file; a byte order mark at its start is skipped.
  ///   - tell: told what is wrong with requests and what of them is not carried over, request by request.
  /// - Returns: whether the file was read to its end; it is not where too much of it, or the array in it, is no JSON.
  public mutating func read(_ text: [UInt8], tell: (Finding) -> Void) -> Bool {
    let fileDigest = Array(SHA256.hash(data: text))
    digest.update(data: fileDigest)
    let prefix = "request-" + Self.hexadecimal(fileDigest.prefix(8)) + "-"
    let plain = text.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text.dropFirst(3)) : text
    var number = 0
    func takeOver(_ request: RequestFields) {
      number += 1
      take(request, payKey: prefix + String(number), tell: tell)
    }
    func skip(_ note: RequestNote) { tell(.note(note)) }
    switch format {
    case .json: return JSONRequests.read(plain, skip: skip, takeOver)
    case .nameValue:
      NameValueRequests.read(plain, skip: skip, takeOver)
      return true
    }
  }

  private mutating func take(_ fields: RequestFields, payKey: String, tell: (Finding) -> Void) {
    requests += 1
    var draft = PaymentDraft(
      PayRequest(fields), payKey: payKey,
      payKeyOf: { "tracking-" + Self.hexadecimal(SHA256.hash(data: $0).prefix(16)) })
    // What is no request at all has nothing that could be missing.
    guard fields.faults.isEmpty else {
      for fault in fields.faults { tell(.fault(fault)) }
      return
    }
    judge(&draft)
    let findings = draft.faults.map(Finding.fault) + (fields.notes + draft.notes).map(Finding.note)
    for finding in findings.enumerated().sorted(by: { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }) {
      tell(finding.element)
    }
    guard draft.faults.isEmpty else { return }
    payments += 1
    totals.count(assessor)
    records.append(record.bytes, count: record.count)
  }

  /// Has the settlement's rules judge the payment that a request becomes.
  private mutating func judge(_ draft: inout PaymentDraft) {
    record.removeAll(keeping: 1 << 16)
    draft.writeRecord(to: &record)
    let length = record.count
    record.append("\n")
    memset(record.reserve(Self.readableBehind), 0, Self.readableBehind)
    guard length <= Limits.requestBytes else {
      return draft.fault(Limits.invalidRequest, "", "is too large for a record of a batch")
    }
    guard assessor.assess(UnsafePointer(record.bytes), count: length) == .record else {
      preconditionFailure("a payment made of a request is no payment")
    }
    var findings: [(id: Int?, code: String, field: String, message: String)] = []
    for finding in assessor.findings.prefix(Limits.faultsOfRequest) {
      if finding.reason == .paymentTypeMixed, draft.hasMixedTypes { continue }
      var pointer = TextBuffer()
      finding.path.write(to: &pointer)
      var message = TextBuffer()
      assessor.writeMessage(of: finding, to: &message)
      let field = draft.requestField(for: pointer.string)
      let isPrecision = finding.reason == .amountPrecision
      findings.append(
        (
          finding.reason.payPalErrorID, finding.reason.code.description, field,
          draft.requestMessage(message.string, at: field, named: pointer.string, isPrecision: isPrecision)
        ))
    }
    for finding in findings where !draft.hasFault(at: finding.field) {
      if let id = finding.id {
        draft.fault(id, finding.field, finding.message)
      } else {
        draft.note(finding.field, "settle run will reject the payment, \(finding.code): \(finding.message)")
      }
    }
    checkPayKey(&draft)
  }

  private mutating func checkPayKey(_ draft: inout PaymentDraft) {
    guard let payKey = draft.payKey, draft.faults.isEmpty else { return }
    if let earlier = payKeys[payKey] {
      draft.fault(579042, "trackingId", "was given before, in request \(earlier)")
    } else {
      payKeys[payKey] = requests
    }
  }

  // MARK: The batch

  /// Writes the batch: a header, the payments in the order of their requests, a trailer.
  public borrowing func writeBatch(_ write: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    let identifier = Self.hexadecimal(digest.finalize().prefix(8))
    try Self.write("{\"type\":\"header\",\"batchId\":\"adaptive-\(identifier)\"}\n", write)
    try write(UnsafeRawBufferPointer(start: records.bytes, count: records.count))
    let sums = Currency.all.filter { totals.currencies[Int($0.index)].records > 0 }
      .map { "\"\($0.code)\":\"\(totals.currencies[Int($0.index)].amount)\"" }
    try Self.write(
      "{\"type\":\"trailer\",\"recordCount\":\(payments),\"totals\":{\(sums.joined(separator: ","))}}\n", write)
  }

  private static func write(_ line: String, _ write: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    try Array(line.utf8).withUnsafeBytes(write)
  }

  /// As much as a reader of records may look at behind a line (`RecordScanner.scan`), and more.
  private static let readableBehind = 64

  private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
