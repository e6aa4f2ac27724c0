import Text

/// A text in the program that spells a value, as the raw value of an enumeration: each spelling is there once.
///
/// (Unsafe: a literal is never gone, and bytes that are looked up are there during the look-up.)
@safe
public struct FixedText: ExpressibleByStringLiteral, Equatable, @unchecked Sendable {  // Literals never change.
  /// The literal; empty for bytes that are looked up.
  public let text: StaticString
  @usableFromInline let start: UnsafePointer<UInt8>
  @usableFromInline let count: Int

  /// A literal.
  @inlinable
  public init(stringLiteral text: StaticString) {
    self.text = text
    unsafe (start, count) = (text.utf8Start, text.utf8CodeUnitCount)
  }

  /// Bytes to be looked up among the raw values of a type, as long as they are there.
  @inlinable
  init(_ start: UnsafePointer<UInt8>, count: Int) {
    text = ""
    unsafe (self.start, self.count) = (start, count)
  }

  /// Compares the bytes.
  @inlinable @inline(__always)
  public static func == (left: FixedText, right: FixedText) -> Bool {
    unsafe Span(_unsafeStart: left.start, count: left.count).isEqual(
      to: Span(_unsafeStart: right.start, count: right.count))
  }
}

/// A closed set of values, each with a fixed text.
public protocol FixedValue: CaseIterable, Sendable, RawRepresentable where RawValue == FixedText, AllCases == [Self] {}

extension FixedValue {
  /// Its place among the cases, from 0: Swift numbers cases without values in their order.
  @inlinable @inline(__always)
  public var number: UInt8 { unsafe unsafeBitCast(self, to: UInt8.self) }

  /// The value at a place among the cases, or nil.
  public init?(number: UInt8) {
    guard Int(number) < Self.allCases.count else { return nil }
    self = Self.allCases[Int(number)]
  }
}
