/// One field of a request: a name, its text and where it stands.
struct RequestField {
  /// The place of an unencoded plus sign in a value of a name-value pair, where it is read as a space.
  enum Plus {
    case first, later
  }

  var name: FieldName
  /// The value, without white space around it: a string's characters, a number as written, `true` or `false`.
  let text: String
  /// The line, from 1.
  let line: Int
  /// The first unencoded plus sign, if there is one.
  var plus: Plus?

  /// What a message about a wrong value adds.
  var hint: String { plus == nil ? "" : "; an unencoded + is a space, write %2B" }
}

/// A request as its format has it, flat; and, once they are sorted, its fields by what they mean.
///
/// Both formats come to the same fields: JSON's objects and arrays are spelled out as name-value pairs spell them,
/// `receiverList.receiver(0).email`. A `null`, white space alone and an empty object are no field.
struct PayRequest {
  /// The line that the request begins in, from 1.
  let line: Int
  /// The operation of the API that it calls: `Pay`, `Refund` and so on.
  let operation: String
  private(set) var fields: [RequestField] = []
  /// What is wrong with the request, and what of it is not in the batch as it was.
  private(set) var findings: [RequestFinding] = []
  private var faultCount = 0
  private var names: Set<String> = []

  // What `sortFields` makes of the fields.

  /// The fields that a record is made of, by their names.
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
  mutating func take(_ name: FieldName, _ value: some Sequence<UInt8>, line: Int, plus: RequestField.Plus? = nil) {
    guard names.insert(name.text).inserted else {
      // Of names that were cut nobody knows whether they are the same.
      if !name.isCut { fault(Limits.invalidRequest, name.shown, "stands twice in the request", line: line) }
      return
    }
    let text = String(decoding: Array(value)[...].trimmed, as: UTF8.self)
    if !text.isEmpty { fields.append(RequestField(name: name, text: text, line: line, plus: plus)) }
  }

  /// The field of a name that a record is made of.
  subscript(name: String) -> RequestField? { known[name] }

  /// What is wrong with the request.
  var faults: [RequestFinding] { findings.filter { $0.payPalErrorID != nil } }

  /// Tells what is wrong with a field.
  mutating func fault(_ payPalErrorID: Int, _ field: String, _ reason: String, line: Int? = nil) {
    guard faultCount < Limits.faultsOfRequest else { return }
    faultCount += 1
    tell(payPalErrorID, field, reason, line)
  }

  /// Tells what became of a field, or what is no field.
  mutating func note(_ field: String, _ reason: String, line: Int? = nil) { tell(nil, field, reason, line) }

  private mutating func tell(_ payPalErrorID: Int?, _ field: String, _ reason: String, _ line: Int?) {
    findings.append(
      RequestFinding(
        line: line ?? known[field]?.line ?? self.line, payPalErrorID: payPalErrorID, field: field, reason: reason))
  }
}

/// The limits of what is read: whatever a file holds, it is read in little memory.
enum Limits {
  /// The most bytes of a request, line ends and comments included.
  static let requestBytes = 1 << 20
  /// The most bytes of a field's name; what is longer is cut, and no field that is known.
  static let nameBytes = 200
  /// Receivers are numbered below this.
  static let receiverIndices = 1000
  /// The most faults that are told of one request.
  static let faultsOfRequest = 100
  /// The most requests of a file that are no JSON; then the rest is not read.
  static let malformedRequests = 100
  /// PayPal's error id of a request that cannot be read, "Invalid request".
  static let invalidRequest = 580001
}
