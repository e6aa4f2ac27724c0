import Failures
import FileSystem
import Glibc
import SystemPackage

/// Output of the command to standard output and standard error.
public enum Terminal {
  /// The colours for things that should be looked at, as terminals number them.
  package enum Color: Int {
    case red = 31
    case yellow = 33
  }

  /// Writes a line to standard error as it is. Log lines go through `Log` instead.
  ///
  /// - Parameter color: the line's colour if standard error shows colours; the first line's if there are several.
  package static func writeErrorLine(_ line: String, in color: Color? = nil) {
    guard let color, isColored(STDERR_FILENO) else { return writeError(line + "\n") }
    let end = line.firstIndex(of: "\n") ?? line.endIndex
    writeError("\u{1B}[\(color.rawValue)m\(line[..<end])\u{1B}[0m\(line[end...])\n")
  }

  /// The characters that erase a progress line on standard error; empty if that is not a terminal.
  package static var erasure: String { isatty(STDERR_FILENO) == 1 ? "\r\u{1B}[K" : "" }

  /// Erases a progress line on a terminal.
  static func erase() { writeError(erasure) }

  /// Whether an open file is a terminal that shows colours, and colours are not turned off (`NO_COLOR`).
  package static func isColored(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && variable("NO_COLOR", or: "").isEmpty && variable("TERM", or: "dumb") != "dumb"
  }

  /// An environment variable. (Unsafe: the system ends its text with a zero byte.)
  package static func variable(_ name: String, or missing: String) -> String {
    unsafe getenv(name).map { unsafe String(cString: $0) } ?? missing
  }

  /// A number of things in words: `1 record`, `2 records`.
  public static func count(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }

  /// Writes bytes to standard output, or throws why it failed.
  package static func write(_ bytes: Span<UInt8>) throws(Failure) {
    try OpenFile.writeAll(.standardOutput, bytes, name: "standard output")
  }

  /// Writes a text to standard output, or throws why it failed.
  static func write(_ text: String) throws(Failure) { try write(text.utf8Span.span) }

  /// Writes a text to standard error.
  package static func writeError(_ text: String) {
    // If no one reads standard error, the failure cannot be reported.
    try? OpenFile.writeAll(.standardError, text.utf8Span.span, name: "terminal")
  }
}
