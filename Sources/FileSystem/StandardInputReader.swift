import Failures
import SystemPackage

public final class StandardInputReader: LineReader {
  public init() { super.init(pieceLength: 1 << 16) }

  public override func read(into room: inout OutputSpan<UInt8>) throws(Failure) {
    do throws(Errno) { try FileDescriptor.standardInput.read(into: &room) } catch {
      throw .inputOutput("standard input: cannot be read: \(error)")
    }
  }
}
