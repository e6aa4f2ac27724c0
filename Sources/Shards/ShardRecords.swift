import Failures
import FileSystem
import Input
import SystemPackage
import Text

/// The lines of a shard that are judged again, in the order of the shard.
///
/// From a file or by questions, it reads only these lines of plain text. Of LZ4, it reads only the chunks that contain
/// them.
final class ShardRecords {
  private let shard: PlannedShard
  private let file: PlannedFile
  /// The chunks in which `run` read the shard; empty for plain text.
  private let chunks: [ShardChunk]
  /// The offset of each chunk in the shard's text.
  private let starts: [Int]
  /// Reads the file; nil for standard input from the shard's first byte on.
  private let ranges: RangedFile?
  /// Reads the chunks from `next` on; nil if a chunk must be chosen first.
  private var stored: StoredBatchFile?
  private var next = 0
  private let chunk = TextChunk()
  private var chunkStart = 0
  private var chunkEnd = 0

  init(_ shard: PlannedShard, of files: [PlannedFile], _ source: ShardSource, _ chunks: [ShardChunk]) throws(Failure) {
    self.shard = shard
    file = files[shard.file]
    self.chunks = chunks
    var end = 0
    starts = chunks.map { chunk in
      defer { end += chunk.text }
      return end
    }
    switch source {
    case .file:
      let path = try file.source(nil)
      let open: OpenFile
      do throws(Errno) { open = try OpenFile(reading: path, waits: false) } catch {
        throw .unreadable("\(file.name): cannot open the file: \(error)")
      }
      ranges = RangedFile(name: path, size: UInt64(file.bytes)) { offset, room throws(Failure) in
        if (try? open.descriptor.read(fromAbsoluteOffset: Int(offset), into: &room)) == room.count { return }
        throw .cannotRead(path, "it was changed while it was read")
      }
    case .standardInput:
      ranges = nil
      stored = try StoredBatchFile(path: "-", at: shard.place, observing: nil)
    case .questions(let ask): ranges = RemoteBatch(ask).ranged(shard.file, file)
    }
  }

  /// Replaces a text by the line with a length at an offset of the shard's text.
  func read(_ text: inout TextBuffer, at offset: Int, length: Int) throws(Failure) {
    text.removeAll(keeping: 1 << 21)
    if let ranges, shard.place.isPlain {
      text.append(try bytes(of: ranges, at: UInt64(shard.start + offset), count: length))
    } else {
      while text.count < length {
        let at = offset + text.count
        while at >= chunkEnd {
          let before = next
          if ranges != nil { try choose(at) }
          try readChunk(upTo: at)
          guard next > before else { throw endsTooEarly }
        }
        let (chunk, start) = (chunk, at - chunkStart)
        text.append(chunk.span.extracting(start..<start + min(length - text.count, chunkEnd - at)))
      }
    }
  }

  private func bytes(of file: RangedFile, at offset: UInt64, count: Int) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var room = bytes.mutableSpan
    try file.read(offset, &room)
    return bytes
  }

  private var endsTooEarly: Failure {
    .inputOutput("\(ranges == nil ? "standard input" : file.name): ends before a line that is judged again")
  }

  /// Opens the file at the chunk with an offset, or earlier in a frame of linked blocks, unless reading on reaches it.
  private func choose(_ offset: Int) throws(Failure) {
    guard let wanted = starts.lastIndex(where: { $0 <= offset }),
      let first = chunks[...wanted].lastIndex(where: { $0.place != nil })
    else { return }
    if stored != nil, first < next { return }
    let (place, end) = (chunks[first].place!, first == wanted ? end(of: first) : nil)
    (next, chunkEnd) = (first, starts[first])
    var source = ranges!
    if let end {
      // Reads the whole chunk at once, with the header of the block after it.
      let range = place.offset..<min(end + 4, ranges!.size)
      let held = try bytes(of: ranges!, at: range.lowerBound, count: range.count)
      source = RangedFile(name: file.name, size: range.upperBound) { offset, target in
        let start = Int(offset - range.lowerBound)
        target.copy(held.span.extracting(start..<start + target.count), to: 0)
      }
    }
    stored = StoredBatchFile(source, at: place)
  }

  /// The offset in the file of the end of a chunk; nil if it is not known.
  private func end(of chunk: Int) -> UInt64? {
    if chunk + 1 < chunks.count { return chunks[chunk + 1].place?.offset }
    return chunks[chunk].place.flatMap { $0.offset < UInt64(shard.end) ? UInt64(shard.end) : nil }
  }

  /// Reads the next chunk, and expands it if it reaches an offset.
  private func readChunk(upTo offset: Int) throws(Failure) {
    guard let stored else { preconditionFailure("no chunk is chosen") }
    var limit = (next < chunks.count ? end(of: next) : nil) ?? UInt64(shard.end)
    while true {
      // After the range, as little at a time as possible, as `run` read it: perhaps only the header of a frame.
      stored.rangeEnd = stored.position < limit ? limit : stored.position + (shard.place.isPlain ? 1 << 16 : 1)
      if try stored.readNext(into: chunk) { break }
      if chunk.isLastOfFile { throw endsTooEarly }
      limit = 0
    }
    let known = next < chunks.count ? chunks[next].text : nil
    if ranges != nil, next < chunks.count, end(of: next) != nil { self.stored = nil }
    next += 1
    chunkStart = chunkEnd
    if let known, chunkStart + known <= offset {
      chunkEnd += known
      return
    }
    chunk.expand()
    chunkEnd += chunk.count
  }
}
