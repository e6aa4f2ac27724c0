import ExactArithmetic
import JSON
import Money
import Records

/// A file of one JSON object on one line.
package protocol JSONDocument: JSONObject {
  /// The finding for an object that is another one.
  static var isAnother: String { get }
}

extension JSONField {
  /// A number of things.
  package init(count name: String, _ path: WritableKeyPath<Object, Int>) {
    self.init(name) {
      .number($0[keyPath: path])
    } read: { (object, node) throws(JSONFault) in
      object[keyPath: path] = try node.value("zero or more", \.count)
    }
  }

  /// A day, as `YYYY-MM-DD`.
  package init(day name: String, _ path: WritableKeyPath<Object, String>) {
    self.init(text: name, path, "a day", { $0 }, { CalendarDay($0) == nil ? nil : $0 })
  }

  /// An array without the elements that are something else: comparing the file with what is written finds those.
  package init<Element: JSONValue>(known name: String, _ path: WritableKeyPath<Object, [Element]>) {
    self.init(name) {
      $0[keyPath: path].json
    } read: { (object, node) throws(JSONFault) in
      object[keyPath: path] = try node.elements().compactMap { try? Element(reading: $0) }
    }
  }
}

/// The length of a file that was read and its SHA-256.
package struct StoredDigest: JSONObject {
  package private(set) var bytes = 0
  package private(set) var sha256 = ""

  package init() {}

  package init(_ stored: (bytes: Int, sha256: String)) { (bytes, sha256) = stored }

  package static var fields: [JSONField<Self>] { [.init(count: "bytes", \.bytes), .init("sha256", \.sha256)] }
}

extension JSONTree: JSONValue {
  package init(reading node: JSONNode) throws(JSONFault) { self = try node.value("a value") { $0 } }

  package var json: JSONTree { self }
}

extension Currency: JSONValue {
  package init(reading node: JSONNode) throws(JSONFault) {
    guard let currency = Currency(code: try node.string()) else { throw node.fault("it names an unknown currency") }
    self = currency
  }

  package var json: JSONTree { .string(code) }
}

extension ExactDecimal: JSONValue {
  package init(reading node: JSONNode) throws(JSONFault) {
    self = try node.value("an amount") { $0.string.flatMap { ExactDecimal($0) } }
  }

  package var json: JSONTree { .string(description) }
}
