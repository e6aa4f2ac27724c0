import Bytes
import Text

/// A text in the program that spells a value, as the raw value of an enumeration: each spelling is there once.
///
/// (Unsafe: a literal is never gone, and bytes that are looked up stay there during the look-up, and no value keeps them.)
@safe
public struct FixedText: ExpressibleByStringLiteral, Equatable, @unchecked Sendable {  // Literals never change.
  /// The literal; empty for bytes that are looked up.
  public let text: StaticString
  @usableFromInline let start: UnsafePointer<UInt8>
  @usableFromInline let count: Int

  @inlinable
  public init(stringLiteral text: StaticString) {
    self.text = text
    unsafe (start, count) = (text.utf8Start, text.utf8CodeUnitCount)
  }

  @inlinable
  init(_ start: UnsafePointer<UInt8>, count: Int) {
    text = ""
    unsafe (self.start, self.count) = (start, count)
  }

  /// The value that a text spells, or nil.
  @inlinable
  static func value<Value: FixedValue>(_ text: Span<UInt8>, of type: Value.Type) -> Value? {
    unsafe text.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return nil }
      return unsafe Value(rawValue: FixedText(start, count: bytes.count))
    }
  }

  /// Compares the bytes.
  @inlinable @inline(__always)
  public static func == (left: FixedText, right: FixedText) -> Bool {
    unsafe Span(_unsafeStart: left.start, count: left.count).isEqual(
      to: Span(_unsafeStart: right.start, count: right.count))
  }
}

/// A closed set of values, each with a fixed text.
public protocol FixedValue: NumberedCase, Sendable, RawRepresentable where RawValue == FixedText, AllCases == [Self] {}

extension FixedValue {
  /// Its place among the cases, from 0.
  @inlinable @inline(__always)
  public var number: UInt8 { caseNumber }

  /// The value at a place among the cases, or nil.
  public init?(number: UInt8) {
    guard Int(number) < Self.allCases.count else { return nil }
    self = Self.allCases[Int(number)]
  }
}
