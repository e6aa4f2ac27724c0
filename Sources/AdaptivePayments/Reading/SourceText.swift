/// A text taken out of a file, without its quotes and escapes, that still knows which line each byte comes from.
struct SourceText {
  private(set) var bytes: [UInt8] = []
  /// Where in `bytes` what comes from a line begins, in their order.
  private var starts: [(offset: Int, line: Int)] = []

  /// Appends a byte that stands in a line.
  mutating func append(_ byte: UInt8, line: Int) {
    begin(line)
    bytes.append(byte)
  }

  /// Appends bytes that stand in a line.
  mutating func append(_ more: some Sequence<UInt8>, line: Int) {
    begin(line)
    bytes += more
  }

  /// Appends another text with its lines.
  mutating func append(_ other: SourceText) {
    for (index, start) in other.starts.enumerated() {
      let end = index + 1 < other.starts.count ? other.starts[index + 1].offset : other.bytes.count
      append(other.bytes[start.offset..<end], line: start.line)
    }
  }

  /// The text from an offset on.
  func dropFirst(_ count: Int) -> SourceText { slice(count..<bytes.count) }

  /// The text up to an offset.
  func prefix(_ count: Int) -> SourceText { slice(0..<count) }

  private func slice(_ range: Range<Int>) -> SourceText {
    var part = SourceText()
    for (index, start) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1].offset : bytes.count
      let within = max(start.offset, range.lowerBound)..<max(start.offset, range.lowerBound, min(end, range.upperBound))
      if !within.isEmpty { part.append(bytes[within], line: start.line) }
    }
    return part
  }

  private mutating func begin(_ line: Int) {
    if starts.last?.line != line { starts.append((bytes.count, line)) }
  }

  /// The line that the text begins in, from 1.
  var firstLine: Int { starts.first?.line ?? 1 }

  /// The line of the byte at an offset, or of the one before it behind the last.
  func line(at offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle].offset <= offset { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? firstLine : starts[low - 1].line
  }

  /// The text with a line feed wherever it goes on in another line, and as many before it as there are lines.
  ///
  /// - Parameter line: the line that `into` has come to; the line that this text ends in, afterwards.
  func write(into text: inout [UInt8], from line: inout Int) {
    for (index, start) in starts.enumerated() {
      while line < start.line {
        text.append(UInt8(ascii: "\n"))
        line += 1
      }
      let end = index + 1 < starts.count ? starts[index + 1].offset : bytes.count
      for byte in bytes[start.offset..<end] where byte != UInt8(ascii: "\n") { text.append(byte) }
    }
  }

  /// Whether the text begins with a word.
  func starts(with word: StaticString) -> Bool {
    word.withUTF8Buffer { bytes.starts(with: $0) }
  }
}
