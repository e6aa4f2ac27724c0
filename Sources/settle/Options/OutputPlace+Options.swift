import Failures
import FileSystem

extension SharedOption<String> {
  static var metrics: Self {
    .file(
      """
      Write metrics to this file, for Prometheus: replaced as a whole, even after a failure. Each command needs a file \
      of its own.
      """)
  }

  static var witness: Self {
    .file(
      """
      A second lock file of the ledger, on another disk, made on first use: it finds a whole folder that was put back \
      from a snapshot.
      """)
  }
}

extension MetricsFile {
  /// The file that an option names; nil without the option. Throws if it would replace another one.
  ///
  /// - Parameters:
  ///   - paths: what the command reads, keeps or publishes.
  ///   - directory: what it publishes or verifies; no other file may be there.
  static func named(
    _ path: String?, _ kind: Kind, besides paths: [String], outside directory: String?
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
  fileprivate static func isOwn(_ path: String, besides paths: [String], outside directory: String?) -> Bool {
    !(paths + [directory].compactMap(\.self)).contains { isSame($0, path) }
      && !(directory.map { isIn(path, directory: $0) } ?? false)
  }

  /// Throws if a witness would replace what a command reads, keeps or publishes.
  static func expectOwn(witness: String?, besides paths: [String], output: String? = nil) throws(Failure) {
    guard let witness, !isOwn(witness, besides: paths, outside: output) else { return }
    throw .usage(
      "--witness names what the command reads, keeps or publishes, such as the ledger or its lock file; name a file of "
        + "its own, on another disk")
  }
}
