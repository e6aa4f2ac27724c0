import Digests

/// The digest of one file after the other, whose bytes take the text of a report along. One thread at a time uses it.
package final class FileDigest: @unchecked Sendable {
  private var sha256 = SHA256()

  package init() {}

  /// Returns what takes the bytes of the current file.
  package func taking(along report: WaitingDigest) -> (Span<UInt8>) -> Void {
    { [self] bytes in report.update(&sha256, bytes) }
  }

  /// The digest of the current file, in hexadecimal digits; another file follows.
  package func finish() -> String {
    defer { sha256 = SHA256() }
    return sha256.finalize().hexadecimal
  }
}
