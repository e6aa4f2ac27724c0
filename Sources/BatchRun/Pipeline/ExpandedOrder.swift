import Digests
import Input
import Threads

/// Takes chunks in batch order as soon as they are expanded, while workers settle their lines. Each chunk gets its
/// place in its file's text, and lanes compute the checksums of whole texts.
package final class ExpandedOrder: @unchecked Sendable {  // It has locks.
  private final class Digests: @unchecked Sendable {  // Only the lane uses them, until it has finished.
    var plain: [SHA256]
    init(files: Int) { plain = Array(repeating: SHA256(), count: files) }
  }

  /// Locked while chunks are given to the lanes.
  private let gate = Condition()
  private var waiting: [Int: ChunkWork] = [:]
  private var next = 0
  private var file = 0
  private var offset = 0

  /// Guards the values that chunks get here.
  private let lock = Condition()
  private let verifier = ContentVerifier()
  private let checksums: Lane
  private let digests: Digests?
  private let texts: Lane

  /// - Parameters:
  ///   - files: the number of the batch's files.
  ///   - isApart: whether lanes may have their own threads.
  ///   - takesPlain: whether to compute the plain SHA-256 of the texts.
  package init(files: Int, isApart: Bool, takesPlain: Bool) {
    // The number of chunks limits how many can wait.
    checksums = Lane("checksums", isApart: isApart)
    texts = Lane("text digest", isApart: isApart)
    digests = takesPlain ? Digests(files: files) : nil
  }

  /// Takes an expanded chunk.
  package func add(_ work: ChunkWork) {
    lock.withLock { work.lanesLeft = -1 }
    gate.withLock {
      waiting[work.sequence] = work
      while let work = waiting.removeValue(forKey: next) {
        if work.file != file { (file, offset) = (work.file, 0) }
        give(work)
        offset += work.chunk.count
        next += 1
      }
    }
  }

  private func give(_ work: ChunkWork) {
    // Text that is stored as plain text has no checksum, and its digest is that of the stored bytes.
    let lanes = work.chunk.isPlain ? 0 : digests == nil ? 1 : 2
    lock.withLock {
      (work.textOffset, work.contentFault) = (offset, work.chunk.corruption)
      work.lanesLeft = lanes
      lock.broadcast()
    }
    guard lanes > 0 else { return }
    checksums.run { [self] in
      let fault = verifier.verify(work.chunk)
      done(work) { work.contentFault = fault }
    }
    guard let digests else { return }
    texts.run { [self] in
      let chunk = work.chunk
      digests.plain[work.file].update(chunk.span)
      done(work) {}
    }
  }

  private func done(_ work: ChunkWork, _ note: () -> Void) {
    lock.withLock {
      note()
      work.lanesLeft -= 1
      lock.broadcast()
    }
  }

  /// The offset of a taken chunk in its file's text. Waits for the chunks before it; their workers expand them first.
  package func offset(of work: ChunkWork) -> Int {
    lock.withLock {
      while work.lanesLeft < 0 { lock.wait() }
      return work.textOffset
    }
  }

  /// Waits for the lanes; returns what is wrong with the content up to the end of the chunk, or with the chunk.
  package func fault(of work: ChunkWork) -> CorruptBatch? {
    lock.withLock {
      while work.lanesLeft != 0 { lock.wait() }
      return work.contentFault
    }
  }

  /// Ends the lanes; call it once the workers are done.
  package func finish() {
    checksums.finish()
    texts.finish()
  }

  /// The plain SHA-256 of compressed texts, in hexadecimal digits; nil if they are not computed.
  var plainDigests: [String]? { digests?.plain.map { $0.finalize().hexadecimal } }
}
