import BatchRun
import Failures
import FileSystem
import Postings
import Documents

/// A record of a batch and its place; valid until the visit to it ends.
public struct BatchRecord: ~Escapable {
  /// Its text without the line ending; incomplete if the record is too long.
  public let text: Span<UInt8>
  /// The length of its whole text in bytes.
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
    !isTooLong && text.place(of: bytes.span) != nil
  }

  /// Whether its text contains a backslash, so that a string in it may be written with escapes.
  public var hasEscapes: Bool { !isTooLong && text.place(of: UInt8(ascii: "\\")) != nil }

  @_lifetime(copy text)
  private init(_ text: Span<UInt8>, length: Int, file: String, fileNumber: Int, line: Int, offset: Int) {
    (self.text, self.length, self.file) = (text, length, file)
    (self.fileNumber, self.line, self.offset) = (fileNumber, line, offset)
  }

  /// A line that is within a chunk.
  @_lifetime(copy text)
  fileprivate init(_ text: Span<UInt8>, of work: ChunkWork, _ names: [String], line: Int, offset: Int) {
    self.init(
      text, length: text.count, file: names[work.file], fileNumber: work.file, line: line, offset: offset)
  }

  /// A line that spans chunks and ends in this one.
  @_lifetime(borrow line)
  fileprivate init(_ line: borrowing SpanningLine, of work: ChunkWork, _ names: [String]) {
    self.init(
      line.text.span, length: line.length, file: names[work.file], fileNumber: work.file, line: line.number,
      offset: line.offset)
  }
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
    _ paths: [String], ledger: BatchLedger? = nil, checkedBy options: RunOptions? = nil, hashes: Bool = false,
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
      if let line = spanning.begin(work) { try visit(BatchRecord(line, of: work, names)) }
      let (line, offset) = (spanning.line, spanning.offset)
      let chunk = work.chunk
      try work.visitLines { start, length throws(Failure) in
        try visit(
          BatchRecord(
            chunk.span.extracting(start..<start + length), of: work, names, line: line + work.lineCount,
            offset: offset + start))
      }
      if let line = try spanning.finish(work, fileNames: input.escapedNames) {
        try visit(BatchRecord(line, of: work, names))
      }
    }
    if let failure = input.failure { throw failure }
    guard let options, let trace = trace() else { return input.files }
    _ = try BatchRun.validate(
      sources, findings: FindingsList(.jsonl, limit: 0), options: options, ledger: ledger, trace: trace
    ) { _ in }
    return input.files
  }
}
