import FileSystem
import Records
import Text
import Threads

/// Writes the files of accounts, many small ones: the texts of some are made, and then written by several threads.
///
/// Each thread has one file open at a time. A text that is longer than a batch of them goes to its file piece by piece.
final class StatementFiles {
  /// The bytes of text in a batch, about.
  private static let batchLength = 1 << 17
  /// And the most files: each costs more than its bytes.
  private static let batchFiles = 128
  /// Threads that write files wait for the disk most of the time, which brings those of several to it in one go.
  private static let leastWriters = 16

  /// Texts that one thread writes, one after the other.
  private final class Batch: @unchecked Sendable {
    @exclusivity(unchecked) var text = TextBuffer(capacity: 1 << 12)
    /// The accounts' numbers, and where the text of each ends.
    @exclusivity(unchecked) var files: [(number: Int, end: Int)] = []
    @exclusivity(unchecked) var failure: FileFailure?

    /// Where the text of the file under way begins.
    var start: Int { files.last?.end ?? 0 }
  }

  private let output: PartialDirectory
  private let names: StatementNames
  private let threads: Int
  private let batches = (0..<leastWriters).map { _ in Batch() }
  /// The place of the batch that texts are added to.
  private var place = 0
  private var long: OpenFile?

  init(_ output: PartialDirectory, names: StatementNames, threads: Int) {
    self.output = output
    self.names = names
    self.threads = max(threads, Self.leastWriters)
  }

  /// Adds to the text of the file under way, that of the account with this number.
  func append(number: Int, _ body: (inout TextBuffer) -> Void) throws(FileFailure) {
    let batch = batches[place]
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
    let batch = batches[place]
    batch.files.append((number: number, end: batch.text.count))
    if batch.text.count >= Self.batchLength || batch.files.count >= Self.batchFiles { place += 1 }
    if place == batches.count { try writeAll() }
  }

  /// Writes what there is of the file under way, which is opened first where it is not open yet.
  private func writeLong(number: Int) throws(FileFailure) {
    let batch = batches[place]
    if long == nil {
      long = try output.makeFile(names.file(number), folder: names.folder(number))
    }
    try long?.write(batch.text.bytes + batch.start, count: batch.text.count - batch.start)
    batch.text.truncate(to: batch.start)
  }

  /// Writes all files that are not written yet; none is under way.
  func writeAll() throws(FileFailure) {
    let (batches, output, names) = (batches, output, names)
    WorkerThreads.perform(batches.count, threads: threads) { Self.write(batches[$0], names, to: output) }
    for batch in batches {
      if let failure = batch.failure { throw failure }
    }
    place = 0
  }

  /// Writes a batch and empties it.
  private static func write(_ batch: Batch, _ names: StatementNames, to output: PartialDirectory) {
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
    batch.text.removeAll(keeping: 2 * batchLength)
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
