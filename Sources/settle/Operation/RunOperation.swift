import BatchRun
import Console
import ExactArithmetic
import Failures
import FileSystem
import FoundationEssentials
import Glibc
import Logging
import Settlement
import Synchronization

/// How a run ended, in the words of the log and of the metrics.
enum RunEnding: String, CaseIterable {
  /// The batch is settled, and its reports are published.
  case published
  /// An earlier run settled the batch; this one published its reports at another place.
  case publishedAgain = "published again"
  /// An earlier run settled the batch and its reports are unchanged; nothing was written.
  case alreadySettled = "already settled"
  /// An earlier run settled the batch into another directory, or its reports are gone; nothing was written.
  case settledBefore = "settled before"
  /// The run failed and did not settle the batch.
  case nothingPublished = "nothing published"

  /// Whether the batch is settled and its reports exist unchanged.
  var isSuccess: Bool { self != .nothingPublished && self != .settledBefore }
}

/// A run as its operators see it: log lines at its start, on the way and at its end, and its metrics.
///
/// Metrics are always written, even if the run fails or a signal ends it.
final class RunOperation: Sendable {
  private struct State {
    var metrics: MetricsFile?
    var result: RunResult?
    var ending = RunEnding.nothingPublished
    var isLedgerNew = false
    var isWitnessBehind: Bool?
    /// When the run that settled the batch before was entered, in seconds since 1970.
    var earlierTime: Int?
    var exitCode: Int32?
    var lastLogged: ContinuousClock.Instant
  }

  private static let interval = Duration.seconds(10)

  private let started = ContinuousClock.now
  private let state: Mutex<State>

  init() {
    state = Mutex(State(lastLogged: started))
  }

  /// The time since the run began, in seconds with three decimals.
  private var seconds: ExactDecimal {
    ExactDecimal(Int((ContinuousClock.now - started) / .milliseconds(1)), exponent: -3)
  }

  // MARK: Start

  /// Logs that the run begins, and its options.
  func begin(_ metadata: Logger.Metadata) {
    Log.logger.info(
      "run started",
      metadata: metadata.merging([
        "version": .string(BatchRun.version), "process": .stringConvertible(getpid()),
      ]) { $1 })
    // A signal allows no waiting: write the metrics first, and words only if standard error takes them at once.
    Interruption.beforeEnd { _ = self.finish(exitCode: $0, attempts: 5) }
    Log.atEnd { self.logEnd() }
  }

  /// Arranges for metrics to be written at the end, if there is a file for them.
  func writeMetrics(to file: MetricsFile?) { state.withLock { $0.metrics = file } }

  // MARK: On the way

  /// The run's progress, logged when it is asked for.
  func progress() -> RunProgress {
    let line = ProgressLine.onTerminal()
    return RunProgress(
      show: { reading in
        line?.show(reading)
        self.log(reading)
      },
      clear: { line?.clear() },
      enter: { self.enter($0) })
  }

  private func log(_ reading: RunProgress.Reading) {
    guard Log.level <= .info else { return }
    let now = ContinuousClock.now
    let isDue = state.withLock { state in
      guard now - state.lastLogged >= Self.interval else { return false }
      state.lastLogged = now
      return true
    }
    guard isDue else { return }
    var metadata: Logger.Metadata = [
      "records": .stringConvertible(reading.records), "storedBytes": .stringConvertible(reading.storedBytes),
      "textBytes": .stringConvertible(reading.textBytes),
    ]
    if let all = reading.allStoredBytes { metadata["allStoredBytes"] = .stringConvertible(all) }
    log("reading", metadata)
  }

  /// Logs a message with the time that the run has taken so far.
  private func log(_ message: Logger.Message, _ metadata: Logger.Metadata = [:]) {
    let seconds = ["seconds": Logger.MetadataValue.stringConvertible(seconds)]
    Log.logger.info(message, metadata: metadata.merging(seconds) { $1 })
  }

  private func enter(_ phase: RunProgress.Phase) {
    switch phase {
    case .newLedger: state.withLock { $0.isLedgerNew = true }
    case .witness(let isBehind): state.withLock { $0.isWitnessBehind = isBehind }
    case .settled(let result):
      state.withLock { $0.result = result }
      log("batch settled", Self.metadata(result))
    case .reported: log("reports written")
    case .published:
      // No signal can end the process here, and nothing may delay it: the rest is logged at the end.
      state.withLock { $0.ending = .published }
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
    if let batchID = result.batchID { metadata["batchId"] = .string(batchID) }
    return metadata
  }

  // MARK: End

  /// Records that an earlier run settled the batch.
  func found(_ run: EarlierRun, _ ending: RunEnding) {
    let time = try? Date(run.time, strategy: .iso8601)
    state.withLock {
      $0.ending = ending
      $0.earlierTime = time.map { Int($0.timeIntervalSince1970) }
    }
  }

  /// Writes the metrics, and logs that the run has ended.
  func end(exitCode: Int32) {
    let failure = finish(exitCode: exitCode, attempts: MetricsFile.mostAttempts)
    // Whether the reports are published does not depend on the metrics: the exit code describes only the reports.
    if let failure { Log.warning("the metrics are not written: \(failure.message)") }
    logEnd()
  }

  /// Records how the run ended and writes the metrics. Only the first call does so.
  private func finish(exitCode: Int32, attempts: Int) -> Failure? {
    let ended = state.withLock { state -> State? in
      guard state.exitCode == nil else { return nil }
      state.exitCode = exitCode
      return state
    }
    guard let ended, let metrics = ended.metrics else { return nil }
    let now = time(nil)
    let lastSuccess =
      switch ended.ending {
      case .published, .publishedAgain: now
      case .alreadySettled: [metrics.lastSuccess(), ended.earlierTime].compactMap { $0 }.max()
      case .settledBefore, .nothingPublished: metrics.lastSuccess()
      }
    let text = MetricsText.text(
      exitCode: exitCode, ending: ended.ending, isLedgerNew: ended.isLedgerNew && ended.ending.isSuccess,
      isWitnessBehind: ended.isWitnessBehind, seconds: seconds, endTime: now, lastSuccess: lastSuccess,
      result: ended.ending.isSuccess ? ended.result : nil)
    do throws(Failure) {
      try metrics.write(text, attempts: attempts)
      return nil
    } catch {
      return error
    }
  }

  private func logEnd() {
    let (exitCode, ending) = state.withLock { ($0.exitCode, $0.ending) }
    guard let exitCode else { return }
    log("run ended", ["exitCode": .stringConvertible(exitCode), "outcome": .string(ending.rawValue)])
  }
}
