import FileSystem
import Glibc
import Records
import Text

/// Writes the files of accounts as the members of one tar archive, the list of accounts first.
///
/// The list is known last: the members wait in a file without a name.
final class StatementArchive: StatementDestination {
  /// The bytes of a member's text that are held before they go to the file without a name, about.
  private static let pieceLength = 1 << 16

  private let archive: PartialFile
  private let names: StatementNames
  private let modified: Int
  private let members: SpoolFile
  private let list: SpoolFile
  private var text = TextBuffer(capacity: pieceLength)
  /// Where members stand whose numbers follow on each other, from the first one's on.
  private var stretches: [(numbers: Range<Int>, bytes: Range<Int>)] = []
  /// Where the member under way begins; nil where there is none.
  private var start: Int?

  init(_ archive: PartialFile, beside place: OutputPlace, names: StatementNames) throws(FileFailure) {
    self.archive = archive
    self.names = names
    modified = names.day.dayStart.secondsSince1970
    members = try SpoolFile(beside: place)
    list = try SpoolFile(beside: place)
  }

  func append(number: Int, _ body: (inout TextBuffer) -> Void) throws(FileFailure) {
    if start == nil {
      start = members.count
      // The header's room: the length is known at the end.
      appendZeros(TarFormat.blockLength)
    }
    body(&text)
    if text.count > Self.pieceLength { try flush() }
  }

  func finish(number: Int) throws(FileFailure) {
    guard let start else { preconditionFailure("no file under way") }
    let length = members.count + text.count - start - TarFormat.blockLength
    appendZeros(TarFormat.padding(behind: length))
    try flush()
    try members.replace(TarFormat.header(names.path(number), length: length, modified: modified), at: start)
    if let last = stretches.last, last.numbers.upperBound == number {
      stretches[stretches.count - 1] = (last.numbers.lowerBound..<number + 1, last.bytes.lowerBound..<members.count)
    } else {
      stretches.append((number..<number + 1, start..<members.count))
    }
    self.start = nil
  }

  func appendToList(_ text: borrowing TextBuffer) throws(FileFailure) {
    try list.append(text.bytes, count: text.count)
  }

  func finishAll() throws(FileFailure) {
    try write(TarFormat.header(StatementNames.list, length: list.count, modified: modified))
    try copy(0..<list.count, of: list)
    try write([UInt8](repeating: 0, count: TarFormat.padding(behind: list.count)))
    // With --account, lines come by account, and numbers are as the accounts were given.
    for stretch in stretches.sorted(by: { $0.numbers.lowerBound < $1.numbers.lowerBound }) {
      try copy(stretch.bytes, of: members)
    }
    try write(TarFormat.end)
  }

  private func appendZeros(_ count: Int) { for _ in 0..<count { text.append(UInt8(0)) } }

  private func flush() throws(FileFailure) {
    try members.append(text.bytes, count: text.count)
    text.removeAll()
  }

  private func write(_ bytes: [UInt8]) throws(FileFailure) {
    try bytes.withUnsafeBufferPointer { bytes throws(FileFailure) in try archive.write(UnsafeRawBufferPointer(bytes)) }
  }

  private func copy(_ range: Range<Int>, of spool: SpoolFile) throws(FileFailure) {
    var offset = range.lowerBound
    while offset < range.upperBound, let piece = try spool.piece(at: offset) {
      let count = min(piece.count, range.upperBound - offset)
      try archive.write(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      offset += count
    }
  }
}

/// POSIX's ustar: each member a header of one block, its bytes, and zeros up to the next block.
enum TarFormat {
  static let blockLength = 512
  /// What ends an archive.
  static let end = [UInt8](repeating: 0, count: 2 * blockLength)

  /// How many zeros follow a member's bytes.
  static func padding(behind length: Int) -> Int { -length & (blockLength - 1) }

  /// The header of a file of user and group 0, which only its owner may read and write.
  ///
  /// - Parameters:
  ///   - path: at most 100 bytes.
  ///   - modified: seconds since 1970.
  static func header(_ path: String, length: Int, modified: Int) -> [UInt8] {
    precondition(path.utf8.count <= 100, "a path that takes two fields")
    var header = [UInt8](repeating: 0, count: blockLength)
    func put(_ bytes: some Collection<UInt8>, at offset: Int) {
      header.replaceSubrange(offset..<offset + bytes.count, with: bytes)
    }
    func put(_ number: Int, digits: Int, at offset: Int) {
      let octal = String(number, radix: 8).utf8
      if octal.count <= digits {
        put([UInt8](repeating: UInt8(ascii: "0"), count: digits - octal.count) + octal, at: offset)
      } else {
        // As GNU tar writes more: 80 hexadecimal, then the number, its highest byte first.
        put([0x80], at: offset)
        put(withUnsafeBytes(of: number.bigEndian, Array.init), at: offset + digits - 7)
      }
    }
    put(path.utf8, at: 0)
    put(0o600, digits: 7, at: 100)
    put(0, digits: 7, at: 108)
    put(0, digits: 7, at: 116)
    put(length, digits: 11, at: 124)
    put(max(modified, 0), digits: 11, at: 136)
    put("        0".utf8, at: 148)
    put("ustar\u{0}00".utf8, at: 257)
    put(header.reduce(0) { $0 + Int($1) }, digits: 6, at: 148)
    header[154] = 0
    return header
  }
}

extension UTCTime {
  /// The seconds since the beginning of 1970 in UTC.
  var secondsSince1970: Int { dayNumber * 86_400 + hour * 3600 + minute * 60 + second }
}
