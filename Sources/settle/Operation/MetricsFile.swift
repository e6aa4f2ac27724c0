import BatchFile
import BatchRun
import Glibc
import Settlement

/// The file of `--metrics`: replaced as a whole after each run, whatever became of it.
struct MetricsFile: Sendable {
  /// The most bytes of an earlier file that are looked at.
  private static let mostBytes = 1 << 20
  /// How often a file that another run is writing is tried again.
  static let mostAttempts = 40

  private let path: String

  /// Throws where such a file can never be made: before anything is settled.
  init(path: String) throws(RunFailure) {
    self.path = path
    var status = stat()
    let exists = SystemCall.retrying { FileName.withCString(path) { stat($0, &status) } } == 0
    guard !exists || status.st_mode & S_IFMT == S_IFREG else {
      throw .outputUnavailable("\(shown): is no regular file; --metrics replaces it as a whole")
    }
    if exists {
      let start = String(decoding: text(atMost: 64), as: UTF8.self)
      guard start.isEmpty || MetricsText.starts.contains(where: start.hasPrefix) else {
        throw .outputUnavailable("\(shown): holds something other than the metrics of settle, which would replace it")
      }
    }
    // Made and taken away again, which tells whether its directory takes it.
    do throws(RunFailure) {
      _ = try PartialFile(path: path)
    } catch {
      // Another run at the same point is no reason not to settle.
      if case .busy = error { return }
      throw error
    }
  }

  private var shown: String { MessageText.escapedName(FileName.bytes(path)) }

  /// Writes a text in place of what was there.
  ///
  /// - Parameter attempts: how often it is tried while another run is writing.
  func write(_ text: String, attempts: Int = mostAttempts) throws(RunFailure) {
    let bytes = Array(text.utf8)
    var attempt = 1
    while true {
      do throws(RunFailure) {
        let file = try PartialFile(path: path)
        try bytes.withUnsafeBufferPointer { bytes throws(RunFailure) in try file.write(UnsafeRawBufferPointer(bytes)) }
        try file.publish()
        return
      } catch {
        guard case .busy = error, attempt < attempts else { throw error }
        attempt += 1
        usleep(50_000)
      }
    }
  }

  /// When a run last succeeded, as the earlier file tells; nil where it does not, or there is none.
  func lastSuccess() -> Int? {
    Self.lastSuccess(in: String(decoding: text(atMost: Self.mostBytes), as: UTF8.self))
  }

  /// What the file begins with; nothing where it cannot be read.
  private func text(atMost limit: Int) -> ArraySlice<UInt8> {
    let descriptor = SystemCall.retrying {
      FileName.withCString(path) { open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    }
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while text.count < limit {
      let count = SystemCall.retrying { read(descriptor, &piece, piece.count) }
      guard count > 0 else { break }
      text += piece[..<count]
    }
    return text.prefix(limit)
  }

  /// The sample of the last success in a text; nil where there is none, or it is no time.
  static func lastSuccess(in text: String) -> Int? {
    let start = MetricsText.lastSuccessName + " "
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(start) }) else { return nil }
    return Int(line.dropFirst(start.count)).flatMap { $0 > 0 ? $0 : nil }
  }
}
