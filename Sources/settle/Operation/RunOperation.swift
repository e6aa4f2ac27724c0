import BatchRun
import Glibc
import Logging
import Settlement
import Synchronization

/// A run as those see it who operate the machine: log lines at its start, on its way and at its end, and its metrics.
///
/// Metrics are written whatever becomes of the run, also where a signal ends it.
final class RunOperation: Sendable {
  private struct State {
    var metrics: MetricsFile?
    var result: RunResult?
    var isPublished = false
    var exitCode: Int32?
    var lastTold: ContinuousClock.Instant
  }

  private static let interval = Duration.seconds(10)

  private let started = ContinuousClock.now
  private let state: Mutex<State>

  init() {
    state = Mutex(State(lastTold: started))
  }

  // MARK: Start

  /// Tells that the run begins, and with what.
  func begin(_ metadata: Logger.Metadata) {
    Log.logger.info(
      "run started",
      metadata: metadata.merging([
        "version": .string(BatchRun.version), "process": .stringConvertible(getpid()),
      ]) { $1 })
    // A signal allows no waiting: the metrics first, and words only where standard error takes them.
    Interruption.beforeEnd { _ = self.finish(exitCode: $0, attempts: 5) }
    Log.atEnd { self.tellEnd() }
  }

  /// Has metrics written at the end; throws where that can never be.
  func writeMetrics(to path: String) throws(RunFailure) {
    let file = try MetricsFile(path: path)
    state.withLock { $0.metrics = file }
  }

  // MARK: On the way

  /// The run's progress, told as it is asked for.
  func progress() -> RunProgress {
    let line = Log.format == .text ? ProgressLine.onTerminal() : nil
    return RunProgress(
      show: { reading in
        line?.show(reading)
        self.tell(reading)
      },
      clear: { line?.clear() },
      enter: { self.enter($0) })
  }

  private func tell(_ reading: RunProgress.Reading) {
    guard Log.level <= .info else { return }
    let now = ContinuousClock.now
    let isDue = state.withLock { state in
      guard now - state.lastTold >= Self.interval else { return false }
      state.lastTold = now
      return true
    }
    guard isDue else { return }
    var metadata: Logger.Metadata = [
      "records": .stringConvertible(reading.records), "storedBytes": .stringConvertible(reading.storedBytes),
      "textBytes": .stringConvertible(reading.textBytes), "seconds": .stringConvertible(Seconds(since: started)),
    ]
    if let all = reading.allStoredBytes { metadata["allStoredBytes"] = .stringConvertible(all) }
    Log.logger.info("reading", metadata: metadata)
  }

  private func enter(_ phase: RunProgress.Phase) {
    let seconds: Logger.Metadata = ["seconds": .stringConvertible(Seconds(since: started))]
    switch phase {
    case .settled(let result):
      state.withLock { $0.result = result }
      Log.logger.info("batch settled", metadata: seconds.merging(Self.metadata(result)) { $1 })
    case .reported: Log.logger.info("reports written", metadata: seconds)
    case .published:
      // Here no signal can end the process, and nothing may hold it up: the rest is told at the end.
      state.withLock { $0.isPublished = true }
    }
  }

  private static func metadata(_ result: RunResult) -> Logger.Metadata {
    let totals = result.totals
    let files: [Logger.MetadataValue] = result.files.map {
      ["name": .string($0.name), "bytes": .stringConvertible($0.bytes), "sha256": .string($0.sha256)]
    }
    var metadata: Logger.Metadata = [
      "controlTotals": .string(result.controlTotals.rawValue), "files": .array(files),
      "read": .stringConvertible(totals.recordsRead), "settled": .stringConvertible(totals[.settled]),
      "rejected": .stringConvertible(totals[.rejected]), "pending": .stringConvertible(totals[.pending]),
      "held": .stringConvertible(totals[.held]), "receivers": .stringConvertible(result.accounts),
      "textBytes": .stringConvertible(result.textBytes),
    ]
    // A text of the batch; neither a pay key nor an account.
    if let batchID = result.batchID {
      metadata["batchId"] = .string(MessageText.maskedName(Array(batchID.utf8)))
    }
    return metadata
  }

  // MARK: End

  /// Writes the metrics, and tells that the run has ended.
  func end(exitCode: Int32) {
    let failure = finish(exitCode: exitCode, attempts: MetricsFile.mostAttempts)
    // The reports stand or do not, whatever becomes of the metrics: the exit code tells of them alone.
    if let failure { Log.error("the metrics are not written: \(failure.message)") }
    tellEnd()
  }

  /// Keeps how the run ended and writes the metrics: once, whoever comes first.
  private func finish(exitCode: Int32, attempts: Int) -> RunFailure? {
    let ended = state.withLock { state -> State? in
      guard state.exitCode == nil else { return nil }
      state.exitCode = exitCode
      return state
    }
    guard let ended, let metrics = ended.metrics else { return nil }
    let now = time(nil)
    let isSuccess = Self.isSuccess(exitCode)
    let state = MetricsText.State(
      exitCode: exitCode, duration: Seconds(since: started), endTime: now,
      lastSuccess: isSuccess ? now : metrics.lastSuccess(), result: ended.isPublished ? ended.result : nil)
    do throws(RunFailure) {
      try metrics.write(MetricsText.text(state), attempts: attempts)
      return nil
    } catch {
      return error
    }
  }

  private func tellEnd() {
    guard let exitCode = state.withLock({ $0.exitCode }) else { return }
    Log.logger.info(
      "run ended",
      metadata: [
        "exitCode": .stringConvertible(exitCode),
        "outcome": Self.isSuccess(exitCode) ? "published" : "nothing published",
        "seconds": .stringConvertible(Seconds(since: started)),
      ])
  }

  private static func isSuccess(_ exitCode: Int32) -> Bool { exitCode == 0 || exitCode == 1 }
}
