import Glibc

/// The lock that a run holds on a ledger while it is at work: `flock` on the file `LEDGER-lock`, so that a killed run
/// holds nothing.
///
/// A file of its own: closing any other descriptor of a database drops the locks that SQLite has on it. The file stays,
/// empty; taking it away would let two runs lock two files of that name.
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

  deinit {
    // A process that was begun meanwhile has the descriptor, too, until it runs a program of its own.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  static func text(_ code: Int32) -> String { String(cString: strerror(code)) }
}
