import Failures
import FileSystem
import Glibc
import SystemPackage

/// A file with two checksummed slots that say what state a ledger has: its lock file, or its witness.
///
/// A write replaces the older slot in place. Each slot has a sector of its own, in one block: a torn write leaves the
/// other slot intact, and needs no new room.
final class SlotFile {
  /// What the file is to its ledger.
  enum Role: Equatable {
    case lockFile
    /// With the path that messages show.
    case witness(String)

    /// The file, in a message that is not about the ledger's path.
    var name: String {
      switch self {
      case .lockFile: "the ledger's lock file"
      case .witness(let shown): "the witness \(shown)"
      }
    }

    /// The file, in a message that begins with the ledger's path.
    var its: String {
      switch self {
      case .lockFile: "its lock file"
      case .witness(let shown): "its witness \(shown)"
      }
    }
  }

  private let descriptor: FileDescriptor
  private let role: Role
  /// What the file says about the ledger; nil if no slot is intact.
  private(set) var slot: LedgerSlot?
  /// Whether a slot has other bytes than were written.
  private(set) var isDamaged = false
  private var sequence: UInt64 = 0

  private static let places: [Int] = [0, 512]

  /// A file whose slots are not read yet; the caller closes the descriptor.
  init(_ descriptor: FileDescriptor, _ role: Role) { (self.descriptor, self.role) = (descriptor, role) }

  /// Whether nothing was written to it, as far as its slots show.
  var isUnwritten: Bool { sequence == 0 && !isDamaged }

  /// Reads the newest intact slot.
  func read() throws(Failure) {
    do throws(Errno) {
      for place in Self.places {
        let bytes = try [UInt8](capacity: LedgerSlot.length) { room throws(Errno) in
          try descriptor.read(fromAbsoluteOffset: place, into: &room)
        }
        guard let stored = LedgerSlot.stored(in: bytes) else {
          // A slot that was never written has no bytes, or zeros.
          if bytes.contains(where: { $0 != 0 }) { isDamaged = true }
          continue
        }
        if stored.sequence > sequence { (slot, sequence) = stored }
      }
      slot?.isBesideDamage = isDamaged
    } catch {
      throw .inputOutput("cannot read \(role.name): \(error)")
    }
  }

  /// Writes the ledger's state into the older of the slots, and waits until it is on the disk.
  ///
  /// - Parameter again: whether to write it even if the newest slot is equal.
  func keep(_ slot: LedgerSlot, again: Bool = false) throws(Failure) {
    if slot == self.slot, !again { return }
    // If writing fails, the content of the file is not known.
    self.slot = nil
    let bytes = slot.bytes(sequence: sequence + 1)
    do throws(Errno) {
      _ = try systemCall(throwing: {
        try descriptor.writeAll(toAbsoluteOffset: Int64(Self.places[Int(sequence % 2)]), bytes)
      })
      try systemCall { fsync(descriptor.rawValue) }
    } catch {
      throw .inputOutput("cannot write \(role.name): \(error)")
    }
    (self.slot, sequence) = (slot, sequence + 1)
  }
}
