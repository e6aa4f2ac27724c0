import BatchRun
import Failures
import FileSystem
import Records
import Text

/// The transactions of a journal, in a file of their own until the declarations before them are known.
final class JournalBody: EntryDestination {
  private let format: JournalFormat
  private let spool: SpoolFile
  /// The end of the text, which is not in the file yet.
  let text: JournalText
  /// The settlement day, if it is known.
  private var settlementDay: JournalDay?
  /// The first and the last day of all transactions; nil without transactions.
  private(set) var days: ClosedRange<JournalDay>?
  /// The amounts that were written in parts.
  let wideEntries = WideEntries()

  /// - Parameter settlementDay: nil for that of the header.
  init(_ format: JournalFormat, settlementDay: UTCTime?, spool: SpoolFile) {
    self.format = format
    self.settlementDay = settlementDay.map { JournalDay($0) }
    self.spool = spool
    text = JournalText { text throws(Failure) in try spool.append(text) }
  }

  func begin(createdAt: UTCTime?) {
    if settlementDay == nil { settlementDay = createdAt.map { JournalDay($0) } }
  }

  func write(_ text: Span<UInt8>) throws(Failure) {
    var at = 0
    while at < text.count {
      let entry = JournalEntry(text, at: at)
      let start = at + JournalEntry.stampLength
      at = start + Int(entry.length)
      try append(entry, text.extracting(start..<at))
    }
    precondition(at == text.count, "entries must be complete")
  }

  private func append(_ entry: JournalEntry, _ transaction: Span<UInt8>) throws(Failure) {
    guard let day = entry.day ?? settlementDay else {
      throw .usage(
        "\(JournalEntry.description(transaction, format)) has no createdAt, and neither has the batch's header; "
          + "give the settlement day with --date YYYY-MM-DD")
    }
    let shown = min(max(day, format.firstDay), format.lastDay)
    days = days.map { min($0.lowerBound, shown)...max($0.upperBound, shown) } ?? shown...shown
    text.buffer.append(UInt8(ascii: "\n"))
    shown.append(to: &text.buffer)
    var done = 0
    if shown != day, let lineEnd = transaction.place(of: 0x0A) {
      done = lineEnd
      text.buffer.append(transaction.extracting(first: done))
      text.buffer.append("  ; dated ")
      day.append(to: &text.buffer)
    }
    text.buffer.append(transaction.extracting(droppingFirst: done))
    if entry.wideNumber > 0 { wideEntries.settle(entry.wideNumber) }
    try text.flushIfFull()
  }

  /// Hands out the whole text from the first byte on. Nothing can be appended afterwards.
  func read(_ take: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
    try text.flush()
    try spool.forEachPiece(take)
  }
}

/// A text that is written to a file a megabyte at a time.
final class JournalText {
  /// The text that is not written yet.
  var buffer = TextBuffer(capacity: 1 << 16)
  private let write: (Span<UInt8>) throws(Failure) -> Void

  init(write: @escaping (Span<UInt8>) throws(Failure) -> Void) { self.write = write }

  /// Writes the text if it has reached a megabyte.
  func flushIfFull() throws(Failure) {
    if buffer.count >= 1 << 20 { try flush() }
  }

  /// Writes the text.
  func flush() throws(Failure) {
    guard buffer.count > 0 else { return }
    try buffer.withSpan(write)
    buffer.removeAll()
  }
}
