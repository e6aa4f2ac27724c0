import JSON
import Records
import Text

/// A second look at a line that is not a JSON object or has a field twice: the scanner only reports the fact.
extension Judgement {
  /// Appends where the line stops being JSON in UTF-8, and what was expected there.
  func writeFault(_: Finding, to text: inout TextBuffer) {
    text.append(LineFault(of: lineBytes)?.words ?? "the line is not one JSON value")
  }

  /// Appends the kind of JSON value that a line is instead of an object.
  func writeKind(_: Finding, to text: inout TextBuffer) {
    text.append(
      "the line is \((try? JSONTree(parsing: lineBytes))?.kindName ?? "another value"); expected a JSON object")
  }

  /// Appends which field is given twice.
  func writeDuplicate(_: Finding, to text: inout TextBuffer) {
    let tree = try? JSONTree(parsing: lineBytes)
    text.append(tree.flatMap { duplicate(in: $0, .record) } ?? "a field", " is given twice in one object")
  }

  /// The first known field that occurs twice in an object of a level, or in an object inside it.
  private func duplicate(in object: JSONTree, _ level: FieldLevel) -> StaticString? {
    guard case .object(let fields) = object else { return nil }
    let definitions = record.definitions(of: level)
    let names = definitions.map(\.name)
    var seen: Set<Int> = []
    for (name, value) in fields {
      guard let known = names.firstIndex(where: { $0.matches(name.span) }) else { continue }
      let field = definitions[known]
      guard seen.insert(known).inserted else { return field.name }
      let inner: FieldLevel? =
        switch (field.shape, value) {
        case (.object(let level), .object), (.objectOrObjects(let level, _), .object): level
        case (_, .array): field.elementLevel
        default: nil
        }
      guard let inner else { continue }
      for object in value.elements ?? [value] {
        if let name = duplicate(in: object, inner) { return name }
      }
    }
    return nil
  }

  private var lineBytes: [UInt8] { Array(record.scanner.line) }
}
