import Foundation
import Testing

/// Texts that a test expects word for word, each in a file of `Golden`.
///
/// `SETTLE_RECORD=1` writes them anew; such a run fails, so that nobody takes it for a test.
enum GoldenFile {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Golden")

  /// Holds a text against the file of a name.
  static func expect(_ text: String, in name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = folder.appending(path: name)
    if ProcessInfo.processInfo.environment["SETTLE_RECORD"] == "1" {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
      Issue.record("\(name) was recorded; run again without SETTLE_RECORD", sourceLocation: sourceLocation)
      return
    }
    let expected = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) }
    #expect(text == expected, "\(name): SETTLE_RECORD=1 records it anew", sourceLocation: sourceLocation)
  }
}
