import ExactArithmetic
import JSON
import Money
import Text

/// A value of a fee schedule and the path to it, so that every error says where.
struct FeeScheduleNode {
  let tree: JSONTree
  let path: String
}

extension FeeScheduleNode {
  /// A whole file; a byte order mark at its start is skipped.
  init(parsing json: [UInt8]) throws(FeeScheduleError) {
    let hasByteOrderMark = json.starts(with: [0xEF, 0xBB, 0xBF])
    do {
      self.init(tree: try JSONTree(parsing: hasByteOrderMark ? Array(json.dropFirst(3)) : json), path: "")
    } catch {
      throw FeeScheduleError(path: "", reason: "not JSON at byte \(error.offset): expected \(error.expected)")
    }
  }

  /// Throws if an object inside it has a name twice.
  func expectNamesOnce() throws(FeeScheduleError) {
    for element in tree.elements ?? [] { try FeeScheduleNode(tree: element, path: path).expectNamesOnce() }
    if case .object = tree {
      for (_, node) in try entries() { try node.expectNamesOnce() }
    }
  }

  /// An object whose names are known.
  struct Fields {
    let path: String
    let nodes: [(name: String, node: FeeScheduleNode)]

    /// A required field; `object(required:)` made sure that it exists.
    subscript(name: String) -> FeeScheduleNode {
      guard let node = optional(name) else { preconditionFailure("\(name) is not a required field") }
      return node
    }

    func optional(_ name: String) -> FeeScheduleNode? {
      nodes.first { $0.name.utf8.elementsEqual(name.utf8) }?.node
    }
  }

  /// The object's fields. Throws if a name occurs twice.
  func entries() throws(FeeScheduleError) -> [(name: String, node: FeeScheduleNode)] {
    guard case .object(let fields) = tree else { throw mismatch("an object") }
    var seen: Set<[UInt8]> = []
    var entries: [(name: String, node: FeeScheduleNode)] = []
    for (name, value) in fields {
      let text = String(decoding: name, as: UTF8.self)
      let inner = path.isEmpty ? printable(text) : "\(path).\(printable(text))"
      guard seen.insert(name).inserted else { throw FeeScheduleError(path: inner, reason: "is given twice") }
      entries.append((name: text, node: FeeScheduleNode(tree: value, path: inner)))
    }
    return entries
  }

  /// The object's fields: all of `required` and any of `optional`. Throws if there is another.
  ///
  /// - Parameter leavesOutNull: whether a null counts as an absent key.
  func object(
    required: [String], optional: [String] = [], leavesOutNull: Bool = false
  ) throws(FeeScheduleError) -> Fields {
    let entries = try entries().filter { !leavesOutNull || $0.node.tree.kindName != "null" }
    for (name, node) in entries
    where !(required + optional).contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
      throw FeeScheduleError(
        path: node.path, reason: "unknown key; expected \(MessageText.list(required + optional))")
    }
    for name in required where !entries.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
      throw FeeScheduleError(path: path.isEmpty ? name : "\(path).\(name)", reason: "is missing; it is required")
    }
    return Fields(path: path, nodes: entries)
  }

  func elements() throws(FeeScheduleError) -> [FeeScheduleNode] {
    guard let elements = tree.elements else { throw mismatch("an array") }
    return elements.enumerated().map { FeeScheduleNode(tree: $1, path: "\(path)[\($0)]") }
  }

  func roundingMode() throws(FeeScheduleError) -> RoundingMode {
    guard let mode = RoundingMode(rawValue: try string()) else {
      throw refused("; expected \(MessageText.list(RoundingMode.allCases.map(\.rawValue)))")
    }
    return mode
  }

  /// What refunds do with fees: whether they return them.
  func returns() throws(FeeScheduleError) -> Bool {
    let policy = try string()
    guard ["KEEP", "RETURN"].contains(policy) else { throw refused("; expected KEEP or RETURN") }
    return policy == "RETURN"
  }

  func base() throws(FeeScheduleError) -> FeeBase {
    guard let base = FeeBase(rawValue: try string()) else {
      throw refused("; expected \(MessageText.list(FeeBase.allCases.map(\.rawValue)))")
    }
    return base
  }

  /// An array of different texts, at least one, as the values that `find` finds.
  func values<Value: Hashable>(
    _ expected: String, _ find: (Span<UInt8>) -> Value?
  ) throws(FeeScheduleError) -> [Value] {
    let elements = try elements()
    if elements.isEmpty { throw FeeScheduleError(path: path, reason: "is empty; leave it out if anything fits") }
    var (values, seen): ([Value], Set<Value>) = ([], [])
    for element in elements {
      guard case .string(let text) = element.tree, let value = find(text.span) else {
        throw element.refused("; expected \(expected)")
      }
      guard seen.insert(value).inserted else { throw element.refused(", which is in the array twice") }
      values.append(value)
    }
    return values
  }

  func string() throws(FeeScheduleError) -> String {
    guard case .string(let text) = tree else { throw mismatch("a string") }
    return String(decoding: text, as: UTF8.self)
  }

  func boolean() throws(FeeScheduleError) -> Bool {
    guard case .boolean(let value) = tree else { throw mismatch("true or false") }
    return value
  }

  /// A number that is written as one digit.
  func digit() throws(FeeScheduleError) -> Int {
    guard case .number(let text) = tree, text.count == 1 else { throw refused("; expected a number of one digit") }
    return Int(text[0] - UInt8(ascii: "0"))
  }

  func zeroOrMore() throws(FeeScheduleError) -> ExactDecimal {
    let value = try decimal()
    guard value >= .zero else { throw refused("; expected zero or more") }
    return value
  }

  /// A decimal from 0 to `most`.
  func fraction(of most: Int = 1) throws(FeeScheduleError) -> ExactDecimal {
    let value = try zeroOrMore()
    guard value <= ExactDecimal(most) else {
      throw refused("; expected 0 to \(most)")
    }
    return value
  }

  private func decimal() throws(FeeScheduleError) -> ExactDecimal {
    switch tree {
    case .number, .string: break
    default: throw mismatch("a decimal, as a number or a string")
    }
    guard let value = tree.decimal() else {
      throw refused("; expected a decimal of at most 64 digits and an exponent from -64 to 64")
    }
    return value
  }

  /// The error that its value cannot be used: the value, followed by `words`.
  func refused(_ words: String) -> FeeScheduleError { FeeScheduleError(path: path, reason: "is \(tree.shown)\(words)") }

  private func mismatch(_ expected: String) -> FeeScheduleError {
    FeeScheduleError(path: path, reason: "is \(tree.kindName); expected \(expected)")
  }

  private func printable(_ text: String) -> String { MessageText.text(text.utf8) }
}

extension JSONTree {
  /// The decimal that a number or a string spells, as written; nil if it is neither, or is over the limits.
  public func decimal(digitLimit: Int = DecimalLimits.digits) -> ExactDecimal? {
    switch self {
    case .number(let text), .string(let text): DecimalLimits.decimal(text, digitLimit: digitLimit)
    default: nil
    }
  }
}
