import FileSystem
import Input
import Records
import Text
import Threads

/// Writes the files of accounts, many small ones: while the texts of some are made, others are written by more threads.
///
/// Each thread has one file open at a time. A text that is longer than a batch of them goes to its file piece by piece.
final class StatementFiles: @unchecked Sendable {
  /// The bytes of text in a batch, about.
  private static let batchLength = 1 << 17
  /// And the most files: each costs more than its bytes.
  private static let batchFiles = 128
  /// The batches that are written while as many are made.
  private static let waveLength = 16

  /// Texts that one thread writes, one after the other.
  private final class Batch: @unchecked Sendable {
    @exclusivity(unchecked) var text = TextBuffer(capacity: 1 << 12)
    /// The accounts' numbers, and where the text of each ends.
    @exclusivity(unchecked) var files: [(number: Int, end: Int)] = []
    @exclusivity(unchecked) var failure: FileFailure?

    /// Where the text of the file under way begins.
    var start: Int { files.last?.end ?? 0 }
  }

  private let output: OutputTree
  private let names: StatementNames
  private let threads: Int
  private var making = (0..<waveLength).map { _ in Batch() }
  private var ready = (0..<waveLength).map { _ in Batch() }
  private var place = 0
  private var long: OpenFile?
  private var failure: FileFailure?
  private var hasMore = true

  init(_ output: OutputTree, names: StatementNames, threads: Int) {
    self.output = output
    self.names = names
    self.threads = threads
  }

  /// Writes all files.
  ///
  /// - Parameter make: makes texts until `isFull`, always between files; called by one thread at a time until it answers
  ///   that there are no more, or throws.
  func writeAll(_ make: @Sendable () throws(FileFailure) -> Bool) throws(FileFailure) {
    var readyCount = 0
    while hasMore || readyCount > 0 {
      let wave = ready.prefix(readyCount)
      place = 0
      WorkerThreads.perform(1 + wave.count, threads: threads) { [self] task in
        if task > 0 { return write(wave[task - 1]) }
        guard hasMore else { return }
        do throws(FileFailure) { hasMore = try make() } catch { failure = error }
      }
      if let failure { throw failure }
      for batch in wave {
        if let failure = batch.failure { throw failure }
      }
      // The last one may be begun.
      readyCount = place < making.count && !making[place].files.isEmpty ? place + 1 : place
      swap(&making, &ready)
    }
  }

  // MARK: Making

  /// Whether no file may be begun now.
  var isFull: Bool { place == making.count }

  /// Adds to the text of the file under way, that of the account with this number.
  func append(number: Int, _ body: (inout TextBuffer) -> Void) throws(FileFailure) {
    let batch = making[place]
    body(&batch.text)
    if batch.text.count - batch.start > Self.batchLength { try writeLong(number: number) }
  }

  /// Ends the file under way.
  func finish(number: Int) throws(FileFailure) {
    if long != nil {
      try writeLong(number: number)
      if let long { try output.finish(long, folder: names.folder(number)) }
      long = nil
      return
    }
    let batch = making[place]
    batch.files.append((number: number, end: batch.text.count))
    if batch.text.count >= Self.batchLength || batch.files.count >= Self.batchFiles { place += 1 }
  }

  /// Writes what there is of the file under way, which is opened first where it is not open yet.
  private func writeLong(number: Int) throws(FileFailure) {
    let batch = making[place]
    if long == nil {
      long = try output.makeFile(names.file(number), folder: names.folder(number))
    }
    try long?.write(batch.text.bytes + batch.start, count: batch.text.count - batch.start)
    batch.text.truncate(to: batch.start)
  }

  // MARK: Writing

  /// Writes a batch and empties it.
  private func write(_ batch: Batch) {
    var start = 0
    do throws(FileFailure) {
      for (number, end) in batch.files {
        let file = try output.makeFile(names.file(number), folder: names.folder(number))
        try file.write(batch.text.bytes + start, count: end - start)
        try output.finish(file, folder: names.folder(number))
        start = end
      }
    } catch {
      batch.failure = error
    }
    batch.files.removeAll(keepingCapacity: true)
    batch.text.removeAll(keeping: 2 * Self.batchLength)
  }
}

/// What the files of accounts are called: by number, never by account.
struct StatementNames: Sendable {
  /// The list of accounts beside them.
  static let list = "accounts.csv"

  let format: StatementFormat
  let day: UTCTime
  private let stlName: String

  init(format: StatementFormat, day: UTCTime) {
    self.format = format
    self.day = day
    stlName = STLFrame.fileName(day)
  }

  /// The folder of an account's file; nil where it has none of its own.
  func folder(_ number: Int) -> String? { format == .stl ? "\(number)" : nil }

  /// The name of an account's file in its folder.
  func file(_ number: Int) -> String { format == .stl ? stlName : "\(number).csv" }

  /// The file's path from the directory of all.
  func path(_ number: Int) -> String { (folder(number).map { "\($0)/" } ?? "") + file(number) }
}
