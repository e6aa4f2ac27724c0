/// A value of a JSON document and where it is, so that a fault says where.
package struct JSONNode: Sendable {
  /// The value; nil if an object does not have the field.
  package let found: JSONTree?
  package let path: JSONPath

  package init(_ document: JSONTree) { self.init(document, .root) }

  package init(_ found: JSONTree?, _ path: JSONPath) { (self.found, self.path) = (found, path) }

  /// The value, or null.
  package var tree: JSONTree { found ?? .null }

  /// Whether there is no value, or it is null.
  package var isNull: Bool { if case .null = tree { true } else { false } }

  /// The first field of an object with a name.
  package subscript(name: String) -> JSONNode { JSONNode(tree[name], .field(name, in: path)) }

  // MARK: Objects and arrays

  /// Passes on the fields of an object in order; throws if it is not an object, and at a name that occurs again.
  package func forEachField(_ take: (String, JSONNode) throws(JSONFault) -> Void) throws(JSONFault) {
    guard case .object(let fields) = tree else { throw mismatch("an object") }
    var seen: Set<[UInt8]> = []
    for (name, value) in fields {
      let text = String(decoding: name, as: UTF8.self)
      let node = JSONNode(value, .field(text, in: path))
      guard seen.insert(name).inserted else { throw JSONFault(node, .repeated) }
      try take(text, node)
    }
  }

  /// The fields of an object, whose names are all different.
  package func entries() throws(JSONFault) -> [(name: String, node: JSONNode)] {
    var entries: [(name: String, node: JSONNode)] = []
    try forEachField { entries.append(($0, $1)) }
    return entries
  }

  /// An object with all fields of `required`, any of `optional`, and no other.
  ///
  /// - Parameter leavesOutNull: whether a null counts as an absent field.
  package func object(
    required: [String], optional: [String] = [], leavesOutNull: Bool = false
  ) throws(JSONFault) -> JSONNode {
    func contains(_ names: [String], _ name: String) -> Bool { names.contains { $0.utf8.elementsEqual(name.utf8) } }
    let entries = try entries().filter { !leavesOutNull || !$0.node.isNull }
    for (name, node) in entries where !contains(required + optional, name) {
      throw node.unknown(required + optional)
    }
    for name in required where !contains(entries.map(\.name), name) { throw JSONFault(self[name], .missing) }
    return leavesOutNull ? JSONNode(.object(entries.map { ($0.name, $0.node.tree) }), path) : self
  }

  /// The node if there is a value.
  package var given: JSONNode? { found == nil ? nil : self }

  package func elements() throws(JSONFault) -> [JSONNode] {
    guard let elements = tree.elements else { throw mismatch("an array") }
    return elements.enumerated().map { JSONNode($1, .element($0, in: path)) }
  }

  // MARK: Values

  package func string() throws(JSONFault) -> String { try value("a string", \.string) }

  package func boolean() throws(JSONFault) -> Bool { try value("true or false", \.boolean) }

  /// What `read` makes of the value; throws if it makes nothing of it.
  package func value<Value>(_ expected: String, _ read: (JSONTree) -> Value?) throws(JSONFault) -> Value {
    guard let value = found.flatMap(read) else { throw mismatch(expected) }
    return value
  }

  // MARK: Faults

  /// There is no value, or it is of another type.
  package func mismatch(_ expected: String) -> JSONFault {
    JSONFault(self, found == nil ? .missing : .mismatch(expected))
  }

  /// The object takes only fields with other names.
  package func unknown(_ names: [String] = []) -> JSONFault { JSONFault(self, .unknown(names)) }

  package func fault(_ words: String) -> JSONFault { JSONFault(self, .other(words)) }
}

/// What is wrong with a value of a JSON document.
package struct JSONFault: Error {
  package enum Problem: Sendable {
    /// The object has the field's name twice.
    case repeated
    /// The object takes other names.
    case unknown([String])
    case missing
    /// The value is of another type than the one in words.
    case mismatch(String)
    case other(String)
  }

  package let node: JSONNode
  package let problem: Problem

  init(_ node: JSONNode, _ problem: Problem) { (self.node, self.problem) = (node, problem) }
}
