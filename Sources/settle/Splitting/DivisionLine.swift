import Console
import JSON
import LedgerRuns
import Rules
import Text

/// Why a line cannot be divided: a code, the field it points at, as a JSON Pointer, and a message.
struct DivisionError: Error, CustomStringConvertible {
  let code: String
  let field: String?
  let message: String

  init(_ code: String, at field: String? = nil, _ message: String) {
    self.code = code
    self.field = field
    self.message = message
  }

  init(_ reason: RejectionReason, at field: String? = nil, _ message: String) {
    self.init(reason.code.description, at: field, message)
  }

  var description: String { "\(code)\(field.map { " at \($0)" } ?? ""): \(message)" }
}

/// A line of `settle split` (`split-command.md`): its content and its result.
enum DivisionLine {
  /// Divides a line and appends the result; true if it has an error, which goes to standard error with its place.
  static func divide(_ record: BatchRecord, into text: inout TextBuffer) -> Bool {
    var answer: [(String, JSONTree)] = []
    do throws(DivisionError) {
      let line = try read(record)
      if let id = line["id"], case .string = id { answer.append(("id", id)) }
      let parts =
        line["convention"] == nil ? try SplitDivision(JSONNode(line)).parts() : try ConventionDivision.parts(line)
      answer.append(("parts", .array(parts.map { .string($0.description) })))
    } catch {
      answer.append(("error", .string(error.code)))
      if let field = error.field { answer.append(("field", .string(field))) }
      Log.error("\(error)", at: (record.file, record.line))
    }
    JSONTree.object(answer).write(to: &text)
    return answer.contains { $0.0 == "error" }
  }

  /// The line's object; throws its structural error.
  private static func read(_ record: BatchRecord) throws(DivisionError) -> JSONTree {
    if record.isTooLong { throw DivisionError(.recordTooLong, "the line is over 1048576 bytes") }
    let text = [UInt8](record.text)
    let isUTF8 = UTF8Text.isValid(text.span)
    if let fault = RejectionReason.message(ofLine: text) {
      throw DivisionError(isUTF8 ? .malformedJSON : .invalidUTF8, fault)
    }
    guard let tree = try? JSONTree(parsing: text) else { throw DivisionError(.malformedJSON, "the line is not JSON") }
    guard tree.fields != nil else {
      throw DivisionError(.notAnObject, "the line is \(tree.kindName); expected a JSON object")
    }
    try expectKeysOnce(tree)
    return tree.withoutNulls
  }

  /// Throws if a key that the specification defines occurs twice in a line's object or in one of its terms.
  static func expectKeysOnce(_ tree: JSONTree) throws(DivisionError) {
    let terms = (tree.fields ?? []).filter { $0.name == "terms" }.flatMap { $0.value.elements ?? [] }
    let ofLine = ["id", "amount", "currency", "terms", "convention", "ratios", "step", "rounding"]
    let repeated =
      tree.repeatedField(among: ofLine)
      ?? terms.lazy.compactMap { $0.repeatedField(among: SplitDivision.termKeys) }.first
    if let repeated { throw DivisionError(.duplicateField, "\(repeated) is given twice in one object") }
  }
}

extension JSONTree {
  /// The tree without fields that are null, as they count as absent.
  var withoutNulls: JSONTree {
    switch self {
    case .array(let elements): .array(elements.map(\.withoutNulls))
    case .object(let fields):
      .object(
        fields.compactMap { name, value in
          if case .null = value { nil } else { (name: name, value: value.withoutNulls) }
        })
    default: self
    }
  }

  /// The text of a number, as written, or of a string; nil for anything else.
  var literal: [UInt8]? {
    switch self {
    case .number(let text), .string(let text): text
    default: nil
    }
  }
}
