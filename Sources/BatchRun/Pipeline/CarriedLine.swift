import Text

/// A line that spans chunks, joined piece by piece. Keeps only enough of an over-long line to report it.
struct CarriedLine: ~Copyable {
  private var kept = TextBuffer(capacity: 4096)
  /// The length of the line, including bytes that are not kept.
  private var length = 0
  /// Whether the line is blank, except for a possible byte order mark, which `finish` checks.
  private var isBlank = true
  private var endsInCarriageReturn = false
  private var offset = 0
  private var isFileStart = false
  private var endsInLineFeed = true
  private var lastByte: UInt8 = 0

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  /// The most bytes kept: a line at the limit, a byte order mark, a carriage return, a line feed and one byte more.
  private static let mostKept = RecordLimits.maximumLength + 8

  /// Begins a new line at an offset in the file's text.
  mutating func begin(at offset: Int, isFileStart: Bool) {
    kept.removeAll()
    length = 0
    isBlank = true
    endsInCarriageReturn = false
    endsInLineFeed = true
    self.offset = offset
    self.isFileStart = isFileStart
  }

  /// Appends a piece; the last one ends in the line feed.
  mutating func append(_ piece: Span<UInt8>) {
    guard !piece.isEmpty else { return }
    kept.append(piece.extracting(first: min(piece.count, Self.mostKept - kept.count)))
    let mark = isFileStart ? min(piece.count, max(0, Self.byteOrderMark.count - length)) : 0
    if isBlank { isBlank = Self.isBlank(piece.extracting(droppingFirst: mark)) }
    length += piece.count
    let last = piece[piece.count - 1]
    let beforeLast = piece.count > 1 ? piece[piece.count - 2] : lastByte
    endsInCarriageReturn = last == 0x0A && beforeLast == 0x0D
    lastByte = last
  }

  mutating func endWithoutLineFeed() {
    endsInLineFeed = false
    endsInCarriageReturn = false
  }

  /// Hands over the line without its ending; nil if it is empty.
  ///
  /// - Parameter number: its number in the file, from 1.
  mutating func finish(number: Int) -> SpanningLine? {
    var length = length
    if endsInLineFeed { length -= endsInCarriageReturn ? 2 : 1 }
    var start = 0
    if isFileStart {
      if kept.span.starts(with: Self.byteOrderMark.span) {
        start = Self.byteOrderMark.count
      } else if !Self.isBlank(kept.span.extracting(first: min(kept.count, Self.byteOrderMark.count))) {
        isBlank = false
      }
    }
    length -= start
    guard length > 0, !isBlank else { return nil }
    var text = TextBuffer()
    swap(&text, &kept)
    text.removeFirst(start)
    if text.count > length { text.truncate(to: length) }
    return SpanningLine(text: text, length: length, offset: offset + start, number: number)
  }

  /// Whether all bytes are spaces, tabs or line endings.
  static func isBlank(_ text: Span<UInt8>) -> Bool {
    text.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D || $0 == 0x0A }
  }
}
