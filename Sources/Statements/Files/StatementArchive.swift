import Failures
import FileSystem
import Glibc
import Text

/// Writes the files of accounts as the members of one tar archive, the list of accounts first.
///
/// The list is known last, so the members' texts wait in an unnamed file, which shrinks while they are copied; memory
/// holds 16 bytes per member.
final class StatementArchive: StatementDestination {
  /// About how many bytes of text are held before they are written.
  private static let pieceLength = 1 << 16

  /// A member whose text waits; it begins where the text of the previous member ends.
  private struct Member {
    let end: Int
    let number: UInt32
  }

  private let archive: PartialFile
  private let names: StatementNames
  private let texts: SpoolFile
  private let list: SpoolFile
  /// Texts that go to the unnamed file, and at the end bytes that go into the archive.
  private var text = TextBuffer(capacity: pieceLength)
  private var members: [Member] = []
  /// How much of the texts from their beginning is copied, and how much of that is given back.
  private var (copied, released) = (0, 0)
  /// How much is given back at once: whole blocks of any disk.
  private static let releaseLength = 1 << 20

  init(_ archive: PartialFile, beside place: OutputPlace, names: StatementNames) throws(Failure) {
    self.archive = archive
    self.names = names
    texts = try SpoolFile(beside: place)
    list = try SpoolFile(beside: place)
  }

  func append(number: Int, _ body: (inout TextBuffer) -> Void) throws(Failure) {
    body(&text)
    guard text.count > Self.pieceLength else { return }
    try passOn()
  }

  private func passOn() throws(Failure) {
    try text.withSpan { text throws(Failure) in try texts.append(text) }
    text.removeAll()
  }

  func finish(number: Int) throws(Failure) {
    members.append(Member(end: texts.count + text.count, number: UInt32(number)))
  }

  func appendToList(_ text: borrowing TextBuffer) throws(Failure) {
    try list.append(text.span)
  }

  func finishAll() throws(Failure) {
    try passOn()
    try write(StatementNames.list, 0..<list.count, from: list)
    // With --account, lines are in account order, but members are numbered in the order of the options.
    for place in members.indices.sorted(by: { members[$0].number < members[$1].number }) {
      let member = members[place]
      let start = place == 0 ? 0 : members[place - 1].end
      try write(names.path(Int(member.number)), start..<member.end, from: texts)
      if start == copied { copied = member.end }
      let whole = copied / Self.releaseLength * Self.releaseLength
      if whole > released { texts.release(released..<whole) }
      released = whole
    }
    try write(TarFormat.end)
    try flush()
  }

  private func write(_ path: String, _ range: Range<Int>, from spool: SpoolFile) throws(Failure) {
    try write(TarFormat.header(path, length: range.count, modified: max(names.day.dayStart.seconds, 0)))
    try copy(range, of: spool)
    try write([UInt8](repeating: 0, count: TarFormat.padding(behind: range.count)))
  }

  private func copy(_ range: Range<Int>, of spool: SpoolFile) throws(Failure) {
    try spool.flush()
    for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.pieceLength) {
      let part = start..<min(start + Self.pieceLength, range.upperBound)
      try text.append(atMost: part.count) { room throws(Failure) in try spool.read(part, into: &room) }
      if text.count > Self.pieceLength { try flush() }
    }
  }

  private func write(_ bytes: [UInt8]) throws(Failure) {
    text.append(bytes)
    if text.count > Self.pieceLength { try flush() }
  }

  private func flush() throws(Failure) {
    try text.withSpan { text throws(Failure) in try archive.write(text) }
    text.removeAll()
  }
}
