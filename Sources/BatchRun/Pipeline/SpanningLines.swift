import Failures
import Input
import Text

/// A line that began in one chunk and ended in a later one, or with the file.
package struct SpanningLine: ~Copyable {
  /// The line without its ending; incomplete if it exceeds the limit.
  package let text: TextBuffer
  /// Its whole length without its ending.
  package let length: Int
  /// The offset of its first byte in the file's text.
  package let offset: Int
  /// Its number in the file, from 1.
  package let number: Int
}

/// Carries state from chunk to chunk, in batch order: file, line number, offset, unfinished line, checksums.
package struct SpanningLines: ~Copyable {
  /// The index of the file among the batch's files.
  package private(set) var file = -1
  /// The line number at the chunk's first byte; after the first line end, of the line there.
  package private(set) var line = 1
  /// The offset of the chunk's first byte in the file's text.
  package private(set) var offset = 0
  private var carried = CarriedLine()
  private let verifier = ContentVerifier()
  /// Knows what is wrong with the content, if lanes check it.
  private let expanded: ExpandedOrder?
  /// Whether the checksums of frames' whole contents are verified.
  private var verifiesContent = true
  /// Why the file is corrupt: its text ends at `offset`.
  package private(set) var corruption: CorruptBatch?
  /// Whether the first chunk begins its file, which has the index 0.
  private var beginsFile = false
  /// Whether text of the chunk was cut off.
  package private(set) var isCut = false

  /// Starts before the first chunk.
  ///
  /// - Parameter expanded: checks all chunks as they are expanded; nil if content is checked here.
  package init(checkedBy expanded: ExpandedOrder? = nil) { self.expanded = expanded }

  /// Starts within one file, of index 0, at the beginning of the line with this number.
  package init(line: Int, isFileStart: Bool) {
    expanded = nil
    file = 0
    beginsFile = isFileStart
    verifiesContent = false
    self.line = line
    carried.begin(at: 0, isFileStart: isFileStart)
  }

  /// Whether a chunk is the first of its file.
  package func isFileStart(_ work: ChunkWork) -> Bool { work.file != file || beginsFile && offset == 0 }

  /// Begins a chunk: returns the line that earlier chunks began and that ends in this one, unless it is empty.
  ///
  /// If the checksum of a frame that ends in the chunk is wrong, the text after that frame is cut off.
  package mutating func begin(_ work: ChunkWork) -> SpanningLine? {
    corruption =
      if let expanded {
        expanded.fault(of: work)
      } else {
        verifiesContent ? verifier.verify(work.chunk) : work.chunk.corruption
      }
    if let end = corruption.flatMap({ work.chunk.textEnd(ofFrameEndingAt: $0.storedOffset) }), end < work.chunk.count {
      work.chunk.keep(0..<end, endsFile: true)
      work.findFirstLineEnd()
      isCut = true
    }
    if work.file != file {
      file = work.file
      line = 1
      offset = 0
      carried.begin(at: 0, isFileStart: true)
    }
    let chunk = work.chunk
    carried.append(chunk.span.extracting(first: work.headEnd))
    guard work.hasLineEnd else { return nil }
    defer { line += 1 }
    return removeCarried()
  }

  /// Ends a chunk: returns the line that ends with the file, unless it is empty.
  ///
  /// Throws if the file is corrupt.
  package mutating func finish(_ work: ChunkWork, fileNames: [[UInt8]]) throws(Failure) -> SpanningLine? {
    line += work.lineCount
    if work.hasLineEnd {
      carried.begin(at: offset + work.tailStart, isFileStart: false)
      let chunk = work.chunk
      carried.append(chunk.span.extracting(droppingFirst: work.tailStart))
    }
    offset += work.chunk.count
    if let corruption {
      throw .batch(
        BatchError(
          .corruptBatch, "\(corruption.reason) (stored byte \(corruption.storedOffset))",
          file: String(decoding: fileNames[work.file], as: UTF8.self)))
    }
    guard work.chunk.isLastOfFile else { return nil }
    carried.endWithoutLineFeed()
    return removeCarried()
  }

  private mutating func removeCarried() -> SpanningLine? {
    defer { carried.begin(at: 0, isFileStart: false) }
    return carried.finish(number: line)
  }
}
