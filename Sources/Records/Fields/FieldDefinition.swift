import Bytes
import Text

/// A field in the tables of `batch.md`: its name, its JSON type, and its values in the words of messages.
public struct FieldDefinition: Sendable {
  /// The JSON type of a field.
  public enum Shape: Sendable {
    case string
    /// `true` or `false`.
    case boolean
    /// A decimal, as a number or a string.
    case decimal
    /// A number written as 1 to 9 digits only.
    case count
    /// A value of a header or trailer, which `BatchEnvelope` reads itself.
    case envelope
    case object(FieldLevel)
    /// An array of objects with fields of their own.
    case objects(FieldLevel)
    /// An object with fields of its own, or an array of objects with others, depending on the payment's shape.
    case objectOrObjects(FieldLevel, FieldLevel)
  }

  public let name: StaticString
  /// The JSON type.
  public let shape: Shape
  private let words: StaticString
  /// The valid strings, if they are enumerated.
  public let known: [StaticString]

  /// The valid strings, for messages; empty if a field has its own message.
  public var values: String {
    words.utf8CodeUnitCount > 0 ? words.description : MessageText.list(known.map(\.description))
  }

  init(_ name: StaticString, _ shape: Shape, _ values: StaticString = "", known: [StaticString] = []) {
    self.name = name
    self.shape = shape
    words = values
    self.known = known
  }

  /// A string of an enumeration; for a long one, words instead of the list of its values.
  static func value<Value: WireValue>(
    _ name: StaticString, of type: Value.Type, _ values: StaticString = ""
  ) -> FieldDefinition {
    FieldDefinition(name, .string, values, known: Value.allCases.map(\.spelling))
  }

  /// A text with a limited number of characters.
  static func text(_ name: StaticString, _ values: StaticString = "at most 255 characters") -> FieldDefinition {
    FieldDefinition(name, .string, values)
  }

  /// The time of what the record describes.
  static let createdAt = FieldDefinition("createdAt", .string, "an RFC 3339 date-time like 2026-11-20T08:30:00Z")
  /// The address for notifications.
  static let ipnUrl = FieldDefinition("ipnUrl", .string, urlForm)
  /// What an address for notifications must be, in words.
  public static let urlForm: StaticString = "an http or https address of at most 1024 characters"

  /// The expected type, for messages.
  public var expectedType: StaticString {
    switch shape {
    case .string, .envelope: "a string"
    case .boolean: "true or false"
    case .decimal: "a decimal as a number or a string"
    case .count: "a number"
    case .object: "an object"
    case .objects: "an array of objects"
    case .objectOrObjects: "an object in the single shape, else an array of objects"
    }
  }

  /// The level of the objects in it; nil if it has no objects with fields.
  public var level: FieldLevel? {
    switch shape {
    case .object(let level), .objects(let level), .objectOrObjects(let level, _): level
    default: nil
    }
  }

  /// The level of the objects in it, if it is an array; nil if it cannot be one.
  public var elementLevel: FieldLevel? {
    switch shape {
    case .objects(let level), .objectOrObjects(_, let level): level
    default: nil
    }
  }
}

/// The fields of one level, one case each, in the order of their names' bytes: paths sort by it (`FieldPath`).
public protocol LevelField: NumberedCase, Sendable {
  /// Its name, type and valid values.
  var definition: FieldDefinition { get }
}

extension LevelField {
  /// Its index among the fields of its level, from 0.
  @inlinable @inline(__always)
  public var slot: Int { Int(caseNumber) }
}
