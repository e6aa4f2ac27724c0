import BatchFile
import CSystemCalls
import Glibc

/// A file without a name, for this user alone, which goes with its owner however that ends.
public final class ScratchFile {
  /// Open for reading and writing.
  let descriptor: Int32
  private let shown: String

  private static let pieceLength = 1 << 20

  /// Makes the file beside an output, so that it takes room on the disk that the output will be on.
  init(in place: OutputPlace) throws(RunFailure) {
    descriptor = try Self.makeFile(in: place)
    shown = "a file beside \(place.shown)"
  }

  /// Makes the file in the directory of a path, whether or not something bears that name; throws where there is none.
  public convenience init(beside path: String) throws(RunFailure) {
    try self.init(in: OutputPlace(path: path))
  }

  deinit { close(descriptor) }

  /// Writes all bytes behind those that are there.
  public func write(_ bytes: UnsafePointer<UInt8>, count: Int) throws(RunFailure) {
    try Descriptor.writeAll(descriptor, bytes, count: count, name: shown)
  }

  /// Hands out all that was written, piece by piece, from the first byte on.
  public func read(_ take: (UnsafeRawBufferPointer) throws(RunFailure) -> Void) throws(RunFailure) {
    let piece = UnsafeMutableRawPointer.allocate(byteCount: Self.pieceLength, alignment: 16)
    defer { piece.deallocate() }
    var offset = 0
    while true {
      let count = SystemCall.retrying { pread(descriptor, piece, Self.pieceLength, offset) }
      guard count >= 0 else { throw .failed(errno, shown, "read") }
      if count == 0 { return }
      try take(UnsafeRawBufferPointer(start: piece, count: count))
      offset += count
    }
  }

  private static func makeFile(in place: OutputPlace) throws(RunFailure) -> Int32 {
    let made = SystemCall.retrying { settle_open_unnamed(place.parent) }
    if made >= 0 { return made }
    // A file system without files that have no name.
    let name = ".\(place.name).scratch-\(getpid())"
    let descriptor = FileName.withCString(name) { name in
      SystemCall.retrying { openat(place.parent, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
    }
    guard descriptor >= 0 else { throw .unavailable(errno, place.shown(beside: name), "made") }
    _ = FileName.withCString(name) { name in SystemCall.retrying { unlinkat(place.parent, name, 0) } }
    return descriptor
  }
}
