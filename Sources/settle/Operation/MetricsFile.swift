import Console
import Failures
import FileSystem
import Glibc

/// The file of `--metrics`: replaced as a whole after each run, payout, reading of answers or verification, successful or not.
struct MetricsFile: Sendable {
  /// What the metrics describe. A collector reads the files together, so no two kinds may share a file.
  enum Kind: String, CaseIterable {
    case run, payout, returns, verify

    /// The sample that is kept after a failure.
    var lastSuccessName: String {
      self == .run ? "settle_last_success_timestamp_seconds" : "settle_last_\(rawValue)_success_timestamp_seconds"
    }

    /// The kind of metrics in a text; nil if settle did not write it.
    static func of(_ text: String) -> Kind? {
      guard MetricsText.starts.contains(where: text.hasPrefix) else { return nil }
      return [payout, returns, verify].first { text.hasPrefix("# HELP settle_last_\($0)_") } ?? run
    }
  }

  /// The most bytes of an earlier file that are read.
  private static let mostBytes = 1 << 20
  /// How often writing is tried while another run writes the file.
  static let mostAttempts = 40

  private let path: String
  private let kind: Kind

  /// Throws if another file is there, which would be replaced. That it cannot be written shows when it is: what cannot be
  /// watched is settled and paid all the same.
  init(path: String, _ kind: Kind = .run) throws(Failure) {
    self.kind = kind
    // A file of that name, although a dash means standard input or output elsewhere.
    self.path = path == "-" ? "./-" : path
    if let status = try? FileName.status(self.path) {
      guard status.type == .regular else {
        throw .unavailable("\(shown): is not a regular file; --metrics replaces it as a whole")
      }
      guard text.isEmpty || Kind.of(text) == kind else {
        throw .unavailable(
          "\(shown): holds something other than the metrics of settle \(kind), which would replace it")
      }
    }
  }

  private var shown: String { OutputPlace.shown(path) }

  /// Replaces the file's content by a text.
  ///
  /// - Parameter attempts: how often to try while another run is writing.
  func write(_ text: String, attempts: Int = mostAttempts) throws(Failure) {
    for attempt in 1... {
      do throws(Failure) {
        let file = try PartialFile(path: path)
        try file.write(text.utf8Span.span)
        return try file.publish()
      } catch {
        guard error.kind == .busy, attempt < attempts else { throw error }
        usleep(50_000)
      }
    }
  }

  /// Runs a command and writes its metrics, also if the command fails.
  ///
  /// - Returns: the exit code of the result; it stays the same if the metrics cannot be written.
  func closing<Result>(
    _ body: () throws(Failure) -> Result, exitCode: (Result) -> Int32, text: (Int32, Result?) -> String
  ) throws(Failure) -> Int32 {
    func record(_ exitCode: Int32, _ result: Result?) {
      do throws(Failure) { try write(text(exitCode, result)) } catch {
        Log.warning("the metrics are not written: \(error.message)")
      }
    }
    do throws(Failure) {
      let result = try body()
      record(exitCode(result), result)
      return exitCode(result)
    } catch {
      record(error.exitCode, nil)
      throw error
    }
  }

  /// When a run or payout last succeeded, according to the earlier file; nil if it does not say, or there is none.
  func lastSuccess() -> Int? { Self.lastSuccess(in: text, kind) }

  /// The beginning of the file; empty if it cannot be read.
  private var text: String {
    let bytes = (try? OpenFile(reading: path, waits: false).bytes(atMost: Self.mostBytes)) ?? []
    return String(decoding: bytes.prefix(Self.mostBytes), as: UTF8.self)
  }

  /// The sample of the last success in a text; nil if it has none, or it is not a time.
  static func lastSuccess(in text: String, _ kind: Kind = .run) -> Int? {
    let start = kind.lastSuccessName + " "
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(start) }) else { return nil }
    return Int(line.dropFirst(start.count)).flatMap { $0 > 0 ? $0 : nil }
  }
}
