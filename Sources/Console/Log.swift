import FileSystem
import Logging
import Synchronization

/// What is told on standard error while a command is at work: by swift-log, in one of two forms.
///
/// As text, errors, warnings and notices are told in the words that people read; what else is asked for comes with its
/// time and level. As JSON, every line is an object.
public enum Log {
  private struct Settings {
    var name = "settle"
    var format = LogFormat.text
    var level = Logger.Level.notice
    var isQuiet = false
    var lastWords: (@Sendable () -> Void)?
  }

  private static let settings = Mutex(Settings())

  /// Where lines go.
  package static let logger: Logger = {
    LoggingSystem.bootstrap { _ in StandardErrorLog() }
    return Logger(label: name)
  }()

  /// Has lines told in a form, and those below a level not at all.
  ///
  /// - Parameter isQuiet: whether what was not asked for is left out elsewhere, too.
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

  /// How lines look.
  package static var format: LogFormat { settings.withLock { $0.format } }
  /// The least level that is told.
  package static var level: Logger.Level { settings.withLock { $0.level } }
  /// Whether only warnings and errors are to be told.
  package static var isQuiet: Bool { settings.withLock { $0.isQuiet } }

  /// Tells something that belongs to what was asked for.
  public static func notice(_ text: String) { logger.notice("\(text)") }

  /// Tells something that should be looked at.
  package static func warning(_ text: String) { logger.warning("\(text)") }

  /// Says what went wrong, and at which line of a file if it has such a place.
  public static func error(_ text: String, at place: (file: String, line: Int)? = nil) {
    logger.error("\(text)", metadata: place.map { ["file": .string($0.file), "line": .stringConvertible($0.line)] })
  }

  /// Takes the form from arguments that are not parsed yet, so that what is wrong with them is told in it, too.
  static func expectForm(_ arguments: [String]) {
    let json = LogFormat.json.rawValue
    let asksForJSON =
      arguments.contains("--log-format=\(json)")
      || zip(arguments, arguments.dropFirst()).contains { $0 == "--log-format" && $1 == json }
    if asksForJSON { start(.json, .info) }
  }

  /// Tells why the process ends before its command did; on a terminal, in the place of a line of progress.
  static func tellAtEnd(_ message: String) {
    if format == .text { Terminal.erase() }
    error(message)
    settings.withLock { $0.lastWords }?()
  }

  /// Has something told after why the process ends before its command did.
  package static func atEnd(_ lastWords: @escaping @Sendable () -> Void) {
    settings.withLock { $0.lastWords = lastWords }
  }

  /// Tells why a command fails.
  public static func tell(_ failure: FileFailure) {
    // Nobody reads any more: there is nothing to be said, and often nobody to say it to.
    if failure == .brokenPipe { return }
    logger.error("\(failure.message)", metadata: ["exitCode": .stringConvertible(failure.exitCode)])
  }
}
