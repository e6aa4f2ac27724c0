import ArgumentParser
import Logging

/// The format of log lines.
package enum LogFormat: String, CaseIterable, ExpressibleByArgument {
  /// For people.
  case text
  /// For machines: one JSON object per line.
  case json

  /// The lowest level that is written, if no other is asked for.
  var level: Logger.Level { self == .text ? .notice : .info }
}

/// The options for what is written on standard error.
public struct LogOptions: ParsableArguments {
  @Option(help: "The format of lines on standard error: text, or json with one object per line.")
  var logFormat: LogFormat = .text

  @Option(
    help: ArgumentHelp(
      "The lowest level to log: debug, info, notice, warning or error. Default: notice, or info for json.",
      valueName: "level"))
  var logLevel: Logger.Level?

  @Flag(name: .shortAndLong, help: "Print only warnings and errors: no counts, no closing table, no progress.")
  var quiet = false

  /// The options' defaults.
  public init() {}

  /// Applies the options from now on.
  public func start() { Log.start(logFormat, logLevel ?? (quiet ? .warning : logFormat.level), isQuiet: quiet) }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
