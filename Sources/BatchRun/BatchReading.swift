import CSystemCalls
import FileSystem
import Glibc
import Postings
import Reports

/// A record of a batch where it stands, good until the visit to it ends.
public struct BatchRecord {
  /// Its text without the line ending, ready to be assessed; of one that is too long not all.
  public let text: UnsafePointer<UInt8>
  /// The length of its text in bytes.
  public let length: Int
  /// Its file's name as given, with control characters escaped.
  public let file: String
  /// The place of its file among the batch's files.
  public let fileNumber: Int
  /// Its line number in the file, from 1.
  public let line: Int
  /// The offset of its first byte in the file's text.
  public let offset: Int

  /// Whether it is over the limit: not to be read, only to be assessed as too long.
  public var isTooLong: Bool { length > RecordLimits.maximumLength }

  /// Whether the bytes stand somewhere in its text; never in one that is too long.
  public func holds(_ bytes: [UInt8]) -> Bool {
    !isTooLong && settle_find(bytes, bytes.count, text, length) != nil
  }

  /// Whether its text has a backslash, so that its strings may not stand in it as they are.
  public var hasEscapes: Bool { !isTooLong && memchr(text, Int32(UInt8(ascii: "\\")), length) != nil }
}

/// Reads batches record by record on one thread, for those who look for a few of them.
public enum BatchReading {
  /// Visits the records of a batch in order, header and trailer among them, on the caller's thread.
  ///
  /// Empty lines are skipped, and a batch that cannot be read or is corrupt fails, as in a run; the order of header and
  /// trailer and their figures are looked at only by a check of the whole batch, after the last record.
  ///
  /// - Parameters:
  ///   - paths: the batch's files in order; `-` is standard input.
  ///   - ledger: one that was opened for the same files, and may have copied them.
  ///   - options: by which the whole batch is checked; nil if it is not.
  ///   - plainChunkLength: bytes of plain text in a chunk; tests make it small.
  ///   - hashes: whether the files' digests are wanted.
  ///   - trace: asked after the last record; told what claims meet in the check, or nil if there need be none.
  /// - Returns: the files as they were read.
  @discardableResult
  public static func forEachRecord(
    _ paths: [String], ledger: ReadLedger? = nil, checkedBy options: RunOptions? = nil, hashes: Bool = false,
    plainChunkLength: Int = 1 << 20, trace: () -> ClaimTrace? = { ClaimTrace([]) },
    _ visit: (BatchRecord) throws(RunFailure) -> Void
  ) throws(RunFailure) -> [StoredFile] {
    var sources = ledger?.sources ?? paths.map { InputSource(path: $0) }
    if ledger == nil, let options {
      sources = try InputCopy.sources(paths, beside: asRunFailure(OutputPlace(path: options.scratch)))
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
      try work.visitLines { start, length throws(RunFailure) in
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
  init(_ line: SpanningLine, file: String, number: Int) {
    self.init(
      text: line.bytes, length: line.length, file: file, fileNumber: number, line: line.number, offset: line.offset)
  }
}
