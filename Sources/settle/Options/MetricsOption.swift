import ArgumentParser
import Console
import Failures
import FileSystem

/// The option of commands that write metrics.
struct MetricsOption: ParsableArguments {
  @Option(
    name: .customLong("metrics"),
    help: ArgumentHelp(
      """
      Write metrics to this file, for Prometheus: replaced as a whole, even after a failure. Each command needs a file \
      of its own.
      """, valueName: "file"), completion: .file(), transform: named)
  var path: String?

  /// The file; nil if none is asked for. Throws if it would replace another one.
  ///
  /// - Parameters:
  ///   - paths: what the command reads, keeps or publishes.
  ///   - directory: what it publishes or verifies; no other file may be there.
  func file(
    _ kind: MetricsFile.Kind, besides paths: [String], outside directory: String?
  ) throws(Failure) -> MetricsFile? {
    guard let path else { return nil }
    guard OutputPlace.isOwn(path, besides: paths, outside: directory) else {
      throw .usage("--metrics names what settle \(kind) reads, keeps or publishes; name a file of its own")
    }
    return try MetricsFile(path: path, kind)
  }
}

extension OutputPlace {
  /// Whether a file replaces none of some others and is not in a directory.
  static func isOwn(_ path: String, besides paths: [String], outside directory: String?) -> Bool {
    !(paths + [directory].compactMap(\.self)).contains { isSame($0, path) }
      && !(directory.map { isIn(path, directory: $0) } ?? false)
  }
}
