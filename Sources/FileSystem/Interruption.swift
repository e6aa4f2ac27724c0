import Dispatch
import Glibc
import Threads

/// What ends a run from outside: SIGINT, SIGTERM and SIGHUP.
///
/// A thread of its own waits for them. So they end a run wherever it stands, in a read that waits for a pipe's writer
/// or in the final sort, without any of its threads having to ask. What is under way is taken away first, and nothing
/// can be begun meanwhile.
public enum Interruption {
  /// Held while something is made, named or taken away. By one thread several times, as such deeds nest.
  private static let gate = Condition(isRecursive: true)
  nonisolated(unsafe) private static var cleanups: [Cleanup] = []
  nonisolated(unsafe) private static var exitCode: Int32?
  nonisolated(unsafe) private static var lastDeed: (@Sendable (Int32) -> Void)?

  /// Something under way that an interrupted run takes away, from when it is made until it is withdrawn.
  public final class Cleanup: Sendable {
    fileprivate let body: @Sendable () -> Void

    /// - Parameter body: called at most once, on another thread, right before the process ends.
    public init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
      gate.withLock { cleanups.append(self) }
    }

    /// There is nothing to be taken away any more.
    public func withdraw() {
      gate.withLock { cleanups.removeAll { $0 === self } }
    }

    /// Takes it away now, unless it was withdrawn.
    public func perform() {
      gate.withLock {
        guard let place = cleanups.firstIndex(where: { $0 === self }) else { return }
        cleanups.remove(at: place).body()
      }
    }
  }

  /// Does something that is either done or not begun: a signal that would end the process waits until it is done.
  public static func uninterrupted<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    gate.lock()
    defer { gate.unlock() }
    return try body()
  }

  /// The run has reached what it was for. A signal that comes from now on ends the process with this exit code.
  public static func conclude(exitCode: Int32) {
    gate.withLock { self.exitCode = exitCode }
  }

  /// Has something done right before a signal ends the process, given its exit code.
  public static func beforeEnd(_ deed: @escaping @Sendable (Int32) -> Void) {
    gate.withLock { lastDeed = deed }
  }

  /// Has the process end with 128 + the signal's number on SIGINT, SIGTERM and SIGHUP.
  ///
  /// A second signal does not cut the clean-up short, unless that takes more than `patience`.
  ///
  /// To be called before the process has other threads. SIGHUP is left ignored if it is (`nohup`). Where the system
  /// gives no thread, the signals keep their default action, and what is under way is left for the next run.
  /// - Parameter say: says that the named signal ended the process; called if standard error takes it.
  public static func watch(say: @escaping @Sendable (String) -> Void) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for (number, _) in names where number != SIGHUP || !isIgnored(SIGHUP) {
      sigaddset(&signals, number)
      signal(number, SIG_DFL)
    }
    // Blocked first: a new thread takes the mask of the one that starts it.
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let watched = signals
    let isWatched = WorkerThreads.start(1, in: DispatchGroup()) { _ in wait(for: watched, say: say) } > 0
    if !isWatched { pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
  }

  private static let names: KeyValuePairs = [SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP"]

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  private static func wait(for signals: sigset_t, say: (String) -> Void) {
    var signals = signals
    var number: Int32 = 0
    while sigwait(&signals, &number) != 0 {}
    endWhereHeldUp()
    gate.lock()
    end(exitCode: 128 + number) { say(names.first { $0.key == number }?.value ?? "a signal") }
  }

  /// Seconds that the clean-up may take before a second signal ends the process in the midst of it.
  private static let patience: UInt32 = 5

  /// Has the process end once it was held up for as long as patience lasts and a second signal waits.
  private static func endWhereHeldUp() {
    signal(SIGALRM) { _ in
      var waiting = sigset_t()
      sigpending(&waiting)
      for number in [SIGINT, SIGTERM, SIGHUP] where sigismember(&waiting, number) == 1 { _exit(128 + number) }
      alarm(1)
    }
    alarm(patience)
  }

  /// Takes away what is under way, says why, if standard error takes it, and ends the process; the gate is held.
  private static func end(exitCode: Int32, say: () -> Void) -> Never {
    if let concluded = self.exitCode {
      lastDeed?(concluded)
      _exit(concluded)
    }
    for cleanup in cleanups { cleanup.body() }
    lastDeed?(exitCode)
    var standardError = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    if poll(&standardError, 1, 0) == 1 { say() }
    _exit(exitCode)
  }
}
