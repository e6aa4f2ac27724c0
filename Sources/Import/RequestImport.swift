import Crypto
import Glibc
import Money
import Reports
import Rules
import Text

/// Turns `Pay` requests of PayPal's Adaptive Payments API into a batch.
///
/// Pure but for the memory of what it has read: `read` for each file, then `writeBatch`. A request that PayPal would have
/// refused is told with PayPal's error id and does not enter the batch. What PayPal refuses is what its *Adaptive
/// Payments Developer Guide* (October 2012) says of each field, and what the settlement's own rules say of the payment.
public struct RequestImport: ~Copyable {
  /// The requests read.
  public private(set) var requests = 0
  /// Those of them that are payments of the batch.
  public private(set) var payments = 0
  /// Those that are not, as something is wrong with them.
  public var refused: Int { requests - payments }

  private let format: Format
  private var assessor = RecordAssessor()
  private var totals = ControlTotals()
  private var records = TextBuffer()
  private var record = TextBuffer()
  private var payKeys: [String: Int] = [:]
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
  public mutating func read(_ text: [UInt8], tell: (RequestFinding) -> Void) -> Bool {
    let fileDigest = Array(SHA256.hash(data: text))
    digest.update(data: fileDigest)
    let prefix = "request-" + Self.hexadecimal(fileDigest.prefix(8)) + "-"
    let plain = text.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text.dropFirst(3)) : text
    var number = 0
    return format.read(plain, skip: tell) { request in
      number += 1
      take(request, payKey: prefix + String(number), tell: tell)
    }
  }

  private mutating func take(_ request: PayRequest, payKey: String, tell: (RequestFinding) -> Void) {
    requests += 1
    // What is no request at all has nothing that could be missing.
    guard request.faults.isEmpty else { return request.faults.forEach(tell) }
    var draft = RequestedPayment(
      request, payKey: payKey,
      payKeyOf: { "tracking-" + Self.hexadecimal(SHA256.hash(data: Array($0.utf8)).prefix(16)) })
    judge(&draft)
    let faults = draft.request.faults
    let findings = faults + draft.request.findings.filter { $0.payPalErrorID == nil }
    for finding in findings.enumerated().sorted(by: { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }) {
      tell(finding.element)
    }
    guard faults.isEmpty else { return }
    payments += 1
    totals.count(&assessor)
    records.append(record.bytes, count: record.count)
  }

  /// Has the settlement's rules judge the payment that a request becomes.
  private mutating func judge(_ draft: inout RequestedPayment) {
    record.removeAll(keeping: 1 << 16)
    draft.record.write(to: &record)
    let length = record.count
    record.append("\n")
    memset(record.reserve(Self.readableBehind), 0, Self.readableBehind)
    guard length <= Limits.requestBytes else {
      return draft.request.fault(Limits.invalidRequest, "", "is too large for a record of a batch")
    }
    guard assessor.assess(UnsafePointer(record.bytes), count: length) == .record else {
      preconditionFailure("a payment made of a request is no payment")
    }
    // Payment types that differ are told already, in PayPal's words.
    for finding in assessor.findings.prefix(Limits.faultsOfRequest) where finding.reason != .paymentTypeMixed {
      let pointer = TextBuffer.string { finding.path.write(to: &$0) }
      let field = draft.requestField(for: pointer)
      if draft.hasFault(at: field) { continue }
      let text = TextBuffer.string { assessor.writeMessage(of: finding, to: &$0) }
      let message = draft.requestMessage(text, named: pointer)
      if let id = finding.reason.payPalErrorID {
        draft.request.fault(id, field, message)
      } else {
        draft.request.note(field, "settle run will reject the payment, \(finding.reason.code): \(message)")
      }
    }
    guard draft.request.faults.isEmpty else { return }
    if let earlier = payKeys[draft.payKey] {
      draft.request.fault(579042, "trackingId", "was given before, in request \(earlier)")
    } else {
      payKeys[draft.payKey] = requests
    }
  }

  // MARK: The batch

  /// Writes the batch: a header, the payments in the order of their requests, a trailer.
  public borrowing func writeBatch(_ write: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    let header = "{\"type\":\"header\",\"batchId\":\"adaptive-\(Self.hexadecimal(digest.finalize().prefix(8)))\"}\n"
    try Array(header.utf8).withUnsafeBytes(write)
    try write(UnsafeRawBufferPointer(start: records.bytes, count: records.count))
    let sums = Currency.all.filter { totals.currencies[Int($0.index)].records > 0 }
      .map { "\"\($0.code)\":\"\(totals.currencies[Int($0.index)].amount)\"" }
    let trailer =
      "{\"type\":\"trailer\",\"recordCount\":\(payments),\"totals\":{\(sums.joined(separator: ","))}}\n"
    try Array(trailer.utf8).withUnsafeBytes(write)
  }

  /// As much as a reader of records may look at behind a line (`RecordScanner.scan`), and more.
  private static let readableBehind = 64

  private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
