import Failures
import FileSystem
import Text
import Threads

/// A file of a settlement directory, hashed as it is written.
package final class ReportFile {
  /// Bytes after which the system is asked to start writing the file to its disk, so that little is left at the end.
  private static let writebackLength = 8 << 20

  /// The file.
  let file: OpenFile
  private let digest: DigestLane
  private let texts: PlacedTexts
  /// The number of bytes so far.
  package private(set) var bytes = 0
  /// The number of line feeds so far, if they are counted.
  package private(set) var rows = 0
  private let countsRows: Bool
  private var begun = 0

  /// - Parameters:
  ///   - errands: write the file's texts; if they are not shared, the calling thread does.
  ///   - isHashedApart: whether the digest may have a thread of its own.
  package init(
    _ file: OpenFile, countsRows: Bool = false, errands: Errands = Errands(most: 0), isHashedApart: Bool = false
  ) {
    self.file = file
    self.countsRows = countsRows
    digest = DigestLane("report digest", isApart: errands.areShared || isHashedApart)
    texts = PlacedTexts(errands, digest: digest) { (text, offset) throws(Failure) in
      try file.write(text, at: offset)
    }
  }

  /// A write that fails later is reported by `complete()` at the latest.
  package func write(_ text: Span<UInt8>) throws(Failure) {
    try texts.append(text)
    note(text)
  }

  package func write(_ text: inout TextBuffer) throws(Failure) {
    note(text.span)
    try texts.append(&text)
  }

  /// Lets the file's digest wait until it is taken along with other bytes; nil if it has a thread of its own.
  ///
  /// - Parameter next: the digest of another file that waits.
  package func letDigestWait(next: WaitingDigest? = nil) -> WaitingDigest? { digest.wait(next: next) }

  private func note(_ text: Span<UInt8>) {
    if countsRows { rows += text.lineFeeds }
    bytes += text.count
    // The last texts may not be written yet.
    let length = Self.writebackLength
    if bytes - begun >= 2 * length { beginWriteback(upTo: bytes - length) }
  }

  /// Returns once all bytes are written, or throws.
  package func complete() throws(Failure) { try texts.finish() }

  /// Ends the writing and returns the file's SHA-256 in hexadecimal digits; `sync()` must follow.
  package func finish() -> String {
    beginWriteback(upTo: bytes)
    return digest.finish()
  }

  /// Waits until the whole file is on its disk.
  package func sync() throws(Failure) { try file.sync() }

  private func beginWriteback(upTo end: Int) {
    file.beginWriteback(from: begun, count: end - begun)
    begun = end
  }
}
