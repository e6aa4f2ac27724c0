import JSON
import Text

/// Why a line is not JSON in UTF-8. The scanner only reports that it is not.
struct LineFault {
  /// The unexpected byte, where it is, and what was expected there.
  let words: String
  /// The encoding that the line looks like, if it is not UTF-8.
  let encoding: ForeignEncoding?

  /// Looks for the fault of a line; nil if the part at hand has none.
  ///
  /// - Parameters:
  ///   - name: what messages call the line.
  ///   - isCut: whether the line goes on after `line`.
  init?(of line: [UInt8], named name: String = "the line", isCut: Bool = false) {
    let valid = UTF8Text.validLength(line.span)
    if let encoding = ForeignEncoding(wide: line) {
      let byte = Self.shown(line[encoding.offset])
      self.encoding = encoding
      words =
        "\(byte) at offset \(encoding.offset) of \(name) is not JSON; it looks like \(encoding.name); expected UTF-8"
    } else if valid < line.count {
      if isCut, line.count - valid < 4 { return nil }
      let broken = Self.broken(line[valid...])
      encoding = broken == nil ? ForeignEncoding(of: line[valid], at: valid) : nil
      let reason = broken ?? Self.reason(line[valid], encoding)
      words = "\(Self.shown(line[valid])) at offset \(valid) of \(name) is not UTF-8; \(reason)"
    } else {
      guard let fault = JSONReader.fault(in: line), fault.offset < line.count || !isCut else { return nil }
      let found =
        fault.offset < line.count
        ? "\(Self.shown(line[fault.offset...])) at offset \(fault.offset) of \(name)"
        : "\(name) ends at offset \(fault.offset)"
      encoding = nil
      let expected = fault.expected == "the end of the text" ? "the end of the line" : fault.expected
      words = "\(found); expected \(expected)" + (Self.hint(line, fault.offset).map { "; \($0)" } ?? "")
    }
  }

  // MARK: Not UTF-8

  private static func shown(_ byte: UInt8) -> String {
    "byte 0x" + String(UInt16(byte) + 0x100, radix: 16, uppercase: true).dropFirst()
  }

  /// What is wrong with bytes that look like a UTF-8 character; nil if they do not look like one.
  private static func broken(_ bytes: ArraySlice<UInt8>) -> String? {
    guard let lead = bytes.first, 0xE0...0xF4 ~= lead else { return nil }
    let length = lead < 0xF0 ? 3 : 4
    let count = 1 + bytes.dropFirst().prefix(length - 1).prefix { $0 & 0xC0 == 0x80 }.count
    if count > 1, count < length { return "it begins a character that is cut off" }
    return count == length && lead == 0xED ? "it looks like CESU-8, which has halves of characters" : nil
  }

  private static func reason(_ byte: UInt8, _ encoding: ForeignEncoding?) -> String {
    guard let encoding, let character = ForeignEncoding.character(byte) else { return "it is not Windows-1252 either" }
    return "it looks like \(encoding.name), where it is \(MessageText.quoted("\(character)".utf8))"
  }

  // MARK: Not JSON

  /// The character that bytes of a line begin with. Digits are not shown: they may be part of a card's code.
  private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
    guard let byte = bytes.first else { return "" }
    if ASCIIClass.of(byte) & ASCIIClass.digit != 0 { return "a digit" }
    if byte < 0x20 || byte == 0x7F { return shown(byte) }
    return MessageText.quoted(bytes.prefix(1) + bytes.dropFirst().prefix { $0 & 0xC0 == 0x80 })
  }

  /// The usual reason for the fault; nil if it is not known.
  private static func hint(_ line: [UInt8], _ offset: Int) -> StaticString? {
    func isInk(_ byte: UInt8) -> Bool { byte > 0x20 }
    if offset < line.count {
      let before = line[..<offset].reversed().prefix { !isInk($0) }
      switch line[offset] {
      case 0x00: return "NUL is not text: was the file written to its end?"
      case 0x1A: return "this is Ctrl-Z, which marks the end of a file in DOS; leave it out"
      case UInt8(ascii: "'"): return "JSON uses double quotes"
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if line[..<offset].last(where: isInk) == UInt8(ascii: ",") { return "JSON allows no comma before it" }
      case 0xEF where line[offset...].starts(with: [0xEF, 0xBB, 0xBF]):
        return "a byte order mark is allowed only at the start of a file"
      case _ where before.contains(0x0D) && line[..<offset].last(where: isInk) == UInt8(ascii: "}"):
        return #"lines end in CR alone; expected LF or CR LF (tr '\r' '\n' converts them)"#
      default: break
      }
    }
    let isPart = [UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(line.first(where: isInk))
    return isPart || offset >= line.count ? "a record is one line" : nil
  }
}
