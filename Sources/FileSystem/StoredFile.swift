/// A file of a batch, as reports and ledgers name it.
public struct StoredFile: Sendable, Equatable {
  /// Its name as given, with control characters escaped.
  public let name: String
  /// Its size as stored, in bytes.
  public let bytes: Int
  /// The SHA-256 of its stored bytes, in lower-case hexadecimal digits.
  public let sha256: String

  /// A stored file.
  public init(name: String, bytes: Int, sha256: String) {
    self.name = name
    self.bytes = bytes
    self.sha256 = sha256
  }
}
