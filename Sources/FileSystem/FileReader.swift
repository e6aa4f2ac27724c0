import Failures
import Glibc
import SystemPackage

/// Reads an open file from where it is.
public final class FileReader: LineReader {
  private let file: OpenFile
  private let failure: (Errno) -> Failure
  private var head: ArraySlice<UInt8>

  /// - Parameters:
  ///   - head: the bytes that were read from the file before.
  ///   - failure: makes the failure of a read.
  public init(
    _ file: OpenFile, head: [UInt8] = [], pieceLength: Int = 1 << 16, isHashed: Bool = false,
    failure: @escaping (Errno) -> Failure
  ) {
    self.file = file
    self.failure = failure
    self.head = head[...]
    super.init(pieceLength: pieceLength, isHashed: isHashed)
  }

  public override func read(into room: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    if !head.isEmpty {
      let piece = head.prefix(room.count)
      head = head.dropFirst(piece.count)
      room.copyBytes(from: piece)
      return piece.count
    }
    do throws(Errno) { return try systemCall(throwing: { try file.descriptor.read(into: room) }) } catch {
      throw failure(error)
    }
  }
}
