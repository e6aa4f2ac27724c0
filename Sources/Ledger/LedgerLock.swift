import FileSystem
import Glibc
import SystemPackage

/// The lock that a run holds on a ledger while it is at work: `flock` on the file `LEDGER-lock`, so that a killed run
/// holds nothing.
///
/// A file of its own: closing any other descriptor of a database drops the locks that SQLite has on it. The file stays;
/// taking it away would let two runs lock two files of that name. It tells which ledger stood beside it, and which run was
/// entered last (`LedgerSlot`).
final class LedgerLock {
  private let descriptor: FileDescriptor
  /// What the file says of the ledger; nil if no slot of it is as it was written.
  private(set) var slot: LedgerSlot?
  private var sequence: UInt64 = 0

  /// Sectors of their own, in one block: one that is half written leaves the other, and writing takes no new room.
  private static let places: [Int] = [0, 512]

  /// Takes the lock, at once or not at all, and reads what the file says.
  init(ledger: String) throws(LedgerFailure) {
    do throws(Errno) {
      descriptor = FileDescriptor(
        rawValue: try systemCall { open(ledger + "-lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0o600) }
      )
    } catch {
      throw .unavailable("cannot make the ledger's lock file: \(error)")
    }
    // What is thrown from here on ends in `deinit`, which closes the descriptor.
    do throws(Errno) {
      try systemCall { flock(descriptor.rawValue, LOCK_EX | LOCK_NB) }
    } catch {
      throw error == .wouldBlock
        ? .busy("another run is at work with this ledger; wait for it to end")
        : .unavailable("cannot lock the ledger: \(error)")
    }
    do throws(Errno) {
      for place in Self.places {
        guard let stored = LedgerSlot.stored(in: try read(place)), stored.sequence > sequence else { continue }
        (slot, sequence) = stored
      }
    } catch {
      throw .inputOutput("cannot read the ledger's lock file: \(error)")
    }
  }

  private func read(_ place: Int) throws(Errno) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: LedgerSlot.length)
    let count = try systemCall { pread(descriptor.rawValue, &bytes, bytes.count, place) }
    return Array(bytes[..<count])
  }

  /// Keeps what stands in the ledger, in the older of the slots, and waits until it is on the disk.
  ///
  /// - Parameter again: whether it is written although the newest slot has it.
  func keep(_ slot: LedgerSlot, again: Bool = false) throws(LedgerFailure) {
    if slot == self.slot, !again { return }
    // Where it fails, nobody knows which one stands there.
    self.slot = nil
    let bytes = slot.bytes(sequence: sequence + 1)
    do throws(Errno) {
      _ = try systemCall(throwing: {
        try descriptor.writeAll(toAbsoluteOffset: Int64(Self.places[Int(sequence % 2)]), bytes)
      })
      try systemCall { fsync(descriptor.rawValue) }
    } catch {
      throw .inputOutput("cannot write the ledger's lock file: \(error)")
    }
    (self.slot, sequence) = (slot, sequence + 1)
  }

  deinit {
    // A process that was begun meanwhile has the descriptor, too, until it runs a program of its own.
    flock(descriptor.rawValue, LOCK_UN)
    try? descriptor.close()
  }
}
