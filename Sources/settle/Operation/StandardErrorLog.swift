import BatchFile
import Glibc
import Logging
import Reports
import Settlement

/// Writes log lines to standard error, each in one call.
struct StandardErrorLog: LogHandler {
  var metadata: Logger.Metadata = [:]

  /// The command's, whatever a logger asks for.
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
    Terminal.tell(line)
  }

  // MARK: Text

  /// A line for people. Errors, warnings and notices have the words that scripts know, and nothing else.
  static func text(
    _ level: Logger.Level, _ message: String, _ entries: [(key: String, value: Logger.MetadataValue)]
  ) -> String {
    switch level {
    // A batch error begins with its code.
    case .error, .critical: return entries.contains { $0.key == "code" } ? message : "settle: " + message
    case .warning: return "warning: " + message
    case .notice: return message
    case .info, .debug, .trace:
      return (["\(now()) \(level): \(message)"] + entries.map { "\($0.key)=\(shown($0.value))" }).joined(separator: " ")
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

  /// One object: time, level and message, then what belongs to them by name.
  static func json(
    _ level: Logger.Level, _ message: String, _ entries: [(key: String, value: Logger.MetadataValue)], time: String
  ) -> String {
    var text = TextBuffer()
    text.append("{\"time\":\"\(time)\",\"level\":\"\(level)\",\"message\":")
    JSONText.append(message, to: &text)
    for (key, value) in entries {
      text.append(",")
      JSONText.append(key, to: &text)
      text.append(":")
      append(value, to: &text)
    }
    text.append("}")
    return text.string
  }

  private static func append(_ value: Logger.MetadataValue, to text: inout TextBuffer) {
    switch value {
    case .string(let string): JSONText.append(string, to: &text)
    case .stringConvertible(let value): append(value, to: &text)
    case .array(let values):
      text.append("[")
      for (place, value) in values.enumerated() {
        if place > 0 { text.append(",") }
        append(value, to: &text)
      }
      text.append("]")
    case .dictionary(let entries):
      text.append("{")
      for (place, entry) in entries.sorted(by: { $0.key < $1.key }).enumerated() {
        if place > 0 { text.append(",") }
        JSONText.append(entry.key, to: &text)
        text.append(":")
        append(entry.value, to: &text)
      }
      text.append("}")
    }
  }

  /// Numbers and truth values as JSON has them, anything else as a string.
  private static func append(_ value: any CustomStringConvertible & Sendable, to text: inout TextBuffer) {
    switch value {
    case is Int, is Int32, is UInt64, is Bool, is Seconds: text.append(value.description)
    default: JSONText.append(value.description, to: &text)
    }
  }

  // MARK: Time

  /// The time of day: RFC 3339, UTC, milliseconds.
  static func now() -> String {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    var parts = tm()
    gmtime_r(&time.tv_sec, &parts)
    let length = 32
    let seconds = withUnsafeTemporaryAllocation(of: CChar.self, capacity: length) { buffer -> String in
      guard let start = buffer.baseAddress else { return "" }
      strftime(start, length, "%Y-%m-%dT%H:%M:%S", &parts)
      return String(cString: start)
    }
    return "\(seconds).\(String("\(1000 + time.tv_nsec / 1_000_000)".dropFirst()))Z"
  }
}

/// A time span in seconds with three decimals.
struct Seconds: CustomStringConvertible, Sendable {
  let milliseconds: Int

  /// The time since an earlier instant.
  init(since start: ContinuousClock.Instant) {
    let parts = (ContinuousClock.now - start).components
    milliseconds = max(0, Int(parts.seconds) * 1000 + Int(parts.attoseconds / 1_000_000_000_000_000))
  }

  init(milliseconds: Int) { self.milliseconds = milliseconds }

  var description: String { "\(milliseconds / 1000).\("\(1000 + milliseconds % 1000)".dropFirst())" }
}
