import Claims
import Failures
import FileSystem
import Text

/// Rows and refunds that were held back, in batch order: a number that is judged at a time.
final class HeldPiece: @unchecked Sendable {  // One thread fills it; then lanes read it (`settleRefunds`).
  /// A row or refund.
  package struct Entry {
    /// The refunded payment's key; `none` for a row.
    package let payment: Fingerprint
    package let place: StretchPlace
    /// The range of its text: a row as `StretchSink.appendRow` gets it, or a refund's line.
    package let range: Range<Int>
  }

  fileprivate(set) var entries: [Entry] = []
  fileprivate var texts = TextBuffer()

  /// Calls `body` with the text of an entry.
  func withText<Result, Failure: Error>(
    of entry: Entry, _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try texts.withSpan { texts throws(Failure) in try body(texts.extracting(entry.range)) }
  }

  fileprivate var isFull: Bool { entries.count >= 1 << 14 || texts.count >= 1 << 23 }

  fileprivate func clear() {
    entries.removeAll(keepingCapacity: true)
    texts.removeAll(keeping: 1 << 24)
  }
}

/// The rows after a batch's first refund, and the refunds among them, in an unnamed file: the rows of a refund are
/// known only once the batch has ended.
final class HeldRows {
  /// A stored head: the payment's key, which is `none` for a row; file, line, offset and length in eight bytes each.
  private static let headLength = Fingerprint.length + 4 * 8

  private let spool: SpoolFile
  /// The keys of the refunded payments, in batch order.
  private(set) var payments: [Fingerprint] = []

  init(scratch: String) throws(Failure) { spool = try SpoolFile(beside: scratch) }

  /// Holds a row back.
  func append(_ row: RowPlace, _ text: Span<UInt8>, at place: StretchPlace) throws(Failure) {
    try append(.none, text, file: place.file, line: place.line + row.number, offset: place.offset + row.line)
  }

  /// Holds a refund back.
  func append(
    _ payment: Fingerprint, _ record: RecordClaim, _ line: Span<UInt8>, at place: StretchPlace
  ) throws(Failure) {
    payments.append(payment)
    try append(
      payment, line, file: place.file, line: place.line + Int(record.number), offset: place.offset + Int(record.line))
  }

  private func append(
    _ payment: Fingerprint, _ text: Span<UInt8>, file: Int, line: Int, offset: Int
  ) throws(Failure) {
    var head = TextBuffer(capacity: Self.headLength)
    payment.append(to: &head)
    for number in [file, line, offset, text.count] { head.append(littleEndian: number) }
    try spool.append(head.span)
    try spool.append(text)
  }

  /// Visits the rows and refunds piece by piece, in batch order.
  func forEachPiece(_ body: (HeldPiece) throws(Failure) -> Void) throws(Failure) {
    let reader = SpoolReader(spool)
    let piece = HeldPiece()
    while let head = try reader.read(Self.headLength) {
      let payment = Fingerprint(head, at: 0)
      func number(_ place: Int) -> Int { head.littleEndian(at: Fingerprint.length + 8 * place, as: Int.self) }
      let place = StretchPlace(file: number(0), line: number(1), offset: number(2))
      guard let text = try reader.read(number(3)) else { preconditionFailure("a held row was cut short") }
      let start = piece.texts.count
      piece.texts.append(text)
      piece.entries.append(HeldPiece.Entry(payment: payment, place: place, range: start..<piece.texts.count))
      if piece.isFull {
        try body(piece)
        piece.clear()
      }
    }
    try body(piece)
  }
}
