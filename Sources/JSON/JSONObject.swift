/// A value that is written as JSON and read again.
package protocol JSONValue {
  /// Throws if the value is missing or another one.
  init(reading node: JSONNode) throws(JSONFault)
  var json: JSONTree { get }
}

/// An object of a JSON file. Its table says once what its fields are called and where their values are.
package protocol JSONObject: JSONValue {
  init()
  /// In the order in which they are written.
  static var fields: [JSONField<Self>] { get }
}

extension JSONObject {
  package init(reading node: JSONNode) throws(JSONFault) {
    self.init()
    try read(Self.fields, node)
  }

  /// Reads some of the fields.
  mutating func read(_ fields: [JSONField<Self>], _ node: JSONNode) throws(JSONFault) {
    for field in fields { try field.read(&self, node[field.name]) }
  }

  package var json: JSONTree { .object(namedValues) }

  package var namedValues: [(String, JSONTree)] { values(of: Self.fields) }

  /// The values of some of the fields, with their names.
  package func values(of fields: [JSONField<Self>]) -> [(String, JSONTree)] {
    fields.compactMap { field in field.write(self).map { (field.name, $0) } }
  }
}

// MARK: Values

extension Int: JSONValue {
  package init(reading node: JSONNode) throws(JSONFault) {
    self = try node.value("a whole number") { tree in
      guard case .number(let digits) = tree else { return nil }
      return Int(String(decoding: digits, as: UTF8.self))
    }
  }

  package var json: JSONTree { .number(self) }
}

extension Bool: JSONValue {
  package init(reading node: JSONNode) throws(JSONFault) { self = try node.boolean() }

  package var json: JSONTree { .boolean(self) }
}

extension String: JSONValue {
  package init(reading node: JSONNode) throws(JSONFault) { self = try node.string() }

  package var json: JSONTree { .string(self) }
}

extension Optional: JSONValue where Wrapped: JSONValue {
  package init(reading node: JSONNode) throws(JSONFault) { self = node.isNull ? nil : try Wrapped(reading: node) }

  package var json: JSONTree { map(\.json) ?? .null }
}

extension Array: JSONValue where Element: JSONValue {
  package init(reading node: JSONNode) throws(JSONFault) {
    self = try node.elements().map { element throws(JSONFault) in try Element(reading: element) }
  }

  package var json: JSONTree { .array(map(\.json)) }
}
