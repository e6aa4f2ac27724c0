/// A JSON text as a tree, for the few texts that are read once: fee schedules, headers and trailers, requests to
/// import.
///
/// Names and strings are bytes, because Swift strings with canonically equivalent spellings compare as equal, and these
/// must not. Repeated names are all kept; numbers stay as written.
public indirect enum JSONTree: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case boolean(Bool)
  /// A number, as written.
  case number([UInt8])
  /// A string's characters as UTF-8.
  case string([UInt8])
  case array([JSONTree])
  /// An object's fields, in order.
  case object([(name: [UInt8], value: JSONTree)])

  /// Where and why a text is not JSON.
  public struct SyntaxError: Error, Sendable {
    /// The offset of the first byte that is not allowed there.
    public let offset: Int
    /// What was expected.
    public let expected: String
  }

  /// Reads a text of exactly one RFC 8259 value of at most 64 levels, with white space and line ends around it.
  public init(parsing text: [UInt8]) throws(SyntaxError) {
    if text.starts(with: [0xEF, 0xBB, 0xBF]) {
      throw SyntaxError(offset: 0, expected: "JSON without a byte order mark")
    }
    var reader = JSONReader(text)
    self = try reader.next()
    try reader.expectEnd()
  }

  /// The kind of value, for messages: `a string`, `an object`.
  public var kindName: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
