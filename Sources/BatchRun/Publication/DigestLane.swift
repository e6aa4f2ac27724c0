import Digests
import Text
import Threads

/// The SHA-256 of bytes that come one after the other, computed by a lane of its own.
final class DigestLane {
  private final class Digest: @unchecked Sendable {  // The lane alone has it, until that is finished.
    var sha256 = SHA256()
  }

  private let digest = Digest()
  private let lane: Lane
  private let isApart: Bool
  private let part: ThreadClock.Part
  private let pool = TextPool()
  private var pending = TextBuffer()

  /// How much may wait.
  private static let most = 2
  private static let pieceLength = 1 << 18

  /// - Parameters:
  ///   - part: what its time counts as.
  ///   - isApart: whether it may have a thread.
  init(_ part: ThreadClock.Part, isApart: Bool) {
    lane = Lane(part, isApart: isApart, most: Self.most)
    (self.isApart, self.part) = (isApart, part)
  }

  deinit { lane.finish() }

  /// Takes the next bytes; they are copied.
  func append(_ bytes: UnsafePointer<UInt8>, count: Int) {
    guard isApart else { return ThreadClock.count(as: part) { digest.sha256.update(bytes, count: count) } }
    pending.append(bytes, count: count)
    if pending.count >= Self.pieceLength { pass() }
  }

  /// Takes the next bytes; they are copied.
  func append(_ bytes: UnsafeRawBufferPointer) {
    if let start = bytes.baseAddress { append(start.assumingMemoryBound(to: UInt8.self), count: bytes.count) }
  }

  /// Takes the next bytes, as one of their readers.
  func take(_ text: SharedText, of pool: TextPool) {
    pass()
    pass(text, of: pool)
  }

  private func pass() {
    if pending.count > 0 { pass(pool.share(&pending, readers: 1), of: pool) }
  }

  private func pass(_ text: SharedText, of pool: TextPool) {
    lane.run { [digest] in
      digest.sha256.update(text.bytes, count: text.count)
      pool.release(text)
    }
  }

  /// The digest of all that was given, in hexadecimal digits; nothing may follow.
  func finish() -> String {
    // What is left is short: it needs no thread.
    lane.finish()
    pass()
    return digest.sha256.finalize().hexadecimal
  }
}
