import BatchFile
import BatchRun
import Threads

/// Writes the files of accounts, many small ones: their texts are gathered, then written by several threads.
///
/// Each thread has one file open at a time. A text that is longer than a batch of them goes to its file piece by piece.
final class StatementFiles {
  /// The bytes of text that are gathered for a thread.
  private static let batchLength = 1 << 19
  /// And the most files: each costs more than its bytes.
  private static let batchFiles = 512

  /// What one thread is to write.
  private final class Batch: @unchecked Sendable {
    @exclusivity(unchecked) var text = TextBuffer(capacity: 1 << 16)
    /// The accounts' numbers, and where the text of each ends.
    @exclusivity(unchecked) var files: [(number: Int, end: Int)] = []
    @exclusivity(unchecked) var failure: RunFailure?

    var start: Int { files.last?.end ?? 0 }
  }

  private let output: OutputTree
  private let names: StatementNames
  private let batches: [Batch]
  private var filling = 0
  private var long: OutputTree.File?

  init(_ output: OutputTree, names: StatementNames, threads: Int) {
    self.output = output
    self.names = names
    batches = (0..<threads).map { _ in Batch() }
  }

  /// Adds to the text of the file under way.
  func append(_ body: (inout TextBuffer) -> Void) { body(&batches[filling].text) }

  /// Lets a long text of the file under way go to its file; to be called now and then.
  func relieve(number: Int) throws(RunFailure) {
    let batch = batches[filling]
    guard batch.text.count - batch.start > Self.batchLength else { return }
    try writeLong(number: number)
  }

  /// Ends the file under way, that of the account with this number.
  func finish(number: Int) throws(RunFailure) {
    if long != nil {
      try writeLong(number: number)
      try long?.close()
      long = nil
      return
    }
    let batch = batches[filling]
    batch.files.append((number: number, end: batch.text.count))
    guard batch.text.count >= Self.batchLength || batch.files.count >= Self.batchFiles else { return }
    filling += 1
    if filling == batches.count { try flush() }
  }

  /// Writes what is gathered. No file may be under way.
  func flush() throws(RunFailure) {
    let (batches, output, names) = (batches, output, names)
    WorkerThreads.run(batches.count) { Self.write(batches[$0], to: output, names: names) }
    for batch in batches {
      // What is left where the system gave fewer threads.
      if batch.failure == nil { Self.write(batch, to: output, names: names) }
      if let failure = batch.failure { throw failure }
    }
    filling = 0
  }

  /// Writes a batch and empties it.
  private static func write(_ batch: Batch, to output: OutputTree, names: StatementNames) {
    var start = 0
    do throws(RunFailure) {
      for (number, end) in batch.files {
        let file = try output.makeFile(names.file(number), folder: names.folder(number))
        try file.write(batch.text.bytes + start, count: end - start)
        try file.close()
        start = end
      }
    } catch {
      batch.failure = error
    }
    batch.files.removeAll(keepingCapacity: true)
    batch.text.removeAll(keeping: 2 * batchLength)
  }

  /// Writes what there is of the file under way, which is opened first where it is not open yet.
  private func writeLong(number: Int) throws(RunFailure) {
    let batch = batches[filling]
    if long == nil { long = try output.makeFile(names.file(number), folder: names.folder(number)) }
    try long?.write(batch.text.bytes + batch.start, count: batch.text.count - batch.start)
    batch.text.truncate(to: batch.start)
  }
}

/// What the files of accounts are called: by number, never by account.
struct StatementNames: Sendable {
  /// The list of accounts beside them.
  static let list = "accounts.csv"

  let format: StatementFormat
  let day: SettlementDay

  /// The folder of an account's file; nil where it has none of its own.
  func folder(_ number: Int) -> String? { format == .stl ? "\(number)" : nil }

  /// The name of an account's file in its folder.
  func file(_ number: Int) -> String { format == .stl ? STLFrame.fileName(day) : "\(number).csv" }

  /// The file's path from the directory of all.
  func path(_ number: Int) -> String { (folder(number).map { "\($0)/" } ?? "") + file(number) }
}
