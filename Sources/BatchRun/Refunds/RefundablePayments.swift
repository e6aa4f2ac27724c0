import Claims
import FileSystem
import Rules
import Text

/// What refunds need of payments that a batch settles: kept in a file without a name until the batch has ended.
///
/// An entry is the pay key's fingerprint, the length of the rest in two bytes, and a `RefundablePayment`.
final class RefundablePayments {
  private let scratch: String
  private var file: SpoolFile?
  /// Why the entries are not kept. Most batches have no refund, and are settled without them.
  private var failure: RunFailure?

  /// - Parameter scratch: beside what the file is made.
  init(scratch: String) { self.scratch = scratch }

  private static let headLength = 18

  /// Appends the entry of the settled payment that a judge judged last.
  static func append(_ judge: inout RecordJudge, _ key: Fingerprint, to text: inout TextBuffer) {
    let head = UnsafeMutableRawPointer(text.reserve(headLength))
    head.storeBytes(of: key, as: Fingerprint.self)
    text.advance(by: headLength)
    let start = text.count
    judge.appendRefundable(to: &text)
    UnsafeMutableRawPointer(text.bytes + (start - 2)).storeBytes(of: UInt16(text.count - start), as: UInt16.self)
  }

  /// The next entry, good until the one after it; nil at the end.
  static func next(of reader: PieceReader) throws(RunFailure) -> (key: Fingerprint, payment: UnsafeRawBufferPointer)? {
    guard let head = try reader.read(headLength) else { return nil }
    let key = head.loadUnaligned(as: Fingerprint.self)
    let length = Int(head.loadUnaligned(fromByteOffset: 16, as: UInt16.self))
    return try reader.read(length).map { (key, $0) }
  }

  /// Takes entries that `append` wrote. If the file cannot be made or written, `forEach` throws.
  func take(_ entries: UnsafePointer<UInt8>, count: Int) {
    if failure != nil { return }
    do throws(RunFailure) {
      if file == nil { file = try makeSpool(beside: scratch) }
      try asRunFailure(file!.append(entries, count: count))
    } catch {
      (file, failure) = (nil, error)
    }
  }

  /// Visits the entries in batch order.
  func forEach(
    _ body: (Fingerprint, UnsafeRawBufferPointer) throws(RunFailure) -> Void
  ) throws(RunFailure) {
    if let failure { throw failure }
    guard let file else { return }
    let reader = SpoolReader(file)
    while let (key, bytes) = try Self.next(of: reader) { try body(key, bytes) }
  }
}

/// A file without a name, beside a path.
package func makeSpool(beside path: String) throws(RunFailure) -> SpoolFile {
  try asRunFailure(SpoolFile(beside: try OutputPlace(path: path)))
}
