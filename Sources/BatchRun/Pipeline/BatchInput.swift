import Failures
import FileSystem
import Input
import Publication
import Synchronization

/// A file of the batch, to be read.
package struct InputSource {
  /// Its path as given; `-` is standard input.
  package let path: String
  /// The copy to read instead, if the file can be read only once.
  package var copy: InputCopy?

  package init(path: String, copy: InputCopy? = nil) {
    self.path = path
    self.copy = copy
  }
}

extension [InputSource] {
  /// The failure when the batch has changed since it was read before.
  package var changed: Failure {
    let names = map { OutputPlace.shown($0.path) }.joined(separator: ", ")
    return .inputOutput("\(names): the batch was changed while it was read; wait until its writer is done")
  }
}

/// The batch's files, read one after the other by the worker that asks next, and hashed as they are read.
package final class BatchInput: @unchecked Sendable {  // It has a lock.
  private let lock = Mutex(())
  /// The files that are still to be read; nil for those already read.
  private var stored: [StoredBatchFile?]
  private var sizes: [UInt64]
  /// Digest the files; empty if their bytes take a report along.
  private let lanes: [DigestLane]
  /// The digest of the file that is being read, if there are no lanes.
  private let digest = FileDigest()
  /// The digests of the files already read.
  private var digests: [String] = []
  private var current = 0
  private var sequence = 0
  /// The bytes read of the files before the current one, and of the current one up to the last chunk.
  private var bytesBefore: UInt64 = 0
  private var bytesOfCurrent: UInt64 = 0
  package private(set) var failure: Failure?

  /// The files' names, with control characters escaped and invalid UTF-8 replaced.
  package let escapedNames: [[UInt8]]

  /// Opens the files.
  ///
  /// - Parameters:
  ///   - names: what reports call the files, already escaped; nil for their escaped paths.
  ///   - hashes: whether to compute their digests.
  ///   - isApart: whether a separate lane may compute them.
  ///   - report: a digest of a report that they take along, unless lanes compute them.
  package init(
    _ sources: [InputSource], names: [String]? = nil, hashes: Bool = true, isApart: Bool = false,
    along report: WaitingDigest? = nil
  ) throws(Failure) {
    precondition(names == nil || names?.count == sources.count, "a name for each file of the batch")
    var stored: [StoredBatchFile?] = []
    let lanes = report == nil ? sources.map { _ in DigestLane("stored digest", isApart: isApart) } : []
    for (number, source) in sources.enumerated() {
      let take: (Span<UInt8>) -> Void
      if let report {
        take = digest.taking(along: report)
      } else {
        let lane = lanes[number]
        take = { lane.append($0) }
      }
      stored.append(
        try StoredBatchFile(path: source.path, copy: source.copy?.stored, observing: hashes ? take : nil))
    }
    self.stored = stored
    sizes = Array(repeating: 0, count: stored.count)
    let known = stored.compactMap { $0?.storedSize }
    storedSize = known.count == stored.count ? known.reduce(0, +) : nil
    self.lanes = lanes
    escapedNames = (names ?? sources.map { OutputPlace.shown($0.path) }).map { Array($0.utf8) }
  }

  /// Opens one file; its digest is not computed.
  package convenience init(path: String) throws(Failure) {
    try self.init([InputSource(path: path)], hashes: false)
  }

  /// The size of all files together; nil if one of them is not a regular file.
  package let storedSize: UInt64?

  /// The stored bytes read so far.
  package var storedBytesRead: Int { lock.withLock { _ in Int(clamping: bytesBefore + bytesOfCurrent) } }

  /// Fills the next chunk of the batch; false if the batch has ended or reading failed.
  package func readNext(into work: ChunkWork) -> Bool {
    lock.withLock { _ in
      while failure == nil, current < stored.count, let file = stored[current] {
        do throws(Failure) {
          let isRead = try file.readNext(into: work.chunk)
          bytesOfCurrent = file.storedBytesRead
          if isRead {
            work.sequence = sequence
            work.file = current
            sequence += 1
            return true
          }
        } catch {
          failure = error
          return false
        }
        endFile()
      }
      return false
    }
  }

  /// Closes the current file and releases its memory.
  private func endFile() {
    sizes[current] = bytesOfCurrent
    bytesBefore += bytesOfCurrent
    bytesOfCurrent = 0
    stored[current] = nil
    // A lane's thread ends with the file.
    digests.append(lanes.isEmpty ? digest.finish() : lanes[current].finish())
    current += 1
  }

  /// The files as read; call it only after the batch has ended.
  package var files: [StoredFile] {
    zip(escapedNames, zip(sizes, digests)).map { name, file in
      StoredFile(name: String(decoding: name, as: UTF8.self), bytes: Int(clamping: file.0), sha256: file.1)
    }
  }
}
