import Failures
import FileSystem
import Glibc
import SystemPackage

/// The lock that a run holds on a ledger: `flock` on the file `LEDGER-lock`, so that a killed run holds nothing.
///
/// It is a separate file, because closing any other descriptor of a database drops the locks that SQLite has on it. It
/// records the ledger's id and name, and the last run and payout (`SlotFile`). A run that made a ledger and enters
/// nothing removes both files, so a descriptor counts only while the file has its name.
final class LedgerLock {
  private let path: String
  private let descriptor: FileDescriptor
  private let slots: SlotFile
  /// Whether this made the file.
  let isNew: Bool

  /// What the file says about the ledger; nil if no slot is intact.
  var slot: LedgerSlot? { slots.slot }

  /// Takes the lock, without waiting, and reads what the file says.
  init(ledger: String) throws(Failure) {
    path = ledger + "-lock"
    var locked = try Self.lock(path)
    while locked == nil { locked = try Self.lock(path) }
    (descriptor, isNew) = locked!
    slots = SlotFile(descriptor, .lockFile)
    // From here on `deinit` runs after a throw, and closes the descriptor.
    do throws(Failure) { try slots.read() } catch {
      removeIfNew()
      throw error
    }
  }

  /// What a ledger's lock file says, read without the lock; nil if it does not exist, or no slot is intact.
  static func slot(of ledger: String) throws(Failure) -> LedgerSlot? {
    guard let file = try? OpenFile(reading: ledger + "-lock", waits: false) else { return nil }
    let slots = SlotFile(file.descriptor, .lockFile)
    try slots.read()
    return slots.slot
  }

  /// Whether a ledger has a lock file that this user may not read, as a reader of another user's ledger.
  static func isForbidden(_ ledger: String) -> Bool {
    do throws(Errno) { try FileName.expectAccess(ledger + "-lock") } catch { return error == .permissionDenied }
    return false
  }

  /// Opens or makes the file, and locks it; nil if it lost its name before it was locked.
  private static func lock(_ path: String) throws(Failure) -> (FileDescriptor, isNew: Bool)? {
    let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY
    var (descriptor, isNew) = (FileDescriptor(rawValue: -1), false)
    do throws(Errno) {
      do throws(Errno) {
        descriptor = try FileName.open(path, flags)
      } catch .noSuchFileOrDirectory {
        descriptor = try FileName.open(path, flags | O_CREAT | O_EXCL)
        isNew = true
      }
    } catch {
      if error == .fileExists { return nil }
      throw .unavailable("cannot make the ledger's lock file: \(error)")
    }
    do throws(Errno) {
      try systemCall { flock(descriptor.rawValue, LOCK_EX | LOCK_NB) }
      if try Stat(descriptor).isSame(as: FileName.status(path)) { return (descriptor, isNew) }
      throw .noSuchFileOrDirectory
    } catch {
      try? descriptor.close()
      if error == .noSuchFileOrDirectory { return nil }
      throw error == .wouldBlock
        ? .busy("another run is using this ledger; wait for it to end")
        : .unavailable("cannot lock the ledger: \(error)")
    }
  }

  /// Removes the file; the lock is held until the end.
  func remove() { try? FileName.remove(path) }

  /// Removes the file if this made it and wrote nothing. A file that was there stays, also if it is damaged.
  func removeIfNew() { if isNew, slots.isUnwritten { remove() } }

  /// Writes the ledger's state into the older of the slots, and waits until it is on the disk.
  ///
  /// - Parameter again: whether to write it even if the newest slot is equal.
  func keep(_ slot: LedgerSlot, again: Bool = false) throws(Failure) { try slots.keep(slot, again: again) }

  deinit {
    // A process that was started meanwhile also has the descriptor, until it executes another program.
    flock(descriptor.rawValue, LOCK_UN)
    try? descriptor.close()
  }
}
