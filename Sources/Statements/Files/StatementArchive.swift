import FileSystem
import Glibc
import Records
import Text

/// The forms of archives that statements go into, by the ends of their names.
enum ArchiveForm: String {
  case tar = ".tar"
  case zip = ".zip"

  /// The form of an output; nil if it is a directory.
  init?(output: String) {
    guard let form = [Self.tar, .zip].first(where: { output.hasSuffix($0.rawValue) }) else { return nil }
    self = form
  }
}

/// Writes the files of accounts as the members of one archive, the list of accounts first.
///
/// The list is known last: the members' texts wait in a file without a name, and 16 bytes of each in memory.
final class StatementArchive: StatementDestination {
  /// The bytes of text that are held before they go on, about.
  private static let pieceLength = 1 << 16

  /// A member whose text waits: it begins where that of the member before ends.
  private struct Member {
    let end: Int
    let number: UInt32
    let checksum: CRC32
  }

  private let archive: PartialFile
  private let form: ArchiveForm
  private let names: StatementNames
  private let texts: SpoolFile
  private let list: SpoolFile
  /// Texts on their way to the file without a name, and in the end what goes into the archive.
  private var text = TextBuffer(capacity: pieceLength)
  private var members: [Member] = []
  private var checksum = CRC32()
  private var listChecksum = CRC32()
  /// The bytes of the archive that are written.
  private var written = 0

  init(
    _ archive: PartialFile, _ form: ArchiveForm, beside place: OutputPlace, names: StatementNames
  ) throws(FileFailure) {
    self.archive = archive
    self.form = form
    self.names = names
    texts = try SpoolFile(beside: place)
    list = try SpoolFile(beside: place)
  }

  func append(number: Int, _ body: (inout TextBuffer) -> Void) throws(FileFailure) {
    let start = text.count
    body(&text)
    if form == .zip { checksum.update(text.bytes + start, count: text.count - start) }
    guard text.count > Self.pieceLength else { return }
    try texts.append(text.bytes, count: text.count)
    text.removeAll()
  }

  func finish(number: Int) throws(FileFailure) {
    members.append(Member(end: texts.count + text.count, number: UInt32(number), checksum: checksum))
    checksum = CRC32()
  }

  func appendToList(_ text: borrowing TextBuffer) throws(FileFailure) {
    if form == .zip { listChecksum.update(text.bytes, count: text.count) }
    try list.append(text.bytes, count: text.count)
  }

  func finishAll() throws(FileFailure) {
    try texts.append(text.bytes, count: text.count)
    text.removeAll()
    let listLength = list.count
    try write(StatementNames.list, 0..<listLength, listChecksum, from: list)
    // With --account, lines come by account, and numbers are as the accounts were given.
    for place in members.indices.sorted(by: { members[$0].number < members[$1].number }) {
      let member = members[place]
      let start = place == 0 ? 0 : members[place - 1].end
      try write(names.path(Int(member.number)), start..<member.end, member.checksum, from: texts)
    }
    switch form {
    case .tar: try write(TarFormat.end)
    case .zip:
      // The directory of a zip archive waits after the list.
      let start = written + text.count
      try copy(listLength..<list.count, of: list)
      try write(ZipFormat.end(members: members.count + 1, directory: start..<written + text.count))
    }
    try flush()
  }

  private func write(
    _ path: String, _ range: Range<Int>, _ checksum: CRC32, from spool: SpoolFile
  ) throws(FileFailure) {
    switch form {
    case .tar:
      try write(TarFormat.header(path, length: range.count, modified: max(names.day.dayStart.seconds, 0)))
    case .zip:
      let member = ZipFormat.Member(
        path: path, length: range.count, checksum: checksum, day: names.day, offset: written + text.count)
      try write(member.header)
      let entry = member.directoryEntry
      try list.append(entry, count: entry.count)
    }
    try copy(range, of: spool)
    if form == .tar { try write([UInt8](repeating: 0, count: TarFormat.padding(behind: range.count))) }
  }

  private func copy(_ range: Range<Int>, of spool: SpoolFile) throws(FileFailure) {
    try spool.flush()
    for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.pieceLength) {
      let count = min(Self.pieceLength, range.upperBound - start)
      try spool.read(text.reserve(count), count: count, at: start)
      text.advance(by: count)
      if text.count > Self.pieceLength { try flush() }
    }
  }

  private func write(_ bytes: [UInt8]) throws(FileFailure) {
    text.append(bytes, count: bytes.count)
    if text.count > Self.pieceLength { try flush() }
  }

  private func flush() throws(FileFailure) {
    try archive.write(UnsafeRawBufferPointer(start: text.bytes, count: text.count))
    written += text.count
    text.removeAll()
  }
}
