import Digests
import FileSystem
import SystemPackage

/// A file of answers, read once and in order, in pieces; hashed as they are read.
final class AnswerSource {
  /// The most bytes of a piece.
  static let pieceLength = 1 << 16
  /// The most bytes that are read to find out what the file is.
  private static let mostOfHead = 1 << 20

  let file: OpenFile
  /// Its path for messages.
  let shown: String
  /// The first bytes, by which the format is recognized.
  private(set) var head: [UInt8] = []
  private(set) var byteCount = 0
  private var digest = SHA256()
  private var isHeadTaken = false

  /// - Parameter path: `-` for standard input.
  init(path: String) throws(Errno) {
    file = try OpenFile(reading: path, waits: true)
    shown = OutputPlace.shown(path)
    var piece: [UInt8] = []
    repeat {
      try read(into: &piece)
      head += piece
    } while !piece.isEmpty && (head.count < Self.pieceLength || start == head.count) && head.count < Self.mostOfHead
  }

  /// Where the text begins in the head: after a byte order mark and white space.
  var start: Int {
    let mark = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    return head[mark...].firstIndex { !Self.isSpace($0) } ?? head.count
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  /// The SHA-256 of everything read, in hexadecimal digits.
  var sha256: String { digest.finalize().hexadecimal }

  /// Replaces a piece by the next one, of which the first is the head; it is empty at the end.
  func next(into piece: inout [UInt8]) throws(ReadingStop) {
    if !isHeadTaken {
      isHeadTaken = true
      piece = head
      if !piece.isEmpty { return }
    }
    do throws(Errno) { try read(into: &piece) } catch { throw .system(error) }
  }

  private func read(into piece: inout [UInt8]) throws(Errno) {
    try file.read(Self.pieceLength, into: &piece)
    digest.update(piece.span)
    byteCount += piece.count
  }
}
