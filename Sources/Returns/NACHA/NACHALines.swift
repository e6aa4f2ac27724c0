import Payouts

/// The lines of a NACHA file, which may have no line ends at all.
///
/// Nothing is kept of a line beyond what its 94 characters can take.
struct NACHALines {
  /// The most bytes of 94 characters in UTF-8, and a CR.
  private static let mostBytes = 4 * NACHALayout.lineLength + 1
  /// If these first bytes have no LF, or the first line has several records, lines have no ends.
  private static let looked = 1_024

  private let source: AnswerSource
  private let isCut: Bool
  private var piece: [UInt8] = []
  private var at = 0
  /// The beginning of a line that goes on in the next piece.
  private var begun: [UInt8] = []
  /// The line; its ending is left out.
  private(set) var line: ArraySlice<UInt8> = []
  /// Its number, from 1.
  private(set) var number: Int
  /// Whether it has something other than spaces after the bytes that are kept.
  private(set) var isTooLong = false

  init(_ source: AnswerSource) throws(ReadingStop) {
    self.source = source
    let mark = source.head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let isInOneLine = !source.head[mark...].prefix(Self.looked).contains(0x0A)
    isCut = isInOneLine || Self.hasSeveralRecords(source.head[source.start...].prefix { $0 != 0x0A })
    try source.next(into: &piece)
    at = source.start
    number = piece[..<at].count { $0 == 0x0A }
  }

  /// Whether a line, perhaps with a CR at its end, has several records, not one and spaces.
  private static func hasSeveralRecords(_ line: ArraySlice<UInt8>) -> Bool {
    let line = line.last == 0x0D ? line.dropLast() : line
    let length = NACHALayout.lineLength
    return line.count > length && line.count % length == 0 && line[line.startIndex + length] != 0x20
  }

  /// Goes to the next line; false after the last.
  mutating func next() throws(ReadingStop) -> Bool { isCut ? try nextCut() : try nextLine() }

  private mutating func nextLine() throws(ReadingStop) -> Bool {
    begun.removeAll(keepingCapacity: true)
    isTooLong = false
    while true {
      var end = at
      while end < piece.count, piece[end] != 0x0A { end += 1 }
      if end < piece.count, begun.isEmpty {
        line = piece[at..<end]
        if line.count > Self.mostBytes { keep(at..<end) }
        at = end + 1
        return finishLine()
      }
      keep(at..<end)
      at = end + 1
      if end < piece.count { return finishLine() }
      let hasBegun = !begun.isEmpty
      try source.next(into: &piece)
      at = 0
      if piece.isEmpty { return hasBegun ? finishLine() : false }
    }
  }

  /// Adds bytes to the line that is begun. Spaces that it has no room for are left out.
  private mutating func keep(_ range: Range<Int>) {
    for byte in piece[range] {
      if begun.count >= Self.mostBytes {
        // A CR may belong to the ending.
        if byte != 0x20, byte != 0x0D || begun.last == 0x0D { isTooLong = true }
        if byte == 0x0D { begun[begun.count - 1] = byte }
      } else {
        begun.append(byte)
      }
    }
    line = begun[...]
  }

  private mutating func finishLine() -> Bool {
    number += 1
    if line.last == 0x0D { line = line.dropLast() }
    return true
  }

  private mutating func nextCut() throws(ReadingStop) -> Bool {
    begun.removeAll(keepingCapacity: true)
    while begun.count < NACHALayout.lineLength {
      guard at < piece.count else {
        try source.next(into: &piece)
        at = 0
        if piece.isEmpty { break }
        continue
      }
      // A file may end lines somewhere else than after each record.
      if piece[at] != 0x0A, piece[at] != 0x0D { begun.append(piece[at]) }
      at += 1
    }
    line = begun[...]
    number += 1
    return !begun.isEmpty
  }
}
