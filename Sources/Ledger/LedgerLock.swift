import FileSystem
import Glibc
import SystemPackage

/// The lock that a run holds on a ledger while it is at work: `flock` on the file `LEDGER-lock`, so that a killed run
/// holds nothing.
///
/// A file of its own: closing any other descriptor of a database drops the locks that SQLite has on it. The file stays;
/// taking it away would let two runs lock two files of that name. It holds a word once the ledger is made, so that a ledger
/// that has become empty is told from one that was never made.
final class LedgerLock {
  private let descriptor: Int32

  /// Takes the lock, at once or not at all.
  init(ledger: String) throws(LedgerFailure) {
    do throws(Errno) {
      descriptor = try systemCall {
        open(ledger + "-lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0o600)
      }
    } catch {
      throw .unavailable("cannot make the ledger's lock file: \(error)")
    }
    do throws(Errno) {
      // What is thrown here ends in `deinit`, which closes the descriptor.
      try systemCall { flock(descriptor, LOCK_EX | LOCK_NB) }
    } catch {
      throw error == .wouldBlock
        ? .busy("another run is at work with this ledger; wait for it to end")
        : .unavailable("cannot lock the ledger: \(error)")
    }
  }

  /// Whether the ledger was made before; false where the system does not tell.
  var saysMade: Bool {
    get {
      var status = stat()
      return fstat(descriptor, &status) == 0 && status.st_size > 0
    }
    set {
      // Where the word cannot be written, less is known of the ledger, and nothing else.
      if newValue {
        _ = pwrite(descriptor, "made\n", 5, 0)
      } else if ftruncate(descriptor, 0) == 0 {
        // Before a file is made that a power failure may leave empty.
        fsync(descriptor)
      }
    }
  }

  deinit {
    // A process that was begun meanwhile has the descriptor, too, until it runs a program of its own.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
