import Failures
import FileSystem
import SystemPackage

/// The lines of a CSV file that a payout reads, once and in order; hashed as they are read.
///
/// Lines of only space, tab and CR are skipped but counted. Nothing is kept of a line over the limit.
package final class InputLines {
  /// The most bytes of a line without its ending.
  package static let limit = 4096

  /// The line without its ending; empty if it is too long.
  package private(set) var line: [UInt8] = []
  /// Its number, from 1; after the last line, the number of lines in the file.
  package private(set) var number = 0
  package private(set) var isTooLong = false

  private let reader: FileReader
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// - Parameter shown: the path for messages.
  convenience init(path: String, shown: String) throws(Failure) {
    do throws(Errno) { try self.init(OpenFile(reading: path, waits: true), shown: shown) } catch {
      throw Self.unreadable(shown, error)
    }
  }

  /// - Parameter head: the file's first bytes, if they are read already.
  package init(_ file: OpenFile, head: [UInt8] = [], shown: String) {
    reader = FileReader(file, head: head, pieceLength: 1 << 20, isHashed: true) { Self.unreadable(shown, $0) }
  }

  private static func unreadable(_ shown: String, _ error: Errno) -> Failure {
    .unreadable("\(shown): cannot be read: \(error)")
  }

  /// The bytes read so far, and their SHA-256; called once.
  package func finish() -> (bytes: Int, sha256: String) { (reader.byteCount, reader.finishDigest()) }

  /// Goes to the next line that is not blank; false after the last.
  package func next() throws(Failure) -> Bool {
    // Besides a line of that length there may be a byte order mark and a CR.
    let reader = reader
    while let next = try reader.line(limit: Self.limit + Self.byteOrderMark.count + 1) {
      number += 1
      var bytes = next.bytes
      if number == 1, bytes.starts(with: Self.byteOrderMark.span) { bytes = bytes.extracting(droppingFirst: 3) }
      if next.hasLineFeed, !bytes.isEmpty, bytes[bytes.count - 1] == 0x0D { bytes = bytes.extracting(droppingLast: 1) }
      isTooLong = next.isCut || bytes.count > Self.limit
      line.removeAll(keepingCapacity: true)
      if !isTooLong { line.append(bytes) }
      var (isBlank, isCut) = (Self.isBlank(bytes), next.isCut)
      while isCut, let rest = try reader.line(limit: Self.limit) {
        isBlank = isBlank && Self.isBlank(rest.bytes)
        isCut = rest.isCut
      }
      if !isBlank { return true }
    }
    return false
  }

  private static func isBlank(_ bytes: Span<UInt8>) -> Bool {
    bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
  }
}
