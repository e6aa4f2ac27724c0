import FileSystem
import Glibc
import Input

/// A batch whose files lie elsewhere, read by questions (`settle shard plan --input -`).
///
/// Standard input has a line `BYTES MODIFIED` for each file first. Then each question is a line `FILE OFFSET LENGTH`, the
/// files counted from 0, and the next LENGTH bytes of standard input are the answer.
final class RemoteBatch {
  private let ask: ShardWork.Output
  private let lines = StandardInputReader()

  init(_ ask: @escaping ShardWork.Output) { self.ask = ask }

  /// The next file.
  func file(_ name: String) throws(RunFailure) -> PlannedFile {
    let line = try lines.line().map { String(decoding: $0, as: UTF8.self).split(separator: " ") } ?? []
    guard line.count == 2, let bytes = Int(line[0]), bytes >= 0 else {
      throw .inputOutput("standard input: has no size and time of \(OutputPlace.shown(name))")
    }
    return PlannedFile(elsewhere: name, bytes: bytes, modified: String(line[1]))
  }

  /// A file to be read.
  func stored(_ number: Int, _ file: PlannedFile) -> StoredBatchFile {
    StoredBatchFile(
      RemoteFile(name: file.name, size: UInt64(file.bytes)) { [self] offset, room throws(ReadFailure) in
        let question = Array("\(number) \(offset) \(room.count)\n".utf8)
        do throws(RunFailure) { try ask(question, question.count) } catch {
          throw ReadFailure(path: file.name, operation: .read, code: 0, message: error.message)
        }
        var count = 0
        while count < room.count {
          let start = room.baseAddress!
          let got = try? systemCall { read(STDIN_FILENO, start + count, room.count - count) }
          guard let got, got > 0 else {
            throw ReadFailure(
              path: file.name, operation: .read, code: 0, message: "standard input ended before its bytes")
          }
          count += got
        }
      })
  }
}
