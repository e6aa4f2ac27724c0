import BatchFile
import CSystemCalls
import Glibc

/// A copy of an input that can be read only once, such as a pipe: a file without a name, beside the output, which goes
/// with its owner however that ends.
final class InputCopy {
  /// Open on the copy.
  let descriptor: Int32

  private static let pieceLength = 1 << 20

  /// The files of a batch; those that can be read only once are copied first.
  ///
  /// - Parameter place: the output, which has room for the batch's reports.
  static func sources(_ paths: [String], beside place: OutputPlace) throws(RunFailure) -> [InputSource] {
    var sources: [InputSource] = []
    for path in paths {
      sources.append(InputSource(path: path, copy: isRepeatable(path) ? nil : try InputCopy(of: path, beside: place)))
    }
    return sources
  }

  /// Standard input is copied whatever it is: somebody may have read a part of it.
  private static func isRepeatable(_ path: String) -> Bool {
    var status = stat()
    guard path != "-" else { return false }
    // What is not there, or is a directory, is told by whoever opens it.
    guard FileName.withCString(path, { stat($0, &status) }) == 0 else { return true }
    return [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  private init(of path: String, beside place: OutputPlace) throws(RunFailure) {
    descriptor = try Self.makeFile(in: place)
    let shown = "the copy of \(OutputPlace.shown(path)) beside the output"
    let piece = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.pieceLength)
    defer { piece.deallocate() }
    let source = try Self.open(path)
    while true {
      let count = try Self.take(source, into: piece)
      if count == 0 { return }
      try Descriptor.writeAll(descriptor, piece, count: count, name: shown)
    }
  }

  private static func open(_ path: String) throws(RunFailure) -> StoredBatchFile {
    do throws(ReadFailure) {
      return try StoredBatchFile(path: path)
    } catch {
      throw .unreadable(BatchInput.message(error))
    }
  }

  private static func take(
    _ source: StoredBatchFile, into piece: UnsafeMutablePointer<UInt8>
  ) throws(RunFailure) -> Int {
    do throws(ReadFailure) {
      return try source.takeStored(pieceLength, into: piece)
    } catch {
      throw .inputOutput(BatchInput.message(error))
    }
  }

  deinit { close(descriptor) }

  private static func makeFile(in place: OutputPlace) throws(RunFailure) -> Int32 {
    let made = SystemCall.retrying { settle_open_unnamed(place.parent) }
    if made >= 0 { return made }
    // A file system without files that have no name.
    let name = ".\(place.name).input-\(getpid())"
    let descriptor = FileName.withCString(name) { name in
      SystemCall.retrying { openat(place.parent, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600) }
    }
    guard descriptor >= 0 else { throw .unavailable(errno, place.shown(beside: name), "made") }
    _ = FileName.withCString(name) { name in SystemCall.retrying { unlinkat(place.parent, name, 0) } }
    return descriptor
  }
}
