import TestSupport

/// Random JSON texts on one line, with white space, escapes and characters of every length.
struct RandomJSON {
  var random: SeededGenerator

  private mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
  private mutating func pick(_ texts: [String]) -> String { texts[below(texts.count)] }

  mutating func text() -> [UInt8] {
    Array((space() + (below(4) == 0 ? value(depth: 0) : object(depth: 0)) + space()).utf8)
  }

  /// One byte changed, inserted or removed; no line feed.
  mutating func mutated(_ text: [UInt8]) -> [UInt8] {
    let marks =
      Array(#"{}[]",:\ 0129.eE+-tfnu/"#.utf8) + [
        0x00, 0x09, 0x0D, 0x1F, 0x7F, 0x80, 0xBF, 0xC0, 0xE2, 0xED, 0xF4, 0xFF,
      ]
    var byte = below(2) == 0 ? marks[below(marks.count)] : UInt8.random(in: 0...255, using: &random)
    if byte == 0x0A { byte = 0x20 }
    var text = text
    let place = below(text.count + 1)
    switch below(3) {
    case 0: text.insert(byte, at: place)
    case 1 where place < text.count: text[place] = byte
    case 2 where place < text.count: text.remove(at: place)
    default: text.append(byte)
    }
    return text
  }

  private mutating func space() -> String { below(3) == 0 ? pick([" ", "\t", "\r", "  ", "\r \t"]) : "" }

  private mutating func value(depth: Int) -> String {
    switch below(depth < 5 ? 8 : 5) {
    case 0: return pick(["true", "false", "null"])
    case 1, 2: return number()
    case 3, 4: return string()
    case 5, 6: return object(depth: depth)
    default:
      let elements = (0..<below(4)).map { _ in space() + value(depth: depth + 1) + space() }
      return "[" + (elements.isEmpty ? space() : elements.joined(separator: ",")) + "]"
    }
  }

  private mutating func object(depth: Int) -> String {
    let fields = (0..<below(5)).map { _ in
      space() + name() + space() + ":" + space() + value(depth: depth + 1) + space()
    }
    return "{" + (fields.isEmpty ? space() : fields.joined(separator: ",")) + "}"
  }

  /// Names that the scanner knows, so that it reads their values, and others.
  private mutating func name() -> String {
    let known = [
      "payKey", "receiverPaymentDetails", "invoiceData", "invoiceItems", "recipient", "totalTax", "name", "type",
    ]
    return below(2) == 0 ? "\"\(pick(known))\"" : string()
  }

  private mutating func number() -> String {
    let whole = pick(["0", "-0", "7", "-12", "123456789012345678901"])
    return whole + pick(["", "", ".0", ".25", ".000000000000000000001"]) + pick(["", "", "e1", "E+2", "e-3", "E007"])
  }

  private mutating func string() -> String {
    let pieces = [
      "a", "payKey", " ", "0", "é", "€", "😀", "\u{7F}", "\u{2028}", #"\""#, #"\\"#, #"\/"#, #"\b\f"#, #"\n\r\t"#,
      #"\u0041"#, #"\u00e9"#, #"\ud83d\uDE00"#, #"\u0000"#, "abcdefgh", "{", "]", ",",
    ]
    return "\"" + (0..<below(9)).map { _ in pick(pieces) }.joined() + "\""
  }
}
