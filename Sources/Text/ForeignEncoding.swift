/// The probable encoding of a text that is not UTF-8.
public struct ForeignEncoding: Equatable, Sendable {
  public let name: String
  public let iconvName: String
  /// The offset of the first byte that indicates it.
  public let offset: Int

  private init(_ name: String, _ iconvName: String? = nil, at offset: Int) {
    self.name = name
    self.iconvName = iconvName ?? name
    self.offset = offset
  }

  /// The encoding of a text with several bytes per character, recognized by its byte order mark or its NUL bytes: the
  /// first two characters of a line of JSON are ASCII. Nil if it does not look like one.
  ///
  /// Without a byte order mark, the byte order is known only if the text begins at the start of the file: a line feed
  /// leaves its other bytes to the next line, or to its own.
  public init?(wide text: [UInt8]) {
    switch text.prefix(4) {
    case [0xFF, 0xFE, 0x00, 0x00]: self.init("UTF-32LE", at: 0)
    case [0x00, 0x00, 0xFE, 0xFF]: self.init("UTF-32BE", at: 0)
    case let start where start.starts(with: [0xFF, 0xFE]): self.init("UTF-16LE", at: 0)
    case let start where start.starts(with: [0xFE, 0xFF]): self.init("UTF-16BE", at: 0)
    case let start where start.count == 4:
      switch start.map({ $0 == 0 }) {
      case [false, true, false, true]: self.init("UTF-16LE", at: 1)
      case [true, false, true, false]: self.init("UTF-16", "UTF-16BE", at: 0)
      case [false, true, true, true]: self.init("UTF-32LE", at: 1)
      case [true, true, true, false]: self.init("UTF-32", "UTF-32BE", at: 0)
      default: return nil
      }
    default: return nil
    }
  }

  /// The encoding of a text with one byte per character, in which a byte is not UTF-8; nil if Windows-1252 does not
  /// have the byte.
  public init?(of byte: UInt8, at offset: Int) {
    guard Self.character(byte) != nil else { return nil }
    self.init(byte < 0xA0 ? "Windows-1252" : "Windows-1252 or Latin-1", "WINDOWS-1252", at: offset)
  }

  /// The character that a byte of 0x80 or above has in Windows-1252; nil if it has none.
  public static func character(_ byte: UInt8) -> Unicode.Scalar? {
    if byte >= 0xA0 { return Unicode.Scalar(byte) }
    let scalar = Array("€?‚ƒ„…†‡ˆ‰Š‹Œ?Ž??‘’“”•–—˜™š›œ?žŸ".unicodeScalars)[Int(byte) - 0x80]
    return scalar == "?" ? nil : scalar
  }
}
