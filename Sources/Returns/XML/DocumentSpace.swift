/// What is between XML documents: byte order marks and white space, in units of one or two bytes.
struct DocumentSpace {
  /// The bytes of a character, and which of them is not zero in white space.
  private var (width, letter) = (1, 0)
  private var lines = 0

  /// The line feeds that were skipped since the last call.
  mutating func removeLines() -> Int {
    defer { lines = 0 }
    return lines
  }

  /// Goes on to the next document; false at the end, or if more bytes are needed.
  mutating func skip(_ bytes: [UInt8], _ at: inout Int, isLast: Bool) -> Bool {
    while at < bytes.count {
      guard isLast || bytes.count - at >= 4 else { return false }
      if isSpace(bytes, at) {
        if bytes[at + letter] == 0x0A { lines += 1 }
        at += width
      } else if bytes[at...].starts(with: [0xEF, 0xBB, 0xBF]) {
        (width, letter) = (1, 0)
        at += 3
      } else if bytes[at...].starts(with: [0xFF, 0xFE]) {
        (width, letter) = (2, 0)
        at += 2
      } else if bytes[at...].starts(with: [0xFE, 0xFF]) {
        (width, letter) = (2, 1)
        at += 2
      } else {
        findWidth(bytes[at...])
        return true
      }
    }
    return false
  }

  private func isSpace(_ bytes: [UInt8], _ at: Int) -> Bool {
    guard at + width <= bytes.count, AnswerSource.isSpace(bytes[at + letter]) else { return false }
    return width == 1 || bytes[at + 1 - letter] == 0
  }

  /// Finds out by the first character of a document how wide it is.
  private mutating func findWidth(_ bytes: ArraySlice<UInt8>) {
    if bytes.first == 0 {
      (width, letter) = (2, 1)
    } else {
      (width, letter) = bytes.dropFirst().first == 0 ? (2, 0) : (1, 0)
    }
  }
}
