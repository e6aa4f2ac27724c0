import ArgumentParser
import Logging

/// How log lines look.
enum LogFormat: String, CaseIterable, ExpressibleByArgument {
  /// For people.
  case text
  /// For machines: one JSON object a line.
  case json
}

/// The options of commands that a machine may run.
struct LogOptions: ParsableArguments {
  @Option(help: "How lines on standard error look: text, or json with one object a line.")
  var logFormat: LogFormat = .text

  @Option(
    help: ArgumentHelp(
      "The least level that is told: debug, info, notice, warning or error. Default: notice, or info for json.",
      valueName: "level"))
  var logLevel: LogLevel?

  /// Has lines told as the options say from now on.
  func start() {
    Log.start(logFormat, logLevel?.level ?? (logFormat == .json ? .info : .notice))
  }
}

/// The levels there is something to tell at.
enum LogLevel: String, CaseIterable, ExpressibleByArgument {
  case debug, info, notice, warning, error

  var level: Logger.Level {
    switch self {
    case .debug: .debug
    case .info: .info
    case .notice: .notice
    case .warning: .warning
    case .error: .error
    }
  }
}
