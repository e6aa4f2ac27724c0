import ArgumentParser
import Logging

/// How log lines look.
package enum LogFormat: String, CaseIterable, ExpressibleByArgument {
  /// For people.
  case text
  /// For machines: one JSON object a line.
  case json

  /// The least level that is told where no other is asked for.
  var level: Logger.Level { self == .text ? .notice : .info }
}

/// The options of what is told on standard error.
public struct LogOptions: ParsableArguments {
  @Option(help: "How lines on standard error look: text, or json with one object a line.")
  var logFormat: LogFormat = .text

  @Option(
    help: ArgumentHelp(
      "The least level that is told: debug, info, notice, warning or error. Default: notice, or info for json.",
      valueName: "level"))
  var logLevel: Logger.Level?

  @Flag(name: .shortAndLong, help: "Say nothing but warnings and errors: no counts, no closing table, no progress.")
  var quiet = false

  /// The options as they are where none is given.
  public init() {}

  /// Has lines told as the options say from now on.
  public func start() { Log.start(logFormat, logLevel ?? (quiet ? .warning : logFormat.level), isQuiet: quiet) }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
