import Text

/// Texts in the characters that banks accept: `A-Z a-z 0-9 / - ? : ( ) . , ' +` and space (`payouts.md`, Names).
package enum BankText {
  /// The most characters of a payee's name.
  package static let nameLimit = 70

  /// The replacement of each character: its length in the lowest byte, then up to three bytes; 0 if it has none.
  private static let replacements: [UInt32] = {
    var table = [UInt32](repeating: 0, count: 0x2100)
    for byte in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-?:().,'+ ".utf8 {
      table[Int(byte)] = 1 | UInt32(byte) << 8
    }
    var record = CSVRecord()
    for line in PackageResources.latin_csv.split(separator: 0x0A).dropFirst() {
      let isRecord = record.split(line.span)
      precondition(isRecord && record.count == 2 && record[1].count <= 3, "latin.csv has such a row")
      let point = Int(String(decoding: record[0]), radix: 16)!
      // An empty replacement means that the character is left out: its length is an impossible value.
      table[point] = record[1].isEmpty ? 4 : UInt32(record[1].count)
      for place in 0..<record[1].count { table[point] |= UInt32(record[1][place]) << UInt32(8 * place + 8) }
    }
    return table
  }()

  /// Why a text cannot be written in these characters.
  package enum Fault {
    /// A character without a replacement, and its place, from 1.
    case character(Unicode.Scalar, place: Int)
    /// No letter or digit is left.
    case noLetter

    var message: String {
      switch self {
      case .character(let scalar, let place):
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        return "banks do not take \(code), the \(Self.ordinal(place)) character; remove or replace it"
      case .noLetter: return "expected a letter or digit"
      }
    }

    private static func ordinal(_ number: Int) -> String {
      switch (number % 10, number % 100) {
      case (_, 11...13): "\(number)th"
      case (1, _): "\(number)st"
      case (2, _): "\(number)nd"
      case (3, _): "\(number)rd"
      default: "\(number)th"
      }
    }
  }

  /// Writes a text in these characters, with single spaces and no spaces at its ends.
  ///
  /// - Parameters:
  ///   - bytes: valid UTF-8.
  ///   - text: emptied first.
  /// - Returns: what is wrong with it; nil if each character has a replacement, and a letter or digit is left.
  package static func convert(_ bytes: Span<UInt8>, into text: inout TextBuffer) -> Fault? {
    text.removeAll()
    var (at, place, hasLetter) = (0, 0, false)
    while at < bytes.count {
      var point = Int(bytes[at])
      let length = point < 0x80 ? 1 : point < 0xE0 ? 2 : point < 0xF0 ? 3 : 4
      if length > 1 {
        point &= 0x7F >> length
        for next in 1..<length { point = point << 6 | Int(bytes[at + next] & 0x3F) }
      }
      at += length
      place += 1
      guard point < replacements.count, replacements[point] != 0 else {
        return .character(Unicode.Scalar(UInt32(point))!, place: place)
      }
      let replacement = replacements[point]
      for index in 0..<(replacement & 0xFF) % 4 {
        let byte = UInt8(truncatingIfNeeded: replacement >> (8 * index + 8))
        if byte == 0x20, text.isEmpty || text[text.count - 1] == 0x20 { continue }
        text.append(byte)
        if ASCIIClass.of(byte) & ASCIIClass.alphanumeric != 0 { hasLetter = true }
      }
    }
    if !text.isEmpty, text[text.count - 1] == 0x20 { text.truncate(to: text.count - 1) }
    return hasLetter ? nil : .noLetter
  }
}
