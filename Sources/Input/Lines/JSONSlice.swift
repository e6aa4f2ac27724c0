/// The kind of JSON value at a place of a line.
public enum JSONKind: UInt8, Sendable {
  /// There is no value: the field is not in the object.
  case absent
  /// `null`, which counts as absent everywhere except in the check for duplicate fields.
  case null
  /// A string; the slice does not include its quotes.
  case string
  /// A number, as written.
  case number
  case yes
  case no
  /// An object, braces included.
  case object
  /// An array, brackets included.
  case array

  /// The JSON type, as messages name it.
  public var words: StaticString {
    switch self {
    case .absent, .null: "null"
    case .string: "a string"
    case .number: "a number"
    case .yes, .no: "a boolean"
    case .object: "an object"
    case .array: "an array"
    }
  }
}

/// Where a JSON value is in its line: an offset and a length in bytes, never a copy.
///
/// The slice of an absent value is all zero bytes. Lines are at most 1 MiB, so 28 bits hold any length.
@frozen public struct JSONSlice: BitwiseCopyable, Sendable {
  /// The offset of the value's first byte (of a string: the byte after its quote) in the line.
  public let start: UInt32
  @usableFromInline let meta: UInt32

  /// A value of `length` bytes at `start`.
  @inlinable
  public init(_ kind: JSONKind, start: Int, length: Int, escaped: Bool = false) {
    assert(start >> 32 == 0 && length >> 28 == 0)
    self.start = UInt32(truncatingIfNeeded: start)
    meta = UInt32(truncatingIfNeeded: length << 4) | (escaped ? 8 : 0) | UInt32(kind.rawValue)
  }

  /// No value.
  @inlinable
  public static var absent: JSONSlice { JSONSlice(.absent, start: 0, length: 0) }

  @inlinable @inline(__always)
  public var kind: JSONKind {
    // Three bits hold the eight kinds. This compiles to those bits; `JSONKind(rawValue:)` would be a call.
    switch meta & 7 {
    case 0: .absent
    case 1: .null
    case 2: .string
    case 3: .number
    case 4: .yes
    case 5: .no
    case 6: .object
    default: .array
    }
  }

  /// Whether a string has escapes, so that it must still be unescaped.
  @inlinable
  public var isEscaped: Bool { meta & 8 != 0 }

  /// The length of the value in bytes.
  @inlinable
  public var length: Int { Int(meta >> 4) }

  /// Whether there is no value, or `null`.
  @inlinable
  public var isAbsent: Bool { meta & 7 <= 1 }
}
