import Glibc

/// The lock that a run holds on a ledger while it is at work: `flock` on the file `LEDGER-lock`, so that a killed run
/// holds nothing.
///
/// A file of its own: closing any other descriptor of a database drops the locks that SQLite has on it. The file stays;
/// taking it away would let two runs lock two files of that name. It holds a word once the ledger is made, so that a ledger
/// that has become empty is told from one that was never made.
final class LedgerLock {
  private static let mostInterruptions = 1000

  private let descriptor: Int32

  /// Takes the lock, at once or not at all.
  init(ledger: String) throws(LedgerFailure) {
    descriptor = open(ledger + "-lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, 0o600)
    guard descriptor >= 0 else { throw .unavailable("cannot make the ledger's lock file: \(Self.text(errno))") }
    var interruptions = 0
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR, interruptions < Self.mostInterruptions {
        interruptions += 1
        continue
      }
      // What is thrown here ends in `deinit`, which closes the descriptor.
      throw errno == EWOULDBLOCK
        ? .busy("another run is at work with this ledger; wait for it to end")
        : .unavailable("cannot lock the ledger: \(Self.text(errno))")
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

  static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}
