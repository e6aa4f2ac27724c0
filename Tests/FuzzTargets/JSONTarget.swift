import Foundation
import Input
import JSON
import TestOracles

/// A line, read by the scanner, by the tree and by Foundation.
///
/// `JSONOracle` lists which texts Foundation's readers accept or refuse unlike RFC 8259. Their values are compared with
/// the tree's, with two exceptions:
/// - They read numbers as Doubles: these are compared as Doubles, and not at all if they are too large for one.
/// - If two names of an object are equal as Swift strings, including canonically equivalent ones, they keep only one.
enum JSONTarget {
  static func check(_ bytes: [UInt8]) throws(Disagreement) {
    let line = bytes.filter { $0 != 0x0A }
    let memory = GuardedBytes(count: line.count + 32)
    var scanner = RecordScanner()
    let form = scanner.scan(memory.line(line, [0x0A] + Array(repeating: 0xFF, count: 15)), .inPlace)
    let expected = JSONOracle.form(line)
    try require(form == expected, "the scanner says \(form), Foundation \(expected)")
    let tree = try? JSONTree(parsing: line)
    let isJSON = expected == .object || expected == .notAnObject
    try require((tree != nil) == isJSON, "the tree \(tree == nil ? "refuses" : "takes") what is \(expected)")
    guard let tree else { return }
    if let values = try? JSONDecoder().decode(FoundationTree.self, from: Data(line)) {
      try compare(tree, values.value, at: "")
    } else {
      try require(tree.hasNumberBeyondDouble, "Foundation decodes nothing")
    }
  }

  private static func compare(_ tree: JSONTree, _ other: FoundationTree.Value, at path: String) throws(Disagreement) {
    switch (tree, other) {
    case (.null, .null): return
    case (.boolean(let one), .boolean(let two)): try require(one == two, "\(path) is \(one), not \(two)")
    case (.number(let digits), .number(let value)):
      let mine = Double(String(decoding: digits, as: UTF8.self))
      try require(mine == value, "\(path) is \(shown(digits)), not \(value)")
    case (.string(let characters), .string(let value)):
      try require(characters == Array(value.utf8), "\(path) is \(shown(characters)), not \(shown(value.utf8))")
    case (.array(let elements), .array(let values)):
      try require(elements.count == values.count, "\(path) has \(elements.count) elements, not \(values.count)")
      for (index, element) in elements.enumerated() {
        try compare(element, values[index].value, at: "\(path)/\(index)")
      }
    case (.object(let fields), .object(let values)):
      let names = fields.map { String(decoding: $0.name, as: UTF8.self) }
      guard Set(names).count == names.count else { return }
      try require(fields.count == values.count, "\(path) has \(fields.count) fields, not \(values.count)")
      for (name, field) in zip(names, fields) {
        guard let value = values[name] else { throw Disagreement(words: "\(path) has no \(shown(name.utf8))") }
        try compare(field.value, value.value, at: "\(path)/\(shown(name.utf8))")
      }
    default: throw Disagreement(words: "\(path) is \(tree.kindName), not \(other)")
    }
  }
}

extension JSONTree {
  /// Whether it contains a number that is too large for a Double, or so small that a Double cannot tell it from zero.
  fileprivate var hasNumberBeyondDouble: Bool {
    switch self {
    case .number(let digits):
      guard let value = Double(String(decoding: digits, as: UTF8.self)) else { return true }
      return !value.isFinite || value == 0 || !value.isNormal
    case .array(let elements): return elements.contains { $0.hasNumberBeyondDouble }
    case .object(let fields): return fields.contains { $0.value.hasNumberBeyondDouble }
    case .null, .boolean, .string: return false
    }
  }
}

/// Any JSON value, as `JSONDecoder` returns it.
private struct FoundationTree: Decodable {
  indirect enum Value {
    case null
    case boolean(Bool)
    case number(Double)
    case string(String)
    case array([FoundationTree])
    case object([String: FoundationTree])
  }

  let value: Value

  init(from decoder: any Decoder) throws {
    let single = try decoder.singleValueContainer()
    if single.decodeNil() {
      value = .null
    } else if let boolean = try? single.decode(Bool.self) {
      value = .boolean(boolean)
    } else if let text = try? single.decode(String.self) {
      value = .string(text)
    } else if let number = try? single.decode(Double.self) {
      value = .number(number)
    } else if let elements = try? single.decode([FoundationTree].self) {
      value = .array(elements)
    } else {
      value = .object(try single.decode([String: FoundationTree].self))
    }
  }
}
