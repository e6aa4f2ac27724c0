import Failures
import FileSystem
import Text
import Threads

/// Writes the files of accounts, which are many and small: the texts of a group of files are made, and then several
/// threads write them.
///
/// Each thread has one file open at a time. A text that is longer than a group is written to its file piece by piece.
final class StatementFiles: StatementDestination {
  /// About how many bytes of text a group has.
  private static let groupLength = 1 << 17
  /// The most files in a group: each costs more than its bytes.
  private static let groupFiles = 128
  /// Threads that write files mostly wait for the disk, which writes the files of several threads at once.
  private static let leastWriters = 16

  /// The texts that one thread writes, one after the other.
  private final class FileGroup: @unchecked Sendable {  // One thread writes it; then the caller reads it.
    var text = TextBuffer(capacity: 1 << 12)
    /// The accounts' numbers, and the end of each one's text.
    var files: [(number: Int, end: Int)] = []

    /// Where the text of the current file begins.
    var start: Int { files.last?.end ?? 0 }
  }

  private let output: PartialDirectory
  private let names: StatementNames
  private let threads: Int
  private let groups = (0..<leastWriters).map { _ in FileGroup() }
  /// The index of the group to which texts are added.
  private var place = 0
  private var long: OpenFile?
  private let list: OpenFile

  init(_ output: PartialDirectory, names: StatementNames, threads: Int) throws(Failure) {
    self.output = output
    list = try output.makeFile(StatementNames.list)
    self.names = names
    self.threads = max(threads, Self.leastWriters)
  }

  func append(number: Int, _ body: (inout TextBuffer) -> Void) throws(Failure) {
    let group = groups[place]
    body(&group.text)
    if group.text.count - group.start > Self.groupLength { try writeLong(number: number) }
  }

  func finish(number: Int) throws(Failure) {
    if long != nil {
      try writeLong(number: number)
      if let long { try output.finish(long, folder: names.folder(number)) }
      long = nil
      return
    }
    let group = groups[place]
    group.files.append((number: number, end: group.text.count))
    if group.text.count >= Self.groupLength || group.files.count >= Self.groupFiles { place += 1 }
    if place == groups.count { try writeAll() }
  }

  /// Writes what there is of the current file, and opens it first if needed.
  private func writeLong(number: Int) throws(Failure) {
    let group = groups[place]
    if long == nil {
      long = try output.makeFile(names.file(number), folder: names.folder(number))
    }
    if let long {
      try group.text.withSpan { text throws(Failure) in try long.write(text.extracting(droppingFirst: group.start)) }
    }
    group.text.truncate(to: group.start)
  }

  func appendToList(_ text: borrowing TextBuffer) throws(Failure) {
    try list.write(text.span)
  }

  func finishAll() throws(Failure) {
    try writeAll()
    try output.finish(list, folder: nil)
  }

  /// Writes all files that are not written yet. There must be no current file.
  private func writeAll() throws(Failure) {
    let (groups, output, names) = (groups, output, names)
    try WorkerThreads.perform(groups.count, threads: threads) { number throws(Failure) in
      try Self.write(groups[number], names, to: output)
    }
    place = 0
  }

  /// Writes a group and empties it.
  private static func write(
    _ group: FileGroup, _ names: StatementNames, to output: PartialDirectory
  ) throws(Failure) {
    var start = 0
    for (number, end) in group.files {
      let file = try output.makeFile(names.file(number), folder: names.folder(number))
      try group.text.withSpan { text throws(Failure) in try file.write(text.extracting(start..<end)) }
      try output.finish(file, folder: names.folder(number))
      start = end
    }
    group.files.removeAll(keepingCapacity: true)
    group.text.removeAll(keeping: 2 * groupLength)
  }
}
