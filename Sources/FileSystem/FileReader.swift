import Failures
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

  public override func read(into room: inout OutputSpan<UInt8>) throws(Failure) {
    if !head.isEmpty {
      for byte in head.prefix(room.freeCapacity) { room.append(byte) }
      head = head.dropFirst(room.count)
      return
    }
    do throws(Errno) { try file.descriptor.read(into: &room) } catch { throw failure(error) }
  }
}
