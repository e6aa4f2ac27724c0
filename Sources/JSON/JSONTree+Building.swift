import Text

// Trees that are built and written instead of read.
extension JSONTree: ExpressibleByDictionaryLiteral, CustomStringConvertible {
  /// An object with its fields in the order given.
  public init(dictionaryLiteral fields: (String, JSONTree)...) { self = .object(fields) }

  /// An object with its fields in the order given.
  public static func object(_ fields: [(String, JSONTree)]) -> JSONTree {
    .object(fields.map { (name: Array($0.utf8), value: $1) })
  }

  public static func string(_ text: String) -> JSONTree { .string(Array(text.utf8)) }

  /// A whole number.
  public static func number(_ count: Int) -> JSONTree { .number(Array("\(count)".utf8)) }

  /// The tree as JSON on one line, without spaces.
  public var description: String { TextBuffer.string(write) }

  /// Appends the tree as JSON, without spaces.
  public func write(to text: inout TextBuffer) {
    switch self {
    case .null: text.append("null")
    case .boolean(let value): text.append(value ? "true" : "false")
    case .number(let digits): text.append(digits.span)
    case .string(let characters): JSONText.append(characters.span, to: &text)
    case .array(let elements):
      for (place, element) in elements.enumerated() {
        text.append(place == 0 ? "[" : ",")
        element.write(to: &text)
      }
      text.append(elements.isEmpty ? "[]" : "]")
    case .object(let fields):
      for (place, field) in fields.enumerated() {
        text.append(place == 0 ? "{" : ",")
        JSONText.append(field.name.span, to: &text)
        text.append(":")
        field.value.write(to: &text)
      }
      text.append(fields.isEmpty ? "{}" : "}")
    }
  }
}

// Access to a tree's contents.
extension JSONTree {
  /// The value of an object's first field with a name, or nil.
  public subscript(name: String) -> JSONTree? {
    guard case .object(let fields) = self else { return nil }
    return fields.first { $0.name.elementsEqual(name.utf8) }?.value
  }

  /// An array's elements; nil for anything else.
  public var elements: [JSONTree]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// An object's fields; nil for anything else.
  public var fields: [(name: String, value: JSONTree)]? {
    guard case .object(let fields) = self else { return nil }
    return fields.map { (String(decoding: $0.name, as: UTF8.self), $0.value) }
  }

  /// The first of `names` that occurs more than once in an object; nil if none does, or it is not an object.
  public func repeatedField(among names: [String]) -> String? {
    guard case .object(let fields) = self else { return nil }
    return names.first { name in fields.count { $0.name.elementsEqual(name.utf8) } > 1 }
  }

  /// A string's characters; nil for anything else.
  public var string: String? {
    guard case .string(let characters) = self else { return nil }
    return String(decoding: characters, as: UTF8.self)
  }

  /// True or false; nil for anything else.
  public var boolean: Bool? {
    guard case .boolean(let value) = self else { return nil }
    return value
  }

  /// A whole number of zero or more; nil for anything else.
  public var count: Int? {
    guard case .number(let digits) = self, let count = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
    return count >= 0 ? count : nil
  }
}
