import FileSystem
import Text
import Threads

/// Writes the files of accounts, many small ones: the texts of some are made, and then written by several threads.
///
/// Each thread has one file open at a time. A text that is longer than a batch of them goes to its file piece by piece.
final class StatementFiles: StatementDestination {
  /// The bytes of text in a batch, about.
  private static let batchLength = 1 << 17
  /// And the most files: each costs more than its bytes.
  private static let batchFiles = 128
  /// Threads that write files wait for the disk most of the time, which brings those of several to it in one go.
  private static let leastWriters = 16

  /// Texts that one thread writes, one after the other.
  private final class Batch: @unchecked Sendable {  // One thread writes it; then the caller reads it.
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
  private let list: OpenFile

  init(_ output: PartialDirectory, names: StatementNames, threads: Int) throws(FileFailure) {
    self.output = output
    list = try output.makeFile(StatementNames.list)
    self.names = names
    self.threads = max(threads, Self.leastWriters)
  }

  func append(number: Int, _ body: (inout TextBuffer) -> Void) throws(FileFailure) {
    let batch = batches[place]
    body(&batch.text)
    if batch.text.count - batch.start > Self.batchLength { try writeLong(number: number) }
  }

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

  /// Writes what there is of the file under way, which is opened first if it is not open yet.
  private func writeLong(number: Int) throws(FileFailure) {
    let batch = batches[place]
    if long == nil {
      long = try output.makeFile(names.file(number), folder: names.folder(number))
    }
    try long?.write(batch.text.bytes + batch.start, count: batch.text.count - batch.start)
    batch.text.truncate(to: batch.start)
  }

  func appendToList(_ text: borrowing TextBuffer) throws(FileFailure) {
    try list.write(text.bytes, count: text.count)
  }

  func finishAll() throws(FileFailure) {
    try writeAll()
    try output.finish(list, folder: nil)
  }

  /// Writes all files that are not written yet; none is under way.
  private func writeAll() throws(FileFailure) {
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
