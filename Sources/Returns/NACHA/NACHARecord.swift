import Payouts

/// A line of a NACHA file as 94 columns: a character is a byte, or a code point if the line is UTF-8.
struct NACHARecord {
  /// One byte a column; a character beyond ASCII is 0xFF.
  private(set) var columns = [UInt8](repeating: 0x20, count: NACHALayout.lineLength)
  /// The characters, if some are beyond ASCII.
  private var characters: [Unicode.Scalar] = []
  /// The number of the line's characters, without those after the last column.
  private(set) var count = 0

  /// Reads a line without its ending; false if it has more than spaces after the last column.
  mutating func read(_ line: ArraySlice<UInt8>) -> Bool {
    if !characters.isEmpty { characters = [] }
    let shared = min(line.count, NACHALayout.lineLength)
    var (place, isASCII) = (0, true)
    while place < shared {
      let byte = line[line.startIndex + place]
      if byte >= 0x80 { isASCII = false }
      columns[place] = byte
      place += 1
    }
    count = shared
    guard isASCII else { return readWide(line) }
    while place < NACHALayout.lineLength {
      columns[place] = 0x20
      place += 1
    }
    return line.dropFirst(shared).allSatisfy { $0 == 0x20 }
  }

  private mutating func readWide(_ line: ArraySlice<UInt8>) -> Bool {
    if let text = String(validating: line, as: UTF8.self) {
      characters = Array(text.unicodeScalars)
    } else {
      characters = line.map { Unicode.Scalar($0) }
    }
    count = min(characters.count, NACHALayout.lineLength)
    let isShort = characters.dropFirst(NACHALayout.lineLength).allSatisfy { $0 == " " }
    while characters.count < NACHALayout.lineLength { characters.append(" ") }
    for place in columns.indices {
      columns[place] = characters[place].isASCII ? UInt8(characters[place].value) : 0xFF
    }
    return isShort
  }

  /// The digit by which records are known.
  var digit: UInt8 { columns[0] }

  subscript(field: NACHAField) -> ArraySlice<UInt8> { columns[field.range] }

  /// The number of a field of digits; nil if it has anything else.
  func number(_ field: NACHAField) -> Int? {
    var number = 0
    for place in field.range {
      let digit = columns[place] &- 0x30
      guard digit < 10 else { return nil }
      number = 10 * number + Int(digit)
    }
    return number
  }

  /// A field as UTF-8, with its spaces.
  func characters(_ field: NACHAField) -> [UInt8] {
    characters.isEmpty ? Array(columns[field.range]) : characters[field.range].flatMap { Array(UTF8.encode($0)!) }
  }

  /// A field as UTF-8, without spaces at its ends.
  func text(_ field: NACHAField) -> [UInt8] { NACHARecord.trimmed(characters(field)) }

  /// A text without spaces at its ends.
  static func trimmed(_ text: some BidirectionalCollection<UInt8>) -> [UInt8] {
    var text = text.drop { $0 == 0x20 }
    while text.last == 0x20 { text = text.dropLast() }
    return Array(text)
  }
}
