import FileSystem
import Glibc
import Input
import Text

/// The lines of a shard that are judged again, in the order in which they stand.
final class ShardRecords {
  private let shard: PlannedShard
  private let file: PlannedFile
  private let isRest: Bool
  private let path: String
  /// The text of each chunk, so that those without such a line need not be expanded.
  private let counts: [Int]
  private let stored: StoredBatchFile
  private let chunk = TextChunk()
  private var chunkStart = 0
  private var chunkEnd = 0
  private var chunksRead = 0
  private var text = TextBuffer(capacity: 1 << 12)
  private let descriptor: Int32

  /// - Parameter path: `-` for standard input, which begins with the shard's first byte; nil for the file.
  init(_ shard: PlannedShard, of file: PlannedFile, path: String?, counts: [Int]) throws(RunFailure) {
    self.shard = shard
    self.file = file
    self.counts = counts
    isRest = path == "-"
    self.path = try file.source(path)
    stored = try asRead(StoredBatchFile(path: self.path, at: shard.place, observing: nil))
    if shard.end < file.bytes { stored.rangeEnd = UInt64(shard.end) }
    descriptor =
      shard.place.isPlain && !isRest ? FileName.withCString(self.path) { open($0, O_RDONLY | O_CLOEXEC) } : -1
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The line of that many bytes at an offset of the shard's text, as `RecordScanner.scan` asks for it, until the next.
  func line(at offset: Int, length: Int) throws(RunFailure) -> UnsafePointer<UInt8> {
    text.removeAll(keeping: 1 << 21)
    if descriptor >= 0 {
      let read = pread(descriptor, text.reserve(length), length, off_t(shard.start + offset))
      guard read == length else { throw .inputOutput("\(file.name): cannot be read again") }
      text.advance(by: length)
    } else {
      while text.count < length {
        let next = offset + text.count
        while next >= chunkEnd { try readChunk(upTo: next) }
        text.append(chunk.text + (next - chunkStart), count: min(length - text.count, chunkEnd - next))
      }
    }
    text.append("\n               ")
    return UnsafePointer(text.bytes)
  }

  /// Reads the next chunk; it is expanded where an offset lies within it.
  private func readChunk(upTo offset: Int) throws(RunFailure) {
    while true {
      if try asRead(stored.readNext(into: chunk)) { break }
      guard !stored.hasEnded || stored.position < UInt64(file.bytes), stored.rangeEnd != nil else {
        throw .inputOutput("\(isRest ? "standard input" : file.name): ends before a line that is judged again")
      }
      stored.rangeEnd = stored.position + (shard.place.isPlain ? 1 << 16 : 1)
    }
    let known = chunksRead < counts.count ? counts[chunksRead] : nil
    chunksRead += 1
    chunkStart = chunkEnd
    if let known, chunkStart + known <= offset {
      chunkEnd += known
      return
    }
    chunk.expand()
    chunkEnd += chunk.count
  }
}
