import BatchRun
import Glibc
import FileSystem

/// What the command says, and where.
enum Terminal {
  /// Writes a text to standard output after what matters is done; where nobody reads it, nothing is lost.
  static func print(_ text: String) {
    write(STDOUT_FILENO, text + "\n")
  }

  /// Writes lines to standard output, or says why not: they are what was asked for.
  static func emit(_ lines: [String]) throws(RunFailure) {
    try emit(Array(lines.map { $0 + "\n" }.joined().utf8))
  }

  /// Writes a text to standard output, or says why not.
  static func emit(_ text: [UInt8]) throws(RunFailure) { try emit(text, count: text.count) }

  /// Writes a line to standard error as it is; what is to be told goes through `Log`.
  static func tell(_ line: String) {
    write(STDERR_FILENO, line + "\n")
  }

  /// Takes a line of progress off a terminal.
  static func erase() {
    write(STDERR_FILENO, ProgressLine.erasure)
  }

  /// A number of things in words: `1 record`, `2 records`.
  static func count(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }

  /// Writes bytes to standard output, or says why not.
  static func emit(_ bytes: UnsafePointer<UInt8>, count: Int) throws(RunFailure) {
    try asRunFailure(OpenFile.writeAll(STDOUT_FILENO, bytes, count: count, name: "standard output"))
  }

  private static func write(_ descriptor: Int32, _ text: String) {
    let bytes = Array(text.utf8)
    // Where nobody reads, there is nobody to tell.
    try? OpenFile.writeAll(descriptor, bytes, count: bytes.count, name: "terminal")
  }
}
