import Digests
import Failures
import FileSystem
import Input

/// A copy of an input that can be read only once, such as a pipe, in an unnamed file next to the output.
///
/// Files must not contain a batch's cards (`cards.md`), so the copy is encrypted with a key that is only in memory.
package final class InputCopy {
  package var stored: StoredCopy {
    StoredCopy(descriptor: file.descriptor.rawValue) { [cipher] bytes, offset in
      cipher.apply(to: &bytes, at: Int(offset))
    }
  }
  private let file: SpoolFile
  private let cipher = StreamCipher()

  private static let pieceLength = 1 << 20

  /// The files of a batch; those that can be read only once are copied first.
  ///
  /// - Parameter place: the output, whose file system has room for the batch's reports; evaluated if a file is copied.
  package static func sources(
    _ paths: [String], beside place: @autoclosure () throws(Failure) -> OutputPlace
  ) throws(Failure) -> [InputSource] {
    var sources: [InputSource] = []
    for path in paths {
      sources.append(InputSource(path: path, copy: isRepeatable(path) ? nil : try InputCopy(of: path, beside: place())))
    }
    return sources
  }

  /// Standard input is always copied, even if it is a file: another process may have read part of it.
  static func isRepeatable(_ path: String) -> Bool {
    guard path != "-" else { return false }
    // If it is missing or a directory, opening it fails with a message.
    guard let type = (try? FileName.status(path))?.type else { return true }
    return type == .regular || type == .directory
  }

  private init(of path: String, beside place: OutputPlace) throws(Failure) {
    file = try SpoolFile(beside: place)
    var piece = [UInt8](repeating: 0, count: Self.pieceLength)
    let source = try StoredBatchFile(path: path)
    while true {
      let count = try source.readStored(Self.pieceLength, into: &piece)
      if count == 0 { break }
      var all = piece.mutableSpan
      var bytes = all.part(0..<count)
      cipher.apply(to: &bytes, at: file.count)
      try file.append(bytes.span)
    }
    try file.flush()
  }
}
