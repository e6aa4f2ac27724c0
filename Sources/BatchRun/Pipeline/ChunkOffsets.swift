import Threads

/// Where chunks begin in the texts of their files: known once all chunks before them are expanded, long before these are
/// committed.
final class ChunkOffsets: @unchecked Sendable {  // It has a lock.
  private let lock = Condition()
  /// The chunks whose place is not known yet, by their own.
  private var expanded: [Int: (file: Int, count: Int)] = [:]
  /// The places of chunks that did not ask yet.
  private var known: [Int: Int] = [:]
  private var next = 0
  private var file = 0
  private var offset = 0

  /// Takes a chunk that is expanded, and gives others their places by it.
  func take(_ work: ChunkWork) {
    lock.withLock {
      expanded[work.sequence] = (work.file, work.chunk.count)
      while let chunk = expanded.removeValue(forKey: next) {
        if chunk.file != file { (file, offset) = (chunk.file, 0) }
        known[next] = offset
        offset += chunk.count
        next += 1
      }
      lock.broadcast()
    }
  }

  /// The offset of a chunk that was taken, in its file's text; to be asked once. Waits for chunks before it, whose workers
  /// expand them before all else.
  func offset(of work: ChunkWork) -> Int {
    lock.withLock {
      while true {
        if let offset = known.removeValue(forKey: work.sequence) { return offset }
        lock.wait()
      }
    }
  }
}
