import Failures
import Glibc
import SystemPackage

/// Reads standard input.
public final class StandardInputReader: LineReader {
  public init() { super.init(pieceLength: 1 << 16) }

  public override func read(into room: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    do throws(Errno) { return try systemCall { Glibc.read(STDIN_FILENO, room.baseAddress, room.count) } } catch {
      throw .inputOutput("standard input: cannot be read: \(error)")
    }
  }
}
