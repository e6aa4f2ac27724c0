import ExactArithmetic
import FoundationEssentials
import JSON
import Logging
import Text

/// Writes log lines to standard error, each in one call.
struct StandardErrorLog: LogHandler {
  typealias Entries = [(key: String, value: Logger.MetadataValue)]

  var metadata: Logger.Metadata = [:]

  /// The command's level, whatever a logger asks for.
  var logLevel: Logger.Level {
    get { Log.level }
    set {}
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let entries = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
    let line =
      switch Log.format {
      case .text: Self.text(event.level, event.message.description, entries)
      case .json: Self.json(event.level, event.message.description, entries, time: Self.now())
      }
    Terminal.writeErrorLine(line, in: Log.format == .text ? Self.color(event.level) : nil)
  }

  /// The current time: RFC 3339, UTC, milliseconds.
  private static func now() -> String { Date.now.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }

  // MARK: Text

  /// A line for people. An error or a warning begins with its file and line, if it has such a place.
  static func text(_ level: Logger.Level, _ message: String, _ entries: Entries) -> String {
    switch level {
    case .error, .critical, .warning:
      let place = ["file", "line"].compactMap { key in entries.first { $0.key == key }.map { shown($0.value) } }
      let kind = level == .warning ? "warning" : "error"
      // What is wrong with a whole file that is an input.
      let input = entries.first { $0.key == "input" }.map { shown($0.value) }
      return "\(place.count == 2 ? place.joined(separator: ":") : input ?? Log.name): \(kind): \(message)"
    case .notice: return message
    case .info, .debug, .trace:
      return (["\(now()) \(level): \(message)"] + entries.map { "\($0.key)=\(shown($0.value))" }).joined(separator: " ")
    }
  }

  private static func color(_ level: Logger.Level) -> Terminal.Color? {
    switch level {
    case .error, .critical: .red
    case .warning: .yellow
    case .notice, .info, .debug, .trace: nil
    }
  }

  private static func shown(_ value: Logger.MetadataValue) -> String {
    switch value {
    case .array(let values): "[\(values.map(shown).joined(separator: " "))]"
    case .dictionary(let entries):
      "{\(entries.sorted { $0.key < $1.key }.map { "\($0.key)=\(shown($0.value))" }.joined(separator: " "))}"
    case .string, .stringConvertible: MessageText.escapedName(Array(value.description.utf8))
    }
  }

  // MARK: JSON

  /// One object: time, level and message, then the metadata by name.
  static func json(_ level: Logger.Level, _ message: String, _ entries: Entries, time: String) -> String {
    let start: [(String, JSONTree)] = [
      ("time", .string(time)), ("level", .string("\(level)")), ("message", .string(message)),
    ]
    return JSONTree.object(start + entries.map { ($0.key, JSONTree($0.value)) }).description
  }
}

extension JSONTree {
  /// A value of a log line's metadata: numbers and booleans as JSON, anything else as a string.
  init(_ value: Logger.MetadataValue) {
    switch value {
    case .stringConvertible(let value as Bool): self = .boolean(value)
    case .stringConvertible(let value) where value is any BinaryInteger || value is ExactDecimal:
      self = .number(Array("\(value)".utf8))
    case .string, .stringConvertible: self = .string(value.description)
    case .array(let values): self = .array(values.map(JSONTree.init))
    case .dictionary(let entries):
      self = .object(entries.sorted { $0.key < $1.key }.map { ($0.key, JSONTree($0.value)) })
    }
  }
}
