import Failures
import FileSystem
import Glibc
import SystemPackage
import Input

/// A batch whose files are elsewhere, and whose bytes are asked for (`settle shard plan --input -`).
///
/// For a plan, standard input begins with a line `BYTES MODIFIED` for each file. Each question is a line `FILE OFFSET
/// LENGTH`, with files counted from 0. The next LENGTH bytes of standard input are the answer.
final class RemoteBatch {
  private let ask: ShardWork.Output
  private let lines = StandardInputReader()

  init(_ ask: @escaping ShardWork.Output) { self.ask = ask }

  /// The next file.
  func file(_ name: String) throws(Failure) -> PlannedFile {
    let line = try self.line().split(separator: " ")
    guard line.count == 2, let bytes = Int(line[0]), bytes >= 0 else {
      throw .inputOutput("standard input: has no size and time of \(OutputPlace.shown(name))")
    }
    return PlannedFile(elsewhere: name, bytes: bytes, modified: String(line[1]))
  }

  private func line() throws(Failure) -> String {
    let lines = lines
    guard let line = try lines.line() else { return "" }
    return String(decoding: line)
  }

  /// A file whose bytes are asked for.
  func ranged(_ number: Int, _ file: PlannedFile) -> RangedFile {
    RangedFile(name: file.name, size: UInt64(file.bytes)) { [ask] offset, room throws(Failure) in
      func failure(_ why: String) -> Failure { .cannotRead(file.name, why) }
      let question = Array("\(number) \(offset) \(room.count)\n".utf8)
      do throws(Failure) { try ask(question.span) } catch { throw failure(error.message) }
      var count = 0
      while count < room.count {
        let piece = try? [UInt8](capacity: room.count - count) { piece throws(Errno) in
          try FileDescriptor.standardInput.read(into: &piece)
        }
        guard let piece, !piece.isEmpty else { throw failure("standard input ended early") }
        room.copy(piece.span, to: count)
        count += piece.count
      }
    }
  }
}
