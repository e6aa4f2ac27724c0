import Digests
import FileSystem
import Input
import Threads

/// What is done with chunks in batch order as soon as they are expanded, while workers settle their lines: each gets its
/// place in its file's text, and lanes compute the checksums of whole texts.
final class ExpandedOrder: @unchecked Sendable {  // It has locks.
  private final class Digests: @unchecked Sendable {  // The lane alone has them, until that is finished.
    var plain: [SHA256]
    init(files: Int) { plain = Array(repeating: SHA256(), count: files) }
  }

  /// Held while chunks are given to the lanes.
  private let gate = Condition()
  private var waiting: [Int: ChunkWork] = [:]
  private var next = 0
  private var file = 0
  private var offset = 0

  /// Guards what chunks have from here.
  private let lock = Condition()
  private let verifier = ContentVerifier()
  private let checksums: Lane
  private let digests: Digests?
  private let texts: Lane

  /// - Parameters:
  ///   - files: the number of the batch's files.
  ///   - isApart: whether lanes may have threads.
  ///   - takesPlain: whether the plain SHA-256 of the texts are computed.
  init(files: Int, isApart: Bool, takesPlain: Bool) {
    // No more can wait than there are chunks.
    checksums = Lane(.contentChecksum, isApart: isApart)
    texts = Lane(.textDigest, isApart: isApart)
    digests = takesPlain ? Digests(files: files) : nil
  }

  /// Takes a chunk that is expanded.
  func take(_ work: ChunkWork) {
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
    // What is stored as it is has no checksum of its own, and the digest of what is stored.
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
      digests.plain[work.file].update(work.chunk.text, count: work.chunk.count)
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

  /// The offset of a chunk that was taken, in its file's text. Waits for the chunks before it, whose workers expand them
  /// before all else.
  func offset(of work: ChunkWork) -> Int {
    lock.withLock {
      while work.lanesLeft < 0 { lock.wait() }
      return work.textOffset
    }
  }

  /// Waits for the lanes, and tells what is wrong with the content up to the end of the chunk, or with the chunk.
  func fault(of work: ChunkWork) -> CorruptBatch? {
    lock.withLock {
      while work.lanesLeft != 0 { lock.wait() }
      return work.contentFault
    }
  }

  /// Ends the lanes; to be called once the workers are done.
  func finish() {
    checksums.finish()
    texts.finish()
  }

  /// The plain SHA-256 of the texts that are not stored as they are, in hexadecimal digits; nil if they are not computed.
  var plainDigests: [String]? { digests?.plain.map { $0.finalize().hexadecimal } }
}
