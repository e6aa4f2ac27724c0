import BatchFile
import BatchRun
import Glibc

/// Reads small files whole: fee schedules, requests to import.
enum WholeFile {
  /// The bytes of a file; nil where there are more than `limit`.
  ///
  /// - Parameters:
  ///   - path: a path, or `-` for standard input.
  ///   - what: what the file is, for messages: `the fee schedule`.
  static func read(_ path: String, what: String, limit: Int) throws(RunFailure) -> [UInt8]? {
    let isInput = path == "-"
    let descriptor =
      isInput
      ? STDIN_FILENO : SystemCall.retrying { FileName.withCString(path) { open($0, O_RDONLY | O_CLOEXEC) } }
    guard descriptor >= 0 else { throw failure(path, "cannot open \(what)") }
    defer { if !isInput { close(descriptor) } }
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let result = SystemCall.retrying { Glibc.read(descriptor, &piece, piece.count) }
      if result == 0 { return text }
      guard result > 0 else { throw failure(path, "cannot read \(what)") }
      text += piece[..<result]
      guard text.count <= limit else { return nil }
    }
  }

  private static func failure(_ path: String, _ what: String) -> RunFailure {
    .unreadable("\(Terminal.shown(path)): \(what): \(String(cString: strerror(errno)))")
  }
}
