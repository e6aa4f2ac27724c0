import Digests
import Text
import Threads

/// Computes the SHA-256 of consecutive bytes in a lane of its own.
package final class DigestLane {
  private final class Digest: @unchecked Sendable {  // Only the lane uses it, until it has finished.
    var sha256 = SHA256()
  }

  private let digest = Digest()
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

  /// Copies and takes the next bytes.
  package func append(_ bytes: UnsafePointer<UInt8>, count: Int) {
    guard isApart else { return digest.sha256.update(bytes, count: count) }
    pending.append(bytes, count: count)
    if pending.count >= Self.pieceLength { pass() }
  }

  /// Copies and takes the next bytes.
  package func append(_ bytes: UnsafeRawBufferPointer) {
    if let start = bytes.baseAddress { append(start.assumingMemoryBound(to: UInt8.self), count: bytes.count) }
  }

  /// Takes a shared text as the next bytes, as one of its readers.
  package func take(_ text: SharedText, of pool: TextPool) {
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

  /// The digest of all bytes, in hexadecimal digits; nothing may follow.
  package func finish() -> String {
    // Little is left, so it needs no thread.
    lane.finish()
    pass()
    return digest.sha256.finalize().hexadecimal
  }
}
