import Digests
import FileSystem
import Text

/// One file of a settlement directory, hashed as it is written.
package final class ReportFile: ReportWriter {
  /// Bytes after which the system is asked to begin bringing a file to its disk, so that little is left for the end.
  private static let writebackLength = 8 << 20

  private let file: OpenFile
  private var digest = SHA256()
  /// The bytes so far.
  private(set) var bytes = 0
  /// The line feeds so far, if they are counted.
  private(set) var rows = 0
  private let countsRows: Bool
  private var begun = 0

  init(_ file: OpenFile, countsRows: Bool = false) {
    self.file = file
    self.countsRows = countsRows
  }

  /// Writes all bytes or throws.
  package func write(_ bytes: UnsafePointer<UInt8>, count: Int) throws(RunFailure) {
    try asRunFailure(file.write(bytes, count: count))
    digest.update(bytes, count: count)
    if countsRows { rows += UnsafeBufferPointer(start: bytes, count: count).lineFeeds }
    self.bytes += count
    if self.bytes - begun >= Self.writebackLength { beginWriteback() }
  }

  /// Ends the writing and gives the file's SHA-256 in hexadecimal digits; `sync()` must follow.
  func finish() -> String {
    beginWriteback()
    return digest.finalize().hexadecimal
  }

  /// Waits until the file is on its disk, all of it.
  func sync() throws(FileFailure) { try file.sync() }

  private func beginWriteback() {
    file.beginWriteback(from: begun, count: bytes - begun)
    begun = bytes
  }
}
