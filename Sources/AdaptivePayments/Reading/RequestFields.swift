import BatchFile

/// One field of a request: a name, its text and where it stands.
struct RequestField {
  let name: FieldName
  /// The value as UTF-8: a string's characters, a number as written, `true` or `false`.
  let text: [UInt8]
  /// The line, from 1.
  let line: Int
}

/// A request as its format has it, flat: nothing is known yet of what its fields mean.
///
/// Both formats come to the same fields: JSON's objects and arrays are spelled out as name-value pairs spell them,
/// `receiverList.receiver(0).email`. A `null`, an empty text and an empty object are no field.
struct RequestFields {
  /// The line that the request begins in, from 1.
  let line: Int
  private(set) var fields: [RequestField] = []
  /// What is wrong with the request as a text.
  private(set) var faults: [RequestFault] = []
  /// What of the text is no field.
  private(set) var notes: [RequestNote] = []
  private var names: Set<[UInt8]> = []

  init(line: Int) { self.line = line }

  /// A request that cannot be read.
  init(unreadable reason: String, line: Int) {
    self.init(line: line)
    fault("", reason, line: line)
  }

  /// Whether a field of this name was taken.
  func has(_ name: FieldName) -> Bool { names.contains(name.text) }

  /// Takes a field; a second one of the same name is a fault.
  mutating func take(_ name: FieldName, _ text: [UInt8], line: Int) {
    guard names.insert(name.text).inserted else {
      // Of names that were cut nobody knows whether they are the same.
      if !name.isCut { fault(name.shown, "stands twice in the request", line: line) }
      return
    }
    if !text.isEmpty { fields.append(RequestField(name: name, text: text, line: line)) }
  }

  /// Notes that the request cannot be read as it is.
  mutating func fault(_ field: String, _ reason: String, line: Int) {
    guard faults.count < Limits.faultsOfRequest else { return }
    faults.append(RequestFault(line: line, payPalErrorID: Limits.invalidRequest, field: field, reason: reason))
  }

  /// Notes what is no field, or not all of it.
  mutating func note(_ field: String, _ reason: String, line: Int) {
    notes.append(RequestNote(line: line, field: field, reason: reason))
  }
}

/// What is wrong with a request, in PayPal's terms.
public struct RequestFault: Sendable, Equatable {
  /// The line it stands in, from 1; of what is missing, the line that the request begins in.
  public let line: Int
  /// The error id that PayPal's Adaptive Payments API gives for it.
  public let payPalErrorID: Int
  /// The field, as name-value pairs spell it; empty where it is the request as a whole.
  public let field: String
  /// What is wrong, and what was expected.
  public let reason: String
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
