import Digests
import Text
import Threads

/// Computes the SHA-256 of consecutive bytes in a lane of its own.
package final class DigestLane {
  private final class Digest: @unchecked Sendable {  // Only the lane uses it, until it has finished.
    var sha256 = SHA256()
  }

  private let digest = Digest()
  /// Has the digest instead, if other bytes take this text along.
  private var waiting: WaitingDigest?
  private let lane: Lane
  private let isApart: Bool
  private let pool = TextPool()
  private var pending = TextBuffer()

  /// The most texts that may wait.
  private static let most = 2
  private static let pieceLength = 1 << 18

  /// - Parameters:
  ///   - name: the name of its thread, at most 15 bytes.
  ///   - isApart: whether it may have its own thread.
  package init(_ name: String, isApart: Bool) {
    lane = Lane(name, isApart: isApart, most: Self.most)
    self.isApart = isApart
  }

  deinit { lane.finish() }

  /// Lets what follows wait until it is taken along with other bytes; nil if this digest has a thread of its own.
  ///
  /// - Parameter next: the digest of a text that waits, too, and is taken along next.
  func wait(next: WaitingDigest?) -> WaitingDigest? {
    if !isApart { waiting = WaitingDigest(digest.sha256, next: next) }
    return waiting
  }

  /// Appends a copy of the next bytes.
  package func append(_ text: Span<UInt8>) {
    guard isApart else {
      guard let waiting else { return digest.sha256.update(text) }
      return waiting.append(text)
    }
    pending.append(text)
    if pending.count >= Self.pieceLength { pass() }
  }

  /// Appends the next text; if it has to wait, may keep its memory and leave other memory in its place.
  func append(_ text: inout TextBuffer) {
    if let waiting { waiting.append(&text) } else { append(text.span) }
  }

  /// Appends a shared text as the next bytes, as one of its readers.
  package func append(_ text: SharedText, of pool: TextPool) {
    pass()
    pass(text, of: pool)
  }

  private func pass() {
    if pending.count > 0 { pass(pool.share(&pending, readers: 1), of: pool) }
  }

  private func pass(_ text: SharedText, of pool: TextPool) {
    lane.run { [digest] in
      text.withSpan { digest.sha256.update($0) }
      pool.release(text)
    }
  }

  /// The digest of all bytes, in hexadecimal digits; nothing may follow.
  package func finish() -> String {
    // Little is left, so it needs no thread.
    lane.finish()
    pass()
    return (waiting?.finalize() ?? digest.sha256.finalize()).hexadecimal
  }
}
