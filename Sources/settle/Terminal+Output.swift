import Console
import Failures

extension Terminal {
  /// Writes a text to standard output after the work is done: if it cannot be written, nothing is lost.
  ///
  /// Throws only `brokenPipe`, if no one reads any more. With `--quiet` nothing is written.
  static func print(_ text: String) throws(Failure) {
    if Log.isQuiet { return }
    do throws(Failure) { try emit([text]) } catch { if error.kind == .brokenPipe { throw error } }
  }

  /// Writes lines to standard output; throws if that fails, as they are the command's result.
  static func emit(_ lines: [String]) throws(Failure) {
    try emit(lines.map { $0 + "\n" }.joined().utf8Span.span)
  }

  /// Writes a text to standard output; throws if that fails.
  static func emit(_ text: [UInt8]) throws(Failure) { try emit(text.span) }

  /// Writes a text to standard output; throws if that fails.
  static func emit(_ text: Span<UInt8>) throws(Failure) { try write(text) }
}
