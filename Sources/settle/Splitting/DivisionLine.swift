import BatchRun
import ExactArithmetic
import JSON
import Rules
import Text

/// Why a line cannot be divided: a code, and the field it points at, as a JSON Pointer.
struct DivisionError: Error {
  let code: String
  var field: String?

  init(_ code: String, at field: String? = nil) {
    self.code = code
    self.field = field
  }

  init(_ reason: RejectionReason, at field: String? = nil) { self.init(reason.code.description, at: field) }
}

/// A line of `settle split` (`split-command.md`): what it is and what becomes of it.
enum DivisionLine {
  /// Divides a line and appends what becomes of it; true if it has an error.
  static func divide(_ record: BatchRecord, into text: inout TextBuffer) -> Bool {
    var answer: [(String, JSONTree)] = []
    do throws(DivisionError) {
      let line = try read(record)
      if let id = line["id"], case .string = id { answer.append(("id", id)) }
      let parts = line["convention"] == nil ? try SplitDivision(line).parts() : try ConventionDivision.parts(line)
      answer.append(("parts", .array(parts.map { .string($0.description) })))
    } catch {
      answer.append(("error", .string(error.code)))
      if let field = error.field { answer.append(("field", .string(field))) }
    }
    JSONTree.object(answer).write(to: &text)
    return answer.contains { $0.0 == "error" }
  }

  /// The line's object; throws the structural error that it has.
  private static func read(_ record: BatchRecord) throws(DivisionError) -> JSONTree {
    if record.isTooLong { throw DivisionError(.recordTooLong) }
    guard UTF8Text.isValid(record.text, count: record.length) else { throw DivisionError(.invalidUTF8) }
    guard let tree = try? JSONTree(parsing: Array(UnsafeBufferPointer(start: record.text, count: record.length))) else {
      throw DivisionError(.malformedJSON)
    }
    guard tree.fields != nil else { throw DivisionError(.notAnObject) }
    try expectKeysOnce(tree)
    return tree.withoutNulls
  }

  /// Throws if a key of the page stands twice in a line's object or in one of its terms.
  static func expectKeysOnce(_ tree: JSONTree) throws(DivisionError) {
    let terms = (tree.fields ?? []).filter { $0.name == "terms" }.flatMap { $0.value.elements ?? [] }
    let ofLine = ["id", "amount", "currency", "terms", "convention", "ratios", "step", "rounding"]
    guard tree.repeatedField(among: ofLine) == nil,
      terms.allSatisfy({ $0.repeatedField(among: SplitDivision.termKeys) == nil })
    else { throw DivisionError(.duplicateField) }
  }
}

extension JSONTree {
  /// The tree without fields that are null: they count as absent.
  fileprivate var withoutNulls: JSONTree {
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

  /// The text of a number, as written, or of a string; nil of anything else.
  var literal: [UInt8]? {
    switch self {
    case .number(let text), .string(let text): text
    default: nil
    }
  }
}
