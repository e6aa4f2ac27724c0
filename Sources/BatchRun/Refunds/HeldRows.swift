import Claims
import FileSystem
import Input
import Text

/// The rows after a batch's first refund, and the refunds among them, in an unnamed file: the rows of a refund are
/// known only once the batch has ended.
final class HeldRows {
  /// A row or refund that is held back.
  enum Entry {
    /// A row, as `StretchSink.takeRow` takes it.
    case row(RowPlace, UnsafePointer<UInt8>, StretchPlace)
    /// A refund: its payment's key, and its line, in the form that `RecordScanner.scan` requires.
    case refund(Fingerprint, UnsafePointer<UInt8>, length: Int, StretchPlace)
  }

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

  init(scratch: String) throws(RunFailure) { spool = try makeSpool(beside: scratch) }

  /// Holds a row back.
  func append(_ row: RowPlace, _ text: UnsafePointer<UInt8>, at place: StretchPlace) throws(RunFailure) {
    try append(
      Head(file: place.file, line: place.line + row.number, offset: place.offset + row.line, length: row.length), text)
  }

  /// Holds a refund back.
  func append(
    _ payment: Fingerprint, _ record: RecordClaim, _ line: UnsafePointer<UInt8>, at place: StretchPlace
  ) throws(RunFailure) {
    payments.append(payment)
    try append(
      Head(
        payment: payment, file: place.file, line: place.line + Int(record.number),
        offset: place.offset + Int(record.line), length: Int(record.length)), line)
  }

  private func append(_ head: Head, _ text: UnsafePointer<UInt8>) throws(RunFailure) {
    var head = head
    let bytes = withUnsafeBytes(of: &head) { Array($0) }
    try asRunFailure(spool.append(bytes, count: bytes.count))
    try asRunFailure(spool.append(text, count: head.length))
  }

  /// Visits the rows and refunds, in batch order.
  func forEach(_ body: (Entry) throws(RunFailure) -> Void) throws(RunFailure) {
    let reader = SpoolReader(spool)
    var line = TextBuffer()
    while let bytes = try reader.read(MemoryLayout<Head>.size) {
      let head = bytes.loadUnaligned(as: Head.self)
      guard let text = try reader.read(head.length) else { preconditionFailure("a held row was cut short") }
      line.removeAll(keeping: 1 << 16)
      text.withMemoryRebound(to: UInt8.self) { if let start = $0.baseAddress { line.append(start, count: $0.count) } }
      line.append(RecordScanner.lineEnd)
      let place = StretchPlace(file: head.file, line: head.line, offset: head.offset)
      if head.payment == .none {
        try body(.row(RowPlace(number: 0, line: 0, length: head.length), line.bytes, place))
      } else {
        try body(.refund(head.payment, line.bytes, length: head.length, place))
      }
    }
  }
}
