import Claims
import Failures
import FileSystem
import Ledger
import Publication
import Rules
import Text
import Threads

/// The refund data of a batch's settled payments. It is kept until the batch has ended: in an unnamed file, or sorted
/// for a ledger by a lane.
///
/// An entry is the pay key's fingerprint, the length of the rest in two bytes, and a `RefundablePayment`.
package final class RefundablePayments {
  private final class Sorted: @unchecked Sendable {  // Only the lane uses it, until it has finished.
    let sorter: SettledPaymentSorter
    var failure: Failure?
    init(beside place: OutputPlace) { sorter = SettledPaymentSorter(beside: place) }
  }

  private let scratch: String
  private let errands: Errands
  private let isForLedger: Bool
  private var kept: (file: SpoolFile, texts: PlacedTexts)?
  private var sorted: Sorted?
  private let lane: Lane
  private let pool = TextPool()
  /// Why the entries are not kept. Most batches have no refund, and can be settled without them.
  private var failure: Failure?

  /// - Parameters:
  ///   - scratch: the path next to which the file is created.
  ///   - errands: write the file.
  ///   - isForLedger: whether `details` will be called.
  package init(scratch: String, errands: Errands, isForLedger: Bool) {
    (self.scratch, self.errands, self.isForLedger) = (scratch, errands, isForLedger)
    lane = Lane("refundables", isApart: errands.areShared, most: 4)
  }

  deinit { lane.finish() }

  private static let headLength = 18

  /// Appends the entry of the settled payment that the judge has just judged.
  package static func append(_ judge: inout RecordJudge, _ key: Fingerprint, to text: inout TextBuffer) {
    let head = UnsafeMutableRawPointer(text.reserve(headLength))
    head.storeBytes(of: key, as: Fingerprint.self)
    text.advance(by: headLength)
    let start = text.count
    judge.appendRefundable(to: &text)
    UnsafeMutableRawPointer(text.bytes + (start - 2)).storeBytes(of: UInt16(text.count - start), as: UInt16.self)
  }

  /// The next entry, valid until the next call; nil at the end.
  package static func next(of reader: LineReader) throws(Failure) -> (
    key: Fingerprint, payment: UnsafeRawBufferPointer
  )? {
    guard let head = try reader.rawRead(headLength) else { return nil }
    let key = head.loadUnaligned(as: Fingerprint.self)
    let length = Int(head.loadUnaligned(fromByteOffset: 16, as: UInt16.self))
    return try reader.rawRead(length).map { (key, $0) }
  }

  /// Takes entries that `append` wrote, and may keep their memory. If the file cannot be created or written, `forEach`
  /// and `details` throw.
  package func take(_ entries: inout TextBuffer) {
    if failure != nil { return }
    do throws(Failure) {
      if isForLedger {
        if sorted == nil { sorted = Sorted(beside: try OutputPlace(path: scratch)) }
        sort(pool.share(&entries, readers: 1), into: sorted!)
      } else {
        if kept == nil {
          let spool = try SpoolFile(beside: scratch)
          kept = (
            spool,
            PlacedTexts(errands) { [file = spool.file] (bytes, count, offset) throws(Failure) in
              try file.write(bytes, count: count, at: offset)
            }
          )
        }
        try kept!.texts.take(&entries)
      }
    } catch {
      (kept, failure) = (nil, error)
    }
  }

  private func sort(_ entries: SharedText, into sorted: Sorted) {
    lane.run { [pool] in
      var at = 0
      let bytes = UnsafeRawBufferPointer(start: entries.bytes, count: entries.count)
      while at < bytes.count, sorted.failure == nil {
        let key = bytes.loadUnaligned(fromByteOffset: at, as: Fingerprint.self)
        let length = Int(bytes.loadUnaligned(fromByteOffset: at + 16, as: UInt16.self))
        at += Self.headLength
        do throws(Failure) {
          try sorted.sorter.append(key, UnsafeBufferPointer(start: entries.bytes + at, count: length).span)
        } catch {
          sorted.failure = error
        }
        at += length
      }
      pool.release(entries)
    }
  }

  /// Visits the entries, in no order, once the batch has ended.
  package func forEach(
    _ body: (Fingerprint, UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    if isForLedger {
      do { return try details().forEach { key, bytes in try bytes.withUnsafeBytes { try body(key, $0) } } } catch {
        throw error as? Failure ?? .inputOutput("\(error)")
      }
    }
    if let failure { throw failure }
    guard let kept else { return }
    try kept.texts.finish()
    kept.file.noteWritten(kept.texts.count)
    let reader = SpoolReader(kept.file)
    while let (key, bytes) = try Self.next(of: reader) { try body(key, bytes) }
  }

  /// What a ledger keeps of the payments, once the batch has ended.
  package func details() throws(Failure) -> SettledPaymentSorter {
    lane.finish()
    if let failure = failure ?? sorted?.failure { throw failure }
    if let sorted { return sorted.sorter }
    return SettledPaymentSorter(beside: try OutputPlace(path: scratch))
  }
}
