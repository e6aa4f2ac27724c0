import BatchRun
import Console
import Dispatch
import Glibc

/// The line on a terminal that shows a run's progress: records, speed, time left.
final class ProgressLine: @unchecked Sendable {  // RunProgress calls it under its lock.
  private let started = DispatchTime.now().uptimeNanoseconds
  private var lastShown: UInt64 = 0
  private static let interval: UInt64 = 200_000_000

  /// A line on standard error; nil if that is not a terminal, or the line is not wanted.
  static func onTerminal() -> ProgressLine? {
    Log.format == .text && !Log.isQuiet && isatty(STDERR_FILENO) == 1 ? ProgressLine() : nil
  }

  /// A progress that is shown in such a line.
  static func forTerminal() -> RunProgress? {
    onTerminal().map { line in RunProgress(show: line.show, clear: line.clear) }
  }

  func show(_ reading: RunProgress.Reading) {
    let now = DispatchTime.now().uptimeNanoseconds
    guard now - max(lastShown, started) >= Self.interval else { return }
    lastShown = now
    let milliseconds = max(1, Int((now - started) / 1_000_000))
    var text = "\r\u{1B}[K\(Terminal.count(reading.records, "record")), \(reading.textBytes / milliseconds / 1000) MB/s"
    if let all = reading.allStoredBytes, all > 0 {
      let done = min(Int(clamping: all), reading.storedBytes)
      let left = Int(clamping: all) - done
      let seconds = done > 0 ? left / max(1, done / milliseconds) / 1000 : 0
      text += ", \(done / max(1, Int(clamping: all) / 100)) %, \(seconds) s left"
    }
    Terminal.writeError(text)
  }

  func clear() {
    if lastShown > 0 { Terminal.writeError(Terminal.erasure) }
  }
}
