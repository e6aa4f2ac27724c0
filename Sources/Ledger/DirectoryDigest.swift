import Digests

/// What distinguishes the directory of a payout from another: the first 8 bytes of the SHA-256 of its `SHA256SUMS`.
public struct DirectoryDigest: Sendable, Hashable {
  let number: Int64

  /// - Parameter sums: the text of the directory's `SHA256SUMS`.
  public init(sums: String) {
    let bytes = SHA256.digest(of: Array(sums.utf8)).bytes
    number = Int64(bitPattern: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
  }

  /// The digest that a slot or a ledger keeps; nil for 0, which means that it is not known.
  init?(kept number: Int64) {
    if number == 0 { return nil }
    self.number = number
  }
}
