import BatchRun
import CSystemCalls
import Failures
import FileSystem
import Glibc
import Postings
import Reports

/// A record of a batch and its place; valid until the visit to it ends.
public struct BatchRecord {
  /// Its text without the line ending, ready to be judged; incomplete if the record is too long.
  public let text: UnsafePointer<UInt8>
  /// The length of its text in bytes.
  public let length: Int
  /// Its file's name as given, with control characters escaped.
  public let file: String
  /// The index of its file among the batch's files.
  public let fileNumber: Int
  /// Its line number in the file, from 1.
  public let line: Int
  /// The offset of its first byte in the file's text.
  public let offset: Int

  /// Whether it exceeds the limit: do not read its text, only report it as too long.
  public var isTooLong: Bool { length > RecordLimits.maximumLength }

  /// Whether its text contains the bytes; false if the record is too long.
  public func holds(_ bytes: [UInt8]) -> Bool {
    !isTooLong && settle_find(bytes, bytes.count, text, length) != nil
  }

  /// Whether its text contains a backslash, so that a string in it may be written with escapes.
  public var hasEscapes: Bool { !isTooLong && memchr(text, Int32(UInt8(ascii: "\\")), length) != nil }
}

/// Reads batches record by record on one thread, for callers that look for a few of them.
public enum BatchReading {
  /// Visits the records of a batch in order, including header and trailer, on the caller's thread.
  ///
  /// Skips empty lines. Fails like a run if the batch cannot be read or is corrupt. Only the check of the whole batch,
  /// after the last record, judges the order of header and trailer and their figures.
  ///
  /// - Parameters:
  ///   - paths: the batch's files in order; `-` is standard input.
  ///   - ledger: a ledger opened for the same files; it may have copied them.
  ///   - options: the options for checking the whole batch; nil to skip the check.
  ///   - plainChunkLength: the bytes of plain text in a chunk; tests make it small.
  ///   - hashes: whether to compute the files' digests.
  ///   - trace: called after the last record; returns the trace of the check, or nil to skip the check.
  /// - Returns: the files as read.
  @discardableResult
  public static func forEachRecord(
    _ paths: [String], ledger: ReadLedger? = nil, checkedBy options: RunOptions? = nil, hashes: Bool = false,
    plainChunkLength: Int = 1 << 20, trace: () -> ClaimTrace? = { ClaimTrace([]) },
    _ visit: (BatchRecord) throws(Failure) -> Void
  ) throws(Failure) -> [StoredFile] {
    var sources = ledger?.sources ?? paths.map { InputSource(path: $0) }
    if ledger == nil, let options {
      sources = try InputCopy.sources(paths, beside: OutputPlace(path: options.scratch))
    }
    let input = try BatchInput(sources, hashes: hashes)
    let names = input.escapedNames.map { String(decoding: $0, as: UTF8.self) }
    let work = ChunkWork(plainLength: plainChunkLength, textBudget: 1, accounts: AccountTotals())
    var spanning = SpanningLines()
    while input.readNext(into: work) {
      work.chunk.expand()
      work.findFirstLineEnd()
      if let line = spanning.begin(work) { try visit(BatchRecord(line, file: names[work.file], number: work.file)) }
      let (line, offset) = (spanning.line, spanning.offset)
      try work.visitLines { start, length throws(Failure) in
        try visit(
          BatchRecord(
            text: UnsafePointer(work.chunk.text + start), length: length, file: names[work.file],
            fileNumber: work.file, line: line + work.lineCount, offset: offset + start))
      }
      if let line = try spanning.finish(work, fileNames: input.escapedNames) {
        try visit(BatchRecord(line, file: names[work.file], number: work.file))
      }
    }
    if let failure = input.failure { throw failure }
    guard let options, let trace = trace() else { return input.files }
    _ = try BatchRun.validate(
      sources, findings: FindingsList(.jsonl, limit: 0), options: options, ledger: ledger, trace: trace
    ) { _, _ in }
    return input.files
  }
}

extension BatchRecord {
  package init(_ line: SpanningLine, file: String, number: Int) {
    self.init(
      text: line.bytes, length: line.length, file: file, fileNumber: number, line: line.number, offset: line.offset)
  }
}
