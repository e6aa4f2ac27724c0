import Failures
import JSON
import Publication
import Text
import Documents

/// A file of a payout's directory, written or compared piece by piece and in whole lines.
package final class TableFile {
  /// Makes a file by its name.
  package typealias Maker = (_ name: String) throws(Failure) -> TableFile

  private let file: any ReportWriter
  private let end: () throws(Failure) -> Void
  private var text = TextBuffer(capacity: 1 << 17)

  /// - Parameters:
  ///   - file: receives what is written.
  ///   - end: called once everything is written.
  package init(_ file: any ReportWriter, end: @escaping () throws(Failure) -> Void) {
    (self.file, self.end) = (file, end)
  }

  /// Makes the files of a directory.
  package static func maker(in directory: SettlementDirectory) -> Maker {
    { name throws(Failure) in
      let file = try directory.makeFile(name)
      return TableFile(file) { () throws(Failure) in try directory.finish(file, name: name) }
    }
  }

  /// Compares files that are made again with those of a directory.
  ///
  /// - Parameters:
  ///   - made: what the files are compared with, for findings.
  ///   - summary: the name and content of the JSON file in the directory.
  ///   - isSecret: whether findings must not quote a file.
  ///   - again: the JSON file made again, with the engine that made the directory; nil for another text.
  package static func comparer(
    with folder: ReportFolder, _ log: FindingLog, _ made: String, summary: (name: String, content: JSONTree),
    isSecret: @escaping (_ name: String) -> Bool, again: @escaping (JSONTree) -> JSONTree?
  ) -> Maker {
    { name throws(Failure) in
      if name == summary.name {
        let text = CollectedText()
        return TableFile(text) {
          let content = again(try! JSONTree(parsing: text.bytes))!
          _ = log.compare(name, summary.content, content, made)
        }
      }
      // A missing file was reported already.
      let compared = ComparedReport(
        try folder.open(name, FindingLog()), isSecret: isSecret(name), made, log)
      return TableFile(compared) { () throws(Failure) in try compared.finish() }
    }
  }

  /// Writes what `body` appends.
  @inline(__always)
  package func write(_ body: (inout TextBuffer) -> Void) throws(Failure) {
    body(&text)
    if text.count > 1 << 16 { try flush() }
  }

  private func flush() throws(Failure) {
    try text.withSpan { text throws(Failure) in try file.write(text) }
    text.removeAll()
  }

  package func finish() throws(Failure) {
    try flush()
    try end()
  }
}
