import FileSystem
import Input

/// A copy of an input that can be read only once, such as a pipe, in a file without a name beside the output.
final class InputCopy {
  /// Open on the copy.
  var descriptor: Int32 { file.descriptor.rawValue }
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
    guard path != "-" else { return false }
    // What is not there, or is a directory, is told by whoever opens it.
    guard let type = (try? FileName.status(path))?.type else { return true }
    return type == .regular || type == .directory
  }

  private init(of path: String, beside place: OutputPlace) throws(RunFailure) {
    file = try asRunFailure(SpoolFile(beside: place))
    let piece = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.pieceLength)
    defer { piece.deallocate() }
    let source = try asRead(StoredBatchFile(path: path))
    while true {
      let count = try asRead(source.takeStored(Self.pieceLength, into: piece))
      if count == 0 { break }
      try asRunFailure(file.append(piece, count: count))
    }
    try asRunFailure(file.flush())
  }
}
