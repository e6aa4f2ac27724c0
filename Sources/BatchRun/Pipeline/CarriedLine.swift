import Glibc

/// A line that spans chunks, joined piece by piece. Keeps only enough of an over-long line to report it.
struct CarriedLine: ~Copyable {
  private var bytes: UnsafeMutablePointer<UInt8>
  private var capacity = 4096
  private var count = 0
  /// The length of the line, including bytes that are not kept.
  private var length = 0
  /// Whether the line is blank, except for a possible byte order mark, which `finish` checks.
  private var isBlank = true
  private var endsInCarriageReturn = false
  private var offset = 0
  private var isFileStart = false
  private var endsInLineFeed = true

  private static let markLength = 3
  /// The number of readable bytes after the line.
  private static let padding = 64
  /// The most bytes kept: a line at the limit, a byte order mark, a carriage return, a line feed and one byte more.
  private static let mostKept = RecordLimits.maximumLength + 8

  init() { bytes = .allocate(capacity: capacity + Self.padding) }

  deinit { bytes.deallocate() }

  /// Begins a new line at an offset in the file's text.
  mutating func begin(at offset: Int, isFileStart: Bool) {
    count = 0
    length = 0
    isBlank = true
    endsInCarriageReturn = false
    endsInLineFeed = true
    self.offset = offset
    self.isFileStart = isFileStart
  }

  /// Appends a piece; the last one ends in the line feed.
  mutating func append(_ piece: UnsafePointer<UInt8>, count pieceCount: Int) {
    guard pieceCount > 0 else { return }
    let kept = min(pieceCount, Self.mostKept - count)
    if kept > 0 {
      if count + kept > capacity { grow(to: count + kept) }
      memcpy(bytes + count, piece, kept)
      count += kept
    }
    let mark = isFileStart ? min(pieceCount, max(0, Self.markLength - length)) : 0
    if isBlank { isBlank = Self.isBlank(piece + mark, count: pieceCount - mark) }
    length += pieceCount
    let last = piece[pieceCount - 1]
    let beforeLast = pieceCount > 1 ? piece[pieceCount - 2] : lastByte
    endsInCarriageReturn = last == 0x0A && beforeLast == 0x0D
    lastByte = last
  }

  private var lastByte: UInt8 = 0

  /// Ends the line with the file.
  mutating func endWithoutLineFeed() {
    endsInLineFeed = false
    endsInCarriageReturn = false
  }

  /// The whole line without its ending, with a readable line feed after it; nil if it is empty.
  mutating func finish() -> (bytes: UnsafePointer<UInt8>, length: Int, offset: Int)? {
    var length = length
    if endsInLineFeed { length -= endsInCarriageReturn ? 2 : 1 }
    var start = 0
    if isFileStart {
      let hasMark = count >= Self.markLength && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
      if hasMark {
        start = Self.markLength
      } else if !Self.isBlank(bytes, count: min(count, Self.markLength)) {
        isBlank = false
      }
    }
    length -= start
    guard length > 0, !isBlank else { return nil }
    if length <= RecordLimits.maximumLength { bytes[start + length] = 0x0A }
    return (UnsafePointer(bytes + start), length, offset + start)
  }

  /// Whether all bytes are spaces, tabs or line endings.
  static func isBlank(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    for index in 0..<count {
      switch bytes[index] {
      case 0x20, 0x09, 0x0D, 0x0A: continue
      default: return false
      }
    }
    return true
  }

  private mutating func grow(to needed: Int) {
    capacity = max(2 * capacity, needed)
    let wider = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity + Self.padding)
    memcpy(wider, bytes, count)
    bytes.deallocate()
    bytes = wider
  }
}
