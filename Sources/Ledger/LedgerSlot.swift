import CXXHash
import FoundationEssentials

/// What `LEDGER-lock` keeps of its ledger, so that one that is lost, cut short, or put back from an older copy is told.
struct LedgerSlot: Equatable {
  /// The bytes of a slot as stored.
  static let length = 48

  /// The ledger's id, drawn when it was made; zeros until it is made.
  var id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  /// The number of the last run entered, 0 if there is none; nil until the ledger is made.
  var lastRun: Int?
  /// What tells that run from another one of its number; 0 if there is none.
  var digest: Int64 = 0

  /// The ledger that it was written for, in words.
  var described: String {
    switch lastRun {
    case .some(let run) where run > 0: "by its lock file run \(run) was entered last"
    default: "by its lock file it has no run yet"
    }
  }

  /// A slot as it is stored: a number that is higher the later it was written, then the fields, all little-endian, then
  /// the XXH3 of all that.
  func bytes(sequence: UInt64) -> [UInt8] {
    let numbers = [sequence.littleEndian, UInt64(bitPattern: Int64(lastRun ?? -1)).littleEndian]
    let bytes =
      numbers.withUnsafeBytes(Array.init) + withUnsafeBytes(of: id.uuid, Array.init)
      + withUnsafeBytes(of: digest.littleEndian, Array.init)
    return bytes + withUnsafeBytes(of: XXH3_64bits(bytes, bytes.count).littleEndian, Array.init)
  }

  /// The slot that stands in some bytes, and its number; nil if they are not what was written.
  static func stored(in bytes: [UInt8]) -> (slot: LedgerSlot, sequence: UInt64)? {
    bytes.withUnsafeBytes { bytes in
      guard bytes.count == length, bytes.littleEndian(at: 40) == XXH3_64bits(bytes.baseAddress, 40) else { return nil }
      var slot = LedgerSlot()
      let lastRun: Int64 = bytes.littleEndian(at: 8)
      slot.lastRun = lastRun < 0 ? nil : Int(lastRun)
      slot.id = UUID(uuid: bytes.loadUnaligned(fromByteOffset: 16, as: uuid_t.self))
      slot.digest = bytes.littleEndian(at: 32)
      return (slot, bytes.littleEndian(at: 0))
    }
  }
}
