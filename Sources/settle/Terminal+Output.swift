import BatchRun
import Console

extension Terminal {
  /// Writes a text to standard output after the work is done: if it cannot be written, nothing is lost.
  ///
  /// Throws only `brokenPipe`, if no one reads any more. With `--quiet` nothing is written.
  static func print(_ text: String) throws(RunFailure) {
    if Log.isQuiet { return }
    do throws(RunFailure) { try emit([text]) } catch { if case .brokenPipe = error { throw error } }
  }

  /// Writes lines to standard output; throws if that fails, as they are the command's result.
  static func emit(_ lines: [String]) throws(RunFailure) {
    try emit(Array(lines.map { $0 + "\n" }.joined().utf8))
  }

  /// Writes a text to standard output; throws if that fails.
  static func emit(_ text: [UInt8]) throws(RunFailure) { try emit(text, count: text.count) }

  /// Writes bytes to standard output; throws if that fails.
  static func emit(_ bytes: UnsafePointer<UInt8>, count: Int) throws(RunFailure) {
    try asRunFailure(write(bytes, count: count))
  }
}
