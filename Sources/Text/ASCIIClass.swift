import Bytes

/// The contexts in which an ASCII character may occur. A byte of 0x80 or above is in no class.
public enum ASCIIClass {
  /// A letter or digit.
  public static let alphanumeric: UInt8 = 1
  /// A character of a pay key or batch identifier: a letter, a digit, `.`, `_` or `-`.
  public static let identifier: UInt8 = 2
  /// A character of an email address before its `@`.
  public static let localPart: UInt8 = 4
  /// A character of a host name: a letter, a digit, `.` or `-`.
  public static let host: UInt8 = 8
  /// A visible character, `!` to `~`.
  public static let visible: UInt8 = 16
  public static let digit: UInt8 = 32

  /// The classes of a byte, as a set of the bits above.
  @inlinable
  public static func of(_ byte: UInt8) -> UInt8 { table.bytes[Int(byte)] }

  // Sixteen bytes per row. It is a static string, so that the table needs no initialiser at run time.
  @inlinable static var table: StaticString {
    """
    \u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\
    \u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\
    \u{00}\u{14}\u{10}\u{14}\u{14}\u{14}\u{14}\u{14}\u{10}\u{10}\u{14}\u{14}\u{10}\u{1E}\u{1E}\u{14}\
    \u{3F}\u{3F}\u{3F}\u{3F}\u{3F}\u{3F}\u{3F}\u{3F}\u{3F}\u{3F}\u{10}\u{10}\u{10}\u{14}\u{10}\u{14}\
    \u{10}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\
    \u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{10}\u{10}\u{10}\u{14}\u{16}\
    \u{10}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\
    \u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}\u{14}\u{14}\u{14}\u{14}\u{00}\
    \u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\
    \u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\
    \u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\
    \u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\
    \u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\
    \u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\
    \u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\
    \u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}\u{00}
    """
  }
}
