import Digests

/// What the ledger keeps of the bank account that a payment went to: the first 8 bytes of the SHA-256 of its text.
public struct BankAccountDigest: Sendable, Hashable {
  static let length = 8

  /// The 8 bytes, the first one highest.
  public let value: UInt64

  /// The digest of a text such as `IBAN,DE89370400440532013000`, without spaces and in capitals.
  public init(_ text: [UInt8]) {
    value = SHA256.digest(of: text).bytes.prefix(Self.length).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Nil if the ledger does not know the bank account.
  init?(note: ArraySlice<UInt8>) {
    guard note.count == Self.length else { return nil }
    value = note.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The form in which the ledger keeps it.
  public var note: [UInt8] { (0..<Self.length).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * UInt64($0))) } }
}
