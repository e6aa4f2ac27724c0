/// Bytes as lower-case hexadecimal digits.
public enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  /// Two digits per byte.
  public static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// The sixteen digits of a word, the highest first.
  public static func text(_ word: UInt64) -> String {
    text(stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) })
  }

  /// Appends the sixteen digits of a word, the highest first.
  @inlinable
  public static func append(_ word: UInt64, to output: inout OutputSpan<UInt8>) {
    for shift in stride(from: UInt64(60), through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: word >> shift & 15)
      output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  /// The bytes that lower-case digits spell; nil if the text is something else.
  public static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
    let values = text.compactMap { digits.firstIndex(of: $0) }
    guard values.count == text.count, values.count % 2 == 0 else { return nil }
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }
}
