import Text

/// A line of a NACHA file as 94 columns: a character is a byte, or a code point if the line is UTF-8.
struct NACHALine {
  /// One byte a column; a character beyond ASCII is 0xFF.
  private(set) var columns = [UInt8](repeating: 0x20, count: NACHAColumns.length)
  /// The characters, if some are beyond ASCII.
  private var characters: [Unicode.Scalar] = []

  /// Takes a line without its ending; false if it has more than spaces after the last column.
  mutating func take(_ line: ArraySlice<UInt8>) -> Bool {
    if !characters.isEmpty { characters = [] }
    let shared = min(line.count, NACHAColumns.length)
    var (place, isASCII) = (0, true)
    while place < shared {
      let byte = line[line.startIndex + place]
      if byte >= 0x80 { isASCII = false }
      columns[place] = byte
      place += 1
    }
    guard isASCII else { return takeWide(line) }
    while place < NACHAColumns.length {
      columns[place] = 0x20
      place += 1
    }
    return line.dropFirst(shared).allSatisfy { $0 == 0x20 }
  }

  private mutating func takeWide(_ line: ArraySlice<UInt8>) -> Bool {
    if let text = String(validating: line, as: UTF8.self) {
      characters = Array(text.unicodeScalars)
    } else {
      characters = line.map { Unicode.Scalar($0) }
    }
    let isShort = characters.dropFirst(NACHAColumns.length).allSatisfy { $0 == " " }
    while characters.count < NACHAColumns.length { characters.append(" ") }
    for place in columns.indices {
      columns[place] = characters[place].isASCII ? UInt8(characters[place].value) : 0xFF
    }
    return isShort
  }

  subscript(range: Range<Int>) -> ArraySlice<UInt8> { columns[range] }

  /// The number of a field of digits; nil if it has anything else.
  func number(_ range: Range<Int>) -> Int? {
    var number = 0
    for place in range {
      let digit = columns[place] &- 0x30
      guard digit < 10 else { return nil }
      number = 10 * number + Int(digit)
    }
    return number
  }

  /// A field as UTF-8, with its spaces.
  func field(_ range: Range<Int>) -> [UInt8] {
    characters.isEmpty ? Array(columns[range]) : characters[range].flatMap { Array(UTF8.encode($0)!) }
  }

  /// A field as UTF-8, without spaces at its ends.
  func text(_ range: Range<Int>) -> [UInt8] { NACHALine.trimmed(field(range)) }

  /// A text without spaces at its ends.
  static func trimmed(_ text: some BidirectionalCollection<UInt8>) -> [UInt8] {
    var text = text.drop { $0 == 0x20 }
    while text.last == 0x20 { text = text.dropLast() }
    return Array(text)
  }
}
