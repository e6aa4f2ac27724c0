import BatchFile
import Glibc

/// A copy of an input that can be read only once, such as a pipe, in a file without a name beside the output.
final class InputCopy {
  /// Open on the copy.
  var descriptor: Int32 { file.descriptor }
  private let file: SpoolFile

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
    file = try SpoolFile(in: place.parent, shown: place.shown)
    let piece = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.pieceLength)
    defer { piece.deallocate() }
    let source = try Self.open(path)
    while true {
      let count = try Self.take(source, into: piece)
      if count == 0 { break }
      try file.append(piece, count: count)
    }
    try file.flush()
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
}
