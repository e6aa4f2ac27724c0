import Synchronization

/// Workers report here how far a run has come; `show` displays it.
public final class RunProgress: @unchecked Sendable {  // It has a lock.
  /// How far a run has come.
  public struct Reading: Sendable {
    public var records = 0
    public var storedBytes = 0
    /// All stored bytes; nil if unknown beforehand.
    public var allStoredBytes: UInt64?
    /// Bytes of decompressed text taken.
    public var textBytes = 0
  }

  /// The phases that a run completes, in order.
  public enum Phase: Sendable {
    /// The ledger has no run yet.
    case newLedger
    /// The ledger's witness is written, or could not be.
    case witness(isBehind: Bool)
    /// The batch was read to its end, and the books balance.
    case settled(RunResult)
    /// All reports are written, but not visible yet.
    case reported
    /// The reports are published. Reported before a signal can end the process.
    case published
  }

  private let lock = Mutex(())
  private var reading = Reading()
  private let show: @Sendable (Reading) -> Void
  private let clear: @Sendable () -> Void
  private let enter: @Sendable (Phase) -> Void

  /// Creates a progress. Any thread calls `show`, one at a time; `clear` removes the display at the end.
  ///
  /// - Parameter enter: called for each completed phase, on the run's own thread.
  public init(
    show: @escaping @Sendable (Reading) -> Void, clear: @escaping @Sendable () -> Void,
    enter: @escaping @Sendable (Phase) -> Void = { _ in }
  ) {
    self.show = show
    self.clear = clear
    self.enter = enter
  }

  package func done(_ phase: Phase) { enter(phase) }

  package func begin(storedBytes: UInt64?) {
    lock.withLock { _ in reading.allStoredBytes = storedBytes }
  }

  package func add(records: Int, storedBytes: Int, textBytes: Int) {
    lock.withLock { _ in
      reading.records += records
      reading.storedBytes = max(reading.storedBytes, storedBytes)
      reading.textBytes += textBytes
      show(reading)
    }
  }

  package func end() {
    lock.withLock { _ in clear() }
  }
}
