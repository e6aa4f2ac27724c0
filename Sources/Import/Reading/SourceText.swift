/// A text, or joined parts of one, that knows the line of each byte.
struct SourceText {
  private(set) var bytes: [UInt8] = []
  /// The offset in `bytes` at which each line begins, in order.
  private var starts: [(offset: Int, line: Int)] = []

  init() {}

  /// A whole file.
  init(_ file: [UInt8]) {
    bytes = file
    let ends = file.indices.lazy.filter { file[$0] == UInt8(ascii: "\n") }
    starts = [(0, 1)] + ends.enumerated().map { ($0.element + 1, $0.offset + 2) }
  }

  mutating func append(_ more: some Sequence<UInt8>, line: Int) {
    if starts.last?.line != line { starts.append((bytes.count, line)) }
    bytes += more
  }

  /// The line in which the text begins, from 1.
  var firstLine: Int { starts.first?.line ?? 1 }

  /// The line of the byte at an offset; at the end of the text, the line of the last byte.
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
