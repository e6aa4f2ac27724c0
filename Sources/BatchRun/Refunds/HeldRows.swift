import Claims
import Failures
import FileSystem
import Input
import Text

/// Rows and refunds that were held back, in batch order: a number that is judged at a time.
final class HeldPiece: @unchecked Sendable {  // One thread fills it; then several read it.
  /// A row or refund.
  package struct Entry {
    /// The refunded payment's key; `none` for a row.
    package let payment: Fingerprint
    package let place: StretchPlace
    /// Where its text begins, and its length: a row as `StretchSink.takeRow` takes it, or a refund's line, in the form
    /// that `RecordScanner.scan` requires.
    package let start: Int
    package let length: Int
  }

  fileprivate(set) var entries: [Entry] = []
  fileprivate var texts = TextBuffer()

  func text(of entry: Entry) -> UnsafePointer<UInt8> { UnsafePointer(texts.bytes + entry.start) }

  fileprivate var isFull: Bool { entries.count >= 1 << 14 || texts.count >= 1 << 23 }

  fileprivate func clear() {
    entries.removeAll(keepingCapacity: true)
    texts.removeAll(keeping: 1 << 24)
  }
}

/// The rows after a batch's first refund, and the refunds among them, in an unnamed file: the rows of a refund are
/// known only once the batch has ended.
final class HeldRows {
  private struct Head {
    /// `none` for a row.
    var payment = Fingerprint.none
    var file: Int
    var line: Int
    var offset: Int
    var length: Int
  }

  private let spool: SpoolFile
  /// The keys of the refunded payments, in batch order.
  private(set) var payments: [Fingerprint] = []

  init(scratch: String) throws(Failure) { spool = try SpoolFile(beside: scratch) }

  /// Holds a row back.
  func append(_ row: RowPlace, _ text: UnsafePointer<UInt8>, at place: StretchPlace) throws(Failure) {
    try append(
      Head(file: place.file, line: place.line + row.number, offset: place.offset + row.line, length: row.length), text)
  }

  /// Holds a refund back.
  func append(
    _ payment: Fingerprint, _ record: RecordClaim, _ line: UnsafePointer<UInt8>, at place: StretchPlace
  ) throws(Failure) {
    payments.append(payment)
    try append(
      Head(
        payment: payment, file: place.file, line: place.line + Int(record.number),
        offset: place.offset + Int(record.line), length: Int(record.length)), line)
  }

  private func append(_ head: Head, _ text: UnsafePointer<UInt8>) throws(Failure) {
    try withUnsafePointer(to: head) { head throws(Failure) in
      try head.withMemoryRebound(to: UInt8.self, capacity: MemoryLayout<Head>.size) { bytes throws(Failure) in
        try spool.append(bytes, count: MemoryLayout<Head>.size)
      }
    }
    try spool.append(text, count: head.length)
  }

  /// Visits the rows and refunds piece by piece, in batch order.
  func forEachPiece(_ body: (HeldPiece) throws(Failure) -> Void) throws(Failure) {
    let reader = SpoolReader(spool)
    let piece = HeldPiece()
    while let bytes = try reader.rawRead(MemoryLayout<Head>.size) {
      let head = bytes.loadUnaligned(as: Head.self)
      guard let text = try reader.rawRead(head.length) else { preconditionFailure("a held row was cut short") }
      piece.entries.append(
        HeldPiece.Entry(
          payment: head.payment, place: StretchPlace(file: head.file, line: head.line, offset: head.offset),
          start: piece.texts.count, length: head.length))
      text.withMemoryRebound(to: UInt8.self) {
        if let start = $0.baseAddress { piece.texts.append(start, count: $0.count) }
      }
      if head.payment != .none { piece.texts.append(RecordScanner.lineEnd) }
      if piece.isFull {
        try body(piece)
        piece.clear()
      }
    }
    try body(piece)
  }
}
