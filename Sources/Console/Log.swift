import Failures
import Logging
import Synchronization

/// Log lines on standard error while a command runs, written by swift-log in one of two formats.
///
/// As text, errors, warnings and notices are plain sentences; lower levels, if asked for, have their time and level. As
/// JSON, every line is an object.
public enum Log {
  private struct Settings {
    var name = "settle"
    var format = LogFormat.text
    var level = Logger.Level.notice
    var isQuiet = false
    var lastWords: (@Sendable () -> Void)?
  }

  private static let settings = Mutex(Settings())

  /// The logger that all lines go through.
  package static let logger: Logger = {
    LoggingSystem.bootstrap { _ in StandardErrorLog() }
    return Logger(label: name)
  }()

  /// Sets the format of lines, and the level below which lines are not written.
  ///
  /// - Parameter isQuiet: whether other output that was not asked for is also left out.
  static func start(_ format: LogFormat, _ level: Logger.Level, isQuiet: Bool = false) {
    settings.withLock {
      $0.format = format
      $0.level = level
      $0.isQuiet = isQuiet
    }
  }

  /// The command's name, which errors begin with.
  static var name: String {
    get { settings.withLock { $0.name } }
    set { settings.withLock { $0.name = newValue } }
  }

  /// The format of lines.
  package static var format: LogFormat { settings.withLock { $0.format } }
  /// The lowest level that is written.
  package static var level: Logger.Level { settings.withLock { $0.level } }
  /// Whether only warnings and errors are written.
  package static var isQuiet: Bool { settings.withLock { $0.isQuiet } }

  /// Logs something that belongs to what was asked for.
  public static func notice(_ text: String) { logger.notice("\(text)") }

  /// Logs something that should be looked at.
  package static func warning(_ text: String) { logger.warning("\(text)") }

  /// Logs an error, with its file and line if it has such a place.
  public static func error(_ text: String, at place: (file: String, line: Int)? = nil) {
    logger.error("\(text)", metadata: place.map { ["file": .string($0.file), "line": .stringConvertible($0.line)] })
  }

  /// Finds the format in arguments that are not parsed yet, so that errors in them are reported in it too.
  static func expectForm(_ arguments: [String]) {
    let json = LogFormat.json.rawValue
    let asksForJSON =
      arguments.contains("--log-format=\(json)")
      || zip(arguments, arguments.dropFirst()).contains { $0 == "--log-format" && $1 == json }
    if asksForJSON { start(.json, .info) }
  }

  /// Logs why the process ends before its command finished; on a terminal, this replaces a progress line.
  static func reportEnd(_ message: String) {
    if format == .text { Terminal.erase() }
    error(message)
    settings.withLock { $0.lastWords }?()
  }

  /// Sets an action that logs more after the reason why the process ends before its command finished.
  package static func atEnd(_ lastWords: @escaping @Sendable () -> Void) {
    settings.withLock { $0.lastWords = lastWords }
  }

  /// Logs why a command fails.
  public static func report(_ failure: Failure) {
    // The reader is gone: there is nothing to say, and often no one to say it to.
    if failure == .brokenPipe { return }
    logger.error("\(failure.message)", metadata: ["exitCode": .stringConvertible(failure.exitCode)])
  }
}
