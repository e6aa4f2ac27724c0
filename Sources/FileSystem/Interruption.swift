import Dispatch
import Glibc
import Threads

/// Ends a run on SIGINT, SIGTERM and SIGHUP.
///
/// A separate thread waits for these signals. So they end a run whatever it is doing, such as waiting for a pipe's
/// writer or sorting at the end, without its other threads having to check. Unfinished outputs are removed first, and
/// no new ones can be started meanwhile.
///
/// (Unsafe: the gate guards what threads share. Sets of signals are the caller's own, and the handler of the alarm calls
/// only what a handler may call.)
public enum Interruption {
  /// Held while something is made, named or removed. It is recursive because such actions nest.
  private static let gate = Condition(isRecursive: true)
  // The gate guards these.
  nonisolated(unsafe) private static var cleanups: [Cleanup] = []
  nonisolated(unsafe) private static var exitCode: Int32?
  nonisolated(unsafe) private static var lastDeed: (@Sendable (Int32) -> Void)?

  /// Removes something unfinished if the run is interrupted. In effect from its creation until it is withdrawn.
  public final class Cleanup: Sendable {
    fileprivate let body: @Sendable () -> Void

    /// - Parameter body: called at most once, on another thread, right before the process ends.
    public init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
      gate.withLock { unsafe cleanups.append(self) }
    }

    /// Nothing is left to remove.
    public func withdraw() {
      gate.withLock { unsafe cleanups.removeAll { $0 === self } }
    }

    /// Performs the removal now, unless it was withdrawn.
    public func perform() {
      gate.withLock {
        guard let place = unsafe cleanups.firstIndex(where: { $0 === self }) else { return }
        unsafe cleanups.remove(at: place).body()
      }
    }
  }

  /// Does something that must not be left half done: a signal that would end the process waits until it is finished.
  public static func uninterrupted<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    gate.lock()
    defer { gate.unlock() }
    return try body()
  }

  /// The run's result is final. From now on a signal ends the process with this exit code.
  public static func conclude(exitCode: Int32) {
    gate.withLock { unsafe self.exitCode = exitCode }
  }

  /// Sets an action that runs right before a signal ends the process. It gets the exit code.
  public static func beforeEnd(_ deed: @escaping @Sendable (Int32) -> Void) {
    gate.withLock { unsafe lastDeed = deed }
  }

  /// Makes SIGINT, SIGTERM and SIGHUP end the process with 128 + the signal's number.
  ///
  /// A second signal does not interrupt the clean-up, unless that takes longer than `patience`.
  ///
  /// Call it before the process has other threads. If SIGHUP is ignored (`nohup`), it stays ignored. If the system
  /// refuses a thread, the signals keep their default action, and unfinished outputs are left for the next run to
  /// remove.
  /// - Parameter say: reports that the named signal ended the process; called if standard error is writable.
  public static func watch(say: @escaping @Sendable (String) -> Void) {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for (number, _) in names where number != SIGHUP || !isIgnored(SIGHUP) {
      unsafe sigaddset(&signals, number)
      signal(number, SIG_DFL)
    }
    // Block the signals first: a new thread inherits the mask of the thread that starts it.
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    let watched = signals
    let started = WorkerThreads.start(1, named: "signals", in: DispatchGroup()) { _ in wait(for: watched, say: say) }
    if started == 0 { unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil) }
  }

  private static let names: KeyValuePairs = [SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP"]

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  private static func wait(for signals: sigset_t, say: (String) -> Void) {
    var signals = signals
    var number: Int32 = 0
    while unsafe sigwait(&signals, &number) != 0 {}
    endWhereHeldUp()
    gate.lock()
    end(exitCode: 128 + number) { say(names.first { $0.key == number }?.value ?? "a signal") }
  }

  /// Seconds that the clean-up may take before a second signal ends the process in the middle of it.
  private static let patience: UInt32 = 5

  /// Ends the process if the clean-up is stuck for longer than `patience` and a second signal is pending.
  private static func endWhereHeldUp() {
    signal(SIGALRM) { _ in
      var waiting = sigset_t()
      unsafe sigpending(&waiting)
      for number in [SIGINT, SIGTERM, SIGHUP] where unsafe sigismember(&waiting, number) == 1 { _exit(128 + number) }
      alarm(1)
    }
    alarm(patience)
  }

  /// Removes what is unfinished, reports why if standard error is writable, and ends the process. The gate is held.
  private static func end(exitCode: Int32, say: () -> Void) -> Never {
    if let concluded = unsafe self.exitCode {
      unsafe lastDeed?(concluded)
      _exit(concluded)
    }
    for cleanup in unsafe cleanups { cleanup.body() }
    unsafe lastDeed?(exitCode)
    var standardError = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    if unsafe poll(&standardError, 1, 0) == 1 { say() }
    _exit(exitCode)
  }
}
