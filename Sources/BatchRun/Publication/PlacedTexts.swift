import FileSystem
import Synchronization
import Text
import Threads

/// Texts on their way into a file, each at the place that it was given when it came: errands write them there.
final class PlacedTexts {
  private final class Outcome: Sendable {
    let failure = Mutex<FileFailure?>(nil)
  }

  /// Writes bytes at an offset of the file; called by several threads at a time.
  typealias Write = @Sendable (_ bytes: UnsafePointer<UInt8>, _ count: Int, _ offset: Int) throws(FileFailure) -> Void

  private let errands: Errands
  private let digest: DigestLane?
  private let write: Write
  private let outcome = Outcome()
  private let pool = TextPool()
  private var pending = TextBuffer()
  /// Where the next text goes.
  private var place = 0

  /// The bytes that are written, once it is finished.
  var count: Int { place }

  /// Fewer bytes wait for others.
  private static let longText = 1 << 16

  /// - Parameter digest: takes the texts in their order.
  init(_ errands: Errands, digest: DigestLane? = nil, write: @escaping Write) {
    (self.errands, self.digest, self.write) = (errands, digest, write)
  }

  /// Takes a text, which is copied. Throws if an earlier one could not be written.
  func append(_ bytes: UnsafePointer<UInt8>, count: Int) throws(FileFailure) {
    guard errands.areShared else {
      try write(bytes, count, place)
      digest?.append(bytes, count: count)
      place += count
      return
    }
    pending.append(bytes, count: count)
    if pending.count >= 4 * Self.longText { try pass(&pending) }
  }

  /// Takes a text without a copy if it is long, and leaves the memory of another one in its place.
  func take(_ text: inout TextBuffer) throws(FileFailure) {
    guard errands.areShared, text.count >= Self.longText else { return try append(text.bytes, count: text.count) }
    try pass(&pending)
    try pass(&text)
  }

  private func pass(_ text: inout TextBuffer) throws(FileFailure) {
    if let failure = outcome.failure.withLock({ $0 }) { throw failure }
    guard text.count > 0 else { return }
    let start = place
    place += text.count
    let shared = pool.share(&text, readers: digest == nil ? 1 : 2)
    digest?.take(shared, of: pool)
    errands.add { [write, outcome, pool] in
      do throws(FileFailure) { try write(shared.bytes, shared.count, start) } catch {
        outcome.failure.withLock { $0 = $0 ?? error }
      }
      pool.release(shared)
    }
  }

  /// Returns once all is written.
  func finish() throws(FileFailure) {
    try pass(&pending)
    errands.finish()
    if let failure = outcome.failure.withLock({ $0 }) { throw failure }
  }
}
