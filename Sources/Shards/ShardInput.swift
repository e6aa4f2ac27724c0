import BatchRun
import Bytes
import Digests
import Failures
import Input
import Synchronization

/// The text of a shard's lines, chunk by chunk (`shards.md`, "Cutting").
///
/// Except in a file's first shard, it skips the range's text up to the first line feed. After the range, it reads on to
/// the end of the last line.
final class ShardInput: ChunkSource, @unchecked Sendable {  // It has a lock.
  private enum Stage { case head, body, tail, ended }

  private let lock = Mutex(())
  private let file: StoredBatchFile
  private let shard: PlannedShard
  private let planned: PlannedFile
  private let isStandardInput: Bool
  private let checksum: RangeChecksum
  private var stage: Stage
  private var sequence = 0
  /// The chunks that were read, from the beginning of the range on.
  private(set) var chunks: [ShardChunk] = []
  /// The index in `chunks` of each chunk that was handed out.
  private var places: [Int] = []
  private var tailStart: Int?
  /// The number of bytes of text before the shard's first line.
  private(set) var headBytes = 0
  /// Where the file is corrupt before the shard's first line.
  private(set) var headCorruption: CorruptBatch?
  /// Whether the shard's first line was found.
  private(set) var hasLines: Bool
  /// Whether the shard's last line was read, to its line feed after the range.
  private(set) var readsTailFeed = false
  /// Whether the shard's last line is lost, because the file is corrupt after the range.
  private(set) var lacksTail = false
  private(set) var failure: Failure?

  init(_ shard: PlannedShard, of file: PlannedFile, path: String?) throws(Failure) {
    self.shard = shard
    planned = file
    isStandardInput = path == "-"
    let path = try file.source(path)
    let checksum = RangeChecksum(shard.end - shard.start)
    self.checksum = checksum
    self.file = try StoredBatchFile(path: path, at: shard.place) { checksum.update($0) }
    if shard.end < file.bytes { self.file.rangeEnd = UInt64(shard.end) }
    hasLines = shard.isFirst
    stage = shard.isFirst ? .body : .head
  }

  var storedBytesRead: Int { Int(clamping: file.storedBytesRead) }

  /// Where reading ended in the file.
  var end: Int { max(shard.end, Int(file.position)) }

  /// The XXH3-64 of the range; nil if not all of it was read.
  var rangeDigest: String? { checksum.digest }

  /// The number of bytes of the range's text.
  var textBytes: Int { chunks[..<(tailStart ?? chunks.count)].reduce(0) { $0 + $1.text } }

  func readNext(into work: ChunkWork) -> Bool {
    lock.withLock { _ in
      guard failure == nil else { return false }
      do throws(Failure) {
        guard try readStage(into: work.chunk) else { return false }
      } catch {
        failure = error
        return false
      }
      work.sequence = sequence
      sequence += 1
      places.append(chunks.count - 1)
      return true
    }
  }

  func expanded(_ work: ChunkWork) {
    lock.withLock { _ in
      let place = places[work.sequence]
      if chunks[place].text < 0 { chunks[place].text = work.chunk.count }
    }
  }

  private func readStage(into chunk: TextChunk) throws(Failure) -> Bool {
    while true {
      switch stage {
      case .ended: return false
      case .head:
        guard try readHead(into: chunk) else { continue }
        return true
      case .body:
        if try read(into: chunk) { return true }
        stage = shard.end < planned.bytes ? .tail : .ended
        tailStart = chunks.count
      case .tail:
        guard try readTail(into: chunk) else { continue }
        return true
      }
    }
  }

  /// Reads up to the first line feed of the range; false if there is no line in this chunk.
  private func readHead(into chunk: TextChunk) throws(Failure) -> Bool {
    guard try read(into: chunk) else {
      stage = .ended
      return false
    }
    expand(chunk)
    guard let feed = chunk.span.place(of: 0x0A) else {
      headBytes += chunk.count
      if chunk.isLastOfFile { stage = .ended }
      if let corruption = chunk.corruption {
        headCorruption = corruption
        stage = .ended
      }
      return false
    }
    let start = feed + 1
    headBytes += start
    chunk.keep(start..<chunk.count, endsFile: false)
    hasLines = true
    stage = .body
    return true
  }

  /// Reads on after the range to the end of the last line, as little at a time as possible.
  private func readTail(into chunk: TextChunk) throws(Failure) -> Bool {
    file.rangeEnd = file.position + (shard.place.isPlain ? 1 << 16 : 1)
    guard try read(into: chunk) || chunk.isLastOfFile else { return false }
    expand(chunk)
    if let feed = chunk.span.place(of: 0x0A) {
      chunk.keep(0..<feed + 1, endsFile: true)
      readsTailFeed = true
      stage = .ended
      return true
    }
    if chunk.isLastOfFile { stage = .ended }
    // Another shard reports it.
    lacksTail = chunk.corruption != nil
    return !lacksTail
  }

  private func expand(_ chunk: TextChunk) {
    chunk.expand()
    chunks[chunks.count - 1].text = chunk.count
  }

  private func read(into chunk: TextChunk) throws(Failure) -> Bool {
    let place = file.place
    let isRead = try file.readNext(into: chunk)
    if isRead || chunk.isLastOfFile && stage == .tail { chunks.append(ShardChunk(place: place)) }
    if isStandardInput, file.hasEnded, chunk.isLastOfFile, shard.start + storedBytesRead < planned.bytes,
      !(stage == .tail && chunk.span.place(of: 0x0A) != nil)
    {
      throw .inputOutput(
        "standard input: ends at byte \(shard.start + storedBytesRead) of \(planned.name); the shard needs more")
    }
    return isRead
  }
}

/// The XXH3-64 of the first bytes that it takes, up to a length.
final class RangeChecksum {
  private var checksum = XXH3()
  private var left: Int

  init(_ length: Int) { left = length }

  func update(_ text: Span<UInt8>) {
    let text = text.extracting(first: min(left, text.count))
    checksum.update(text)
    left -= text.count
  }

  /// In hexadecimal digits; nil if it took fewer bytes.
  var digest: String? { left == 0 ? Hexadecimal.text(checksum.finalize()) : nil }
}
