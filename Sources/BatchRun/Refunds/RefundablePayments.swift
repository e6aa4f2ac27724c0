import Claims
import FileSystem
import Rules
import Text

/// What refunds need of payments that a batch settles: kept in a file without a name until the batch has ended.
///
/// An entry is the pay key's fingerprint, the length of the rest in two bytes, and a `RefundablePayment`. Of payments whose
/// claim is refused there are entries, too; they are passed over.
final class RefundablePayments {
  private let scratch: String
  private var file: SpoolFile?
  /// The numbers of entries that count no more, ascending.
  private var dropped: [Int] = []

  /// - Parameter scratch: beside what the file is made.
  init(scratch: String) { self.scratch = scratch }

  private static let headLength = 18

  /// Appends the entry of the settled payment that an assessor holds.
  static func append(_ assessor: inout RecordAssessor, _ key: Fingerprint, to text: inout TextBuffer) {
    let head = UnsafeMutableRawPointer(text.reserve(headLength))
    head.storeBytes(of: key, as: Fingerprint.self)
    text.advance(by: headLength)
    let start = text.count
    assessor.appendRefundable(to: &text)
    UnsafeMutableRawPointer(text.bytes + (start - 2)).storeBytes(of: UInt16(text.count - start), as: UInt16.self)
  }

  /// Visits the keys of entries that `append` wrote.
  static func forEachKey(in text: borrowing TextBuffer, _ body: (Fingerprint) -> Void) {
    var at = 0
    while at < text.count {
      let head = UnsafeRawPointer(text.bytes + at)
      body(head.loadUnaligned(as: Fingerprint.self))
      at += headLength + Int(head.loadUnaligned(fromByteOffset: 16, as: UInt16.self))
    }
  }

  /// The next entry, good until the one after it; nil at the end.
  static func next(of reader: PieceReader) throws(RunFailure) -> (key: Fingerprint, payment: UnsafeRawBufferPointer)? {
    guard let head = try reader.read(headLength) else { return nil }
    let key = head.loadUnaligned(as: Fingerprint.self)
    let length = Int(head.loadUnaligned(fromByteOffset: 16, as: UInt16.self))
    return try reader.read(length).map { (key, $0) }
  }

  /// The entry of that number counts no more.
  func drop(_ number: Int) { dropped.append(number) }

  /// Takes the entries of a stretch.
  func take(_ text: borrowing TextBuffer) throws(RunFailure) {
    if file == nil { file = try makeSpool(beside: scratch) }
    let (bytes, count) = (text.bytes, text.count)
    try asRunFailure(file.unsafelyUnwrapped.append(bytes, count: count))
  }

  /// Visits the entries in batch order.
  func forEach(
    _ body: (Fingerprint, UnsafeRawBufferPointer) throws(RunFailure) -> Void
  ) throws(RunFailure) {
    guard let file else { return }
    let reader = SpoolReader(file)
    var (number, droppedDone) = (0, 0)
    while let (key, bytes) = try Self.next(of: reader) {
      if droppedDone < dropped.count, dropped[droppedDone] == number {
        droppedDone += 1
      } else {
        try body(key, bytes)
      }
      number += 1
    }
  }
}

/// A file without a name, beside a path.
package func makeSpool(beside path: String) throws(RunFailure) -> SpoolFile {
  try asRunFailure(SpoolFile(beside: try OutputPlace(path: path)))
}
