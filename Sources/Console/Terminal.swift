import FileSystem
import Glibc

/// What the command says, and where.
public enum Terminal {
  /// The colours of what should be looked at, as terminals take them.
  package enum Color: Int {
    case red = 31
    case yellow = 33
  }

  /// Writes a line to standard error as it is; what is to be told goes through `Log`.
  ///
  /// - Parameter color: what the line is to have if standard error shows colours; of several lines the first.
  package static func tell(_ line: String, in color: Color? = nil) {
    guard let color, isColored(STDERR_FILENO) else { return write(line + "\n") }
    let end = line.firstIndex(of: "\n") ?? line.endIndex
    write("\u{1B}[\(color.rawValue)m\(line[..<end])\u{1B}[0m\(line[end...])\n")
  }

  /// What takes a line of progress off standard error again; nothing if that is no terminal.
  package static var erasure: String { isatty(STDERR_FILENO) == 1 ? "\r\u{1B}[K" : "" }

  /// Takes a line of progress off a terminal.
  static func erase() { write(erasure) }

  /// Whether an open file is a terminal that shows colours, and nobody asks for none (`NO_COLOR`).
  package static func isColored(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1 && getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
      && getenv("TERM").map { strcmp($0, "dumb") != 0 } ?? false
  }

  /// A number of things in words: `1 record`, `2 records`.
  public static func count(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }

  /// Writes bytes to standard output, or says why not.
  package static func write(_ bytes: UnsafePointer<UInt8>, count: Int) throws(FileFailure) {
    try OpenFile.writeAll(STDOUT_FILENO, bytes, count: count, name: "standard output")
  }

  /// Writes a text to standard error.
  private static func write(_ text: String) {
    let bytes = Array(text.utf8)
    // If nobody reads, there is nobody to tell.
    try? OpenFile.writeAll(STDERR_FILENO, bytes, count: bytes.count, name: "terminal")
  }
}
