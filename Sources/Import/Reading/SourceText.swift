/// A text put together of parts of a file, which still knows which line each byte comes from.
struct SourceText {
  private(set) var bytes: [UInt8] = []
  /// Where in `bytes` what comes from a line begins, in their order.
  private var starts: [(offset: Int, line: Int)] = []

  /// Appends bytes that stand in a line.
  mutating func append(_ more: some Sequence<UInt8>, line: Int) {
    if starts.last?.line != line { starts.append((bytes.count, line)) }
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
  func dropFirst(_ count: Int) -> SourceText {
    var rest = SourceText()
    rest.bytes = Array(bytes.dropFirst(count))
    rest.starts = [(0, line(at: count))] + starts.filter { $0.offset > count }.map { ($0.offset - count, $0.line) }
    return rest
  }

  /// The line that the text begins in, from 1.
  var firstLine: Int { starts.first?.line ?? 1 }

  /// The line of the byte at an offset, or of the one before it after the last.
  func line(at offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low + high) / 2
      if starts[middle].offset <= offset { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? firstLine : starts[low - 1].line
  }
}
