import Claims
import Documents
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
/// An entry is as for `SettledPaymentSorter`; the details are a `RefundablePayment`.
package final class RefundablePayments: ReportWriter {
  private final class Sorted: @unchecked Sendable {  // Only the lane uses it, until it has finished.
    let sorter: SettledPaymentSorter
    let first = FirstFailure<Failure>()
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

  /// Appends the entry of the settled payment that the judge has just judged.
  package static func append(_ judge: inout RecordJudge, _ key: Fingerprint, to text: inout TextBuffer) {
    key.append(to: &text)
    text.append(littleEndian: UInt16(0))
    let start = text.count
    judge.appendRefundable(to: &text)
    text.set(littleEndian: UInt16(text.count - start), at: start - 2)
  }

  /// Passes on the next entry; returns false at the end.
  package static func next(
    of reader: LineReader, _ body: (Fingerprint, _ payment: Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    guard let head = try reader.read(SettledPaymentSorter.headLength) else { return false }
    let (key, length) = (Fingerprint(head, at: 0), SettledPaymentSorter.length(of: head, at: 0))
    guard let payment = try reader.read(length) else { return false }
    try body(key, payment)
    return true
  }

  package func write(_ entries: Span<UInt8>) {
    var copy = TextBuffer()
    copy.append(entries)
    write(&copy)
  }

  /// Writes entries of `append`, and may keep their memory. If the file cannot be created or written, `forEach` and
  /// `details` throw.
  package func write(_ entries: inout TextBuffer) {
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
            PlacedTexts(errands) { [file = spool.file] (text, offset) throws(Failure) in
              try file.write(text, at: offset)
            }
          )
        }
        try kept!.texts.append(&entries)
      }
    } catch {
      (kept, failure) = (nil, error)
    }
  }

  private func sort(_ entries: SharedText, into sorted: Sorted) {
    lane.run { [pool] in
      sorted.first.perform { () throws(Failure) in
        try entries.withSpan { text throws(Failure) in try sorted.sorter.append(entries: text) }
      }
      pool.release(entries)
    }
  }

  /// Visits the entries, in no order, once the batch has ended.
  package func forEach(
    _ body: (Fingerprint, _ payment: Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    if isForLedger {
      do { return try details().forEach(body) } catch { throw error as? Failure ?? .inputOutput("\(error)") }
    }
    if let failure { throw failure }
    guard let kept else { return }
    try kept.texts.finish()
    kept.file.noteWritten(kept.texts.count)
    let reader = SpoolReader(kept.file)
    while try Self.next(of: reader, body) {}
  }

  /// What a ledger keeps of the payments, once the batch has ended.
  package func details() throws(Failure) -> SettledPaymentSorter {
    lane.finish()
    if let failure { throw failure }
    try sorted?.first.check()
    if let sorted { return sorted.sorter }
    return SettledPaymentSorter(beside: try OutputPlace(path: scratch))
  }
}
