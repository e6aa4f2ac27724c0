import Digests
import Synchronization
import Text

/// The SHA-256 of a text that waits for the bytes of another one, because two texts are digested side by side in little
/// more than half the time (`SHA256.update(_:_:_:_:)`).
///
/// One thread may append text while another takes it along.
package final class WaitingDigest: @unchecked Sendable {  // It has a lock.
  /// The most bytes that wait, unless one text has more.
  package static let most = 1 << 21
  /// The most bytes of a text that are digested under the lock at once.
  private static let pieceLength = 1 << 16

  private let lock = Mutex(())
  private var sha256: SHA256
  private var waiting = TextBuffer()
  /// The number of those bytes that were already taken along.
  private var taken = 0

  /// The digest of a text that waits, too, and is taken along next.
  private let next: WaitingDigest?

  /// - Parameters:
  ///   - begun: the digest of the text so far.
  ///   - next: the digest of another text that waits.
  package init(_ begun: SHA256 = SHA256(), next: WaitingDigest? = nil) { (sha256, self.next) = (begun, next) }

  /// Copies the next bytes.
  package func append(_ bytes: Span<UInt8>) {
    lock.withLock { _ in
      makeRoom(bytes.count)
      waiting.append(bytes)
    }
  }

  /// Takes the next text; if no other waits, keeps its memory and leaves other memory in its place.
  package func append(_ text: inout TextBuffer) {
    lock.withLock { _ in
      makeRoom(text.count)
      if waiting.count == 0 {
        swap(&waiting, &text)
      } else {
        waiting.append(text.span)
      }
    }
  }

  private func makeRoom(_ count: Int) { if waiting.count + count > Self.most { digestWaiting() } }

  /// Takes the next bytes of another text into its digest, side by side with the text that waits.
  package func update(_ other: inout SHA256, _ bytes: Span<UInt8>) {
    var done = 0
    while done < bytes.count {
      let count = lock.withLock { _ in
        let count = min(bytes.count - done, waiting.count - taken, Self.pieceLength)
        SHA256.update(
          &sha256, waiting.span.extracting(taken..<taken + count), &other, bytes.extracting(done..<done + count))
        taken += count
        if taken == waiting.count { forgetWaiting() }
        return count
      }
      if count == 0 {
        guard let next else { return other.update(bytes.extracting(droppingFirst: done)) }
        return next.update(&other, bytes.extracting(droppingFirst: done))
      }
      done += count
    }
  }

  /// The digest of the whole text.
  package func finalize() -> SHA256.Digest {
    lock.withLock { _ in
      digestWaiting()
      return sha256.finalize()
    }
  }

  private func digestWaiting() {
    if let next {
      next.update(&sha256, waiting.span.extracting(droppingFirst: taken))
    } else {
      sha256.update(waiting.span.extracting(droppingFirst: taken))
    }
    forgetWaiting()
  }

  private func forgetWaiting() {
    waiting.removeAll(keeping: Self.most)
    taken = 0
  }
}
