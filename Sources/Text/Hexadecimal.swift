/// Bytes as lower-case hexadecimal digits.
public enum Hexadecimal {
  /// Two digits for each byte.
  public static func text(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// The sixteen digits of a word, the highest first.
  public static func text(_ word: UInt64) -> String {
    withUnsafeBytes(of: word.bigEndian) { text($0) }
  }

  /// The bytes of lower-case digits; nil where they are none.
  public static func bytes(_ digits: some Collection<UInt8>) -> [UInt8]? {
    func value(_ digit: UInt8) -> UInt8? {
      switch digit {
      case 0x30...0x39: digit - 0x30
      case 0x61...0x66: digit - 0x57
      default: nil
      }
    }
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in digits {
      guard let value = value(digit) else { return nil }
      if let upper = high {
        bytes.append(upper << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }
}
