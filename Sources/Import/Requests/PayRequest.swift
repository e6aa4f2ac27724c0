/// One field of a request: its name, text and line.
struct RequestField {
  /// Where an unencoded plus sign is in the value of a name-value pair. It is read as a space.
  enum Plus {
    case first, later
  }

  var name: FieldName
  /// The value without white space around it: a string's characters, a number as written, `true` or `false`.
  let text: String
  /// The line, from 1.
  let line: Int
  /// The first unencoded plus sign, if there is one.
  var plus: Plus?

  /// Advice that a message about a wrong value adds.
  var hint: String { plus == nil ? "" : "; an unencoded + is a space, write %2B" }
}

/// A request as flat fields; after `sortFields`, also its fields by meaning.
///
/// Both formats give the same fields: members of JSON objects and arrays get the names that name-value pairs have, such
/// as `receiverList.receiver(0).email`. A `null`, an empty object and a value of only white space are left out.
struct PayRequest {
  /// The line in which the request begins, from 1.
  let line: Int
  /// The operation of the API that it calls: `Pay`, `Refund` and so on.
  let operation: String
  private(set) var fields: [RequestField] = []
  /// The faults of the request, and notes on what the batch does not contain unchanged.
  private(set) var findings: [RequestFinding] = []
  private var faultCount = 0
  private var names: Set<String> = []

  // Set by `sortFields`.

  /// The fields that go into a record, by name.
  var known: [String: RequestField] = [:]
  /// The receivers' indices, in order.
  var receivers: [Int] = []
  /// Fields that a batch has no place for, or that are not known.
  var others: [RequestField] = []

  init(line: Int, operation: String = "Pay") {
    self.line = line
    self.operation = operation
  }

  /// A request that cannot be read.
  init(unreadable reason: String, line: Int) {
    self.init(line: line)
    fault(Limits.invalidRequest, "", reason)
  }

  /// Takes a field; a second one of the same name is a fault.
  mutating func set(_ name: FieldName, _ value: some Sequence<UInt8>, line: Int, plus: RequestField.Plus? = nil) {
    guard names.insert(name.text).inserted else {
      // Whether names that were cut are equal is not known.
      if !name.isCut { fault(Limits.invalidRequest, name.shown, "is given twice in the request", line: line) }
      return
    }
    let text = String(decoding: Array(value)[...].trimmed, as: UTF8.self)
    if !text.isEmpty { fields.append(RequestField(name: name, text: text, line: line, plus: plus)) }
  }

  /// The field of this name among those that go into a record.
  subscript(name: String) -> RequestField? { known[name] }

  var faults: [RequestFinding] { findings.filter { $0.payPalErrorID != nil } }

  mutating func fault(_ payPalErrorID: Int, _ field: String, _ reason: String, line: Int? = nil) {
    guard faultCount < Limits.faultsOfRequest else { return }
    faultCount += 1
    tell(payPalErrorID, field, reason, line)
  }

  /// Adds a note on a field, or on text that is not a field.
  mutating func note(_ field: String, _ reason: String, line: Int? = nil) { tell(nil, field, reason, line) }

  private mutating func tell(_ payPalErrorID: Int?, _ field: String, _ reason: String, _ line: Int?) {
    findings.append(
      RequestFinding(
        line: line ?? known[field]?.line ?? self.line, payPalErrorID: payPalErrorID, field: field, reason: reason))
  }
}

/// Limits on requests, so that any file is read in little memory.
enum Limits {
  /// The most bytes of a request, line ends and comments included.
  static let requestBytes = 1 << 20
  /// The most bytes of a field's name. A longer name is cut, and its field counts as unknown.
  static let nameBytes = 200
  /// Receivers are numbered below this.
  static let receiverIndices = 1000
  /// The most faults that are reported for one request.
  static let faultsOfRequest = 100
  /// After this number of requests that are not JSON, the rest of the file is not read.
  static let malformedRequests = 100
  /// PayPal's error id of a request that cannot be read, "Invalid request".
  static let invalidRequest = 580001
}
