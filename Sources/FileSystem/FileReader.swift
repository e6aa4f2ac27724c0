import Failures
import Glibc
import SystemPackage

/// Reads an open file from where it is.
public final class FileReader: LineReader {
  private let file: OpenFile
  private let failure: (Errno) -> Failure

  /// - Parameter failure: makes the failure of a read.
  public init(
    _ file: OpenFile, pieceLength: Int = 1 << 16, isHashed: Bool = false, failure: @escaping (Errno) -> Failure
  ) {
    self.file = file
    self.failure = failure
    super.init(pieceLength: pieceLength, isHashed: isHashed)
  }

  public override func read(into room: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    do throws(Errno) { return try systemCall(throwing: { try file.descriptor.read(into: room) }) } catch {
      throw failure(error)
    }
  }
}
