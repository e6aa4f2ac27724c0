import Bytes

/// Texts in URLs (RFC 3986).
public enum PercentEncoding {
  /// A text with `%` and two digits instead of each byte that is not kept.
  public static func encoded(_ text: some Sequence<UInt8>, keeping isKept: (UInt8) -> Bool) -> String {
    let bytes = text.flatMap { isKept($0) ? [$0] : Array("%\(Hexadecimal.text([$0]).uppercased())".utf8) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a byte is never encoded: a letter, a digit, `-`, `.`, `_` or `~`.
  public static func isUnreserved(_ byte: UInt8) -> Bool {
    ASCIIClass.of(byte) & ASCIIClass.alphanumeric != 0 || "-._~".utf8.contains(byte)
  }
}
