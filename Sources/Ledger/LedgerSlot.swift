import CXXHash
import FoundationEssentials

/// What `LEDGER-lock` records about its ledger, so that a lost, truncated or restored older ledger is noticed.
struct LedgerSlot: Equatable {
  /// The bytes of a slot as stored.
  static let length = 64
  /// The length of a slot written by a version without payouts.
  private static let earlierLength = 48

  /// The ledger's id, drawn when it was made; zeros until it is made.
  var id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  /// The number of the last run entered, or 0; nil until the ledger is made.
  var lastRun: Int?
  /// Distinguishes that run from another run with its number; 0 before the first run.
  var digest: Int64 = 0
  /// The number of the last payout, or the one after which payouts are numbered, or 0.
  var lastPayout = 0
  /// Distinguishes that payout from another payout with its number; 0 if it is not known.
  var payoutDigest: Int64 = 0

  /// The ledger that it was written for, in words.
  var described: String {
    switch lastRun {
    case .some(let run) where run > 0:
      "its lock file says run \(run) was entered last" + (lastPayout > 0 ? ", and payout \(lastPayout)" : "")
    default: "its lock file says it has no run yet"
    }
  }

  /// A slot as it is stored: a number that grows with each write, then the fields, all little-endian, then the XXH3 of
  /// all that.
  func bytes(sequence: UInt64) -> [UInt8] {
    let numbers = [sequence.littleEndian, UInt64(bitPattern: Int64(lastRun ?? -1)).littleEndian]
    let bytes =
      numbers.withUnsafeBytes(Array.init) + withUnsafeBytes(of: id.uuid, Array.init)
      + [digest, Int64(lastPayout), payoutDigest].map(\.littleEndian).withUnsafeBytes(Array.init)
    return bytes + withUnsafeBytes(of: XXH3_64bits(bytes, bytes.count).littleEndian, Array.init)
  }

  /// The slot in some bytes, and its number; nil if they are not what was written.
  static func stored(in bytes: [UInt8]) -> (slot: LedgerSlot, sequence: UInt64)? {
    bytes.withUnsafeBytes { bytes in
      func isWritten(_ length: Int) -> Bool {
        bytes.count >= length && bytes.littleEndian(at: length - 8) == XXH3_64bits(bytes.baseAddress, length - 8)
      }
      guard isWritten(length) || isWritten(earlierLength) else { return nil }
      var slot = LedgerSlot()
      let lastRun: Int64 = bytes.littleEndian(at: 8)
      slot.lastRun = lastRun < 0 ? nil : Int(lastRun)
      slot.id = UUID(uuid: bytes.loadUnaligned(fromByteOffset: 16, as: uuid_t.self))
      slot.digest = bytes.littleEndian(at: 32)
      if isWritten(length) {
        slot.lastPayout = Int(bytes.littleEndian(at: 40) as Int64)
        slot.payoutDigest = bytes.littleEndian(at: 48)
      }
      return (slot, bytes.littleEndian(at: 0))
    }
  }
}
