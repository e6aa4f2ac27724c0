import Failures
import JSON
import Publication
import Text

/// Goes through a published directory, file by file: its names, the form of its files, and their digests. The caller
/// checks what the rows add up to.
///
/// The directory may contain anything.
package final class FolderAudit<Files: ReportSet> {
  package let folder: ReportFolder
  package let log = FindingLog()
  /// What `SHA256SUMS` must be, once everything is read.
  package private(set) var sums = ""
  /// The SHA-256 of each file that was read.
  private var digests: [String: String] = [:]
  /// The files that were read to their end, or do not exist.
  private var known: Set<String> = []

  package init(path: String) throws(Failure) { folder = try ReportFolder(path: path, of: Files.self) }

  /// The findings so far.
  package var verdict: FolderVerdict {
    FolderVerdict(findings: log.findings, count: log.count, unlisted: log.unlisted)
  }

  /// Adds a finding for each name in the directory that is not expected, apart from `SHA256SUMS`.
  package func checkNames(_ names: [String]) throws(Failure) {
    let expected = Set((names + [DigestList.fileName]).map { Array($0.utf8) })
    for name in try folder.names(expected: expected.count) where !expected.contains(name) {
      log.add("", field: "a file", found: MessageText.identifier(name), Files.contents)
    }
  }

  /// Opens a file; nil, with a finding, if it does not exist. `finish` must follow.
  package func open(_ name: String) throws(Failure) -> ReportLines? {
    let lines = try folder.open(name, log)
    if lines == nil { known.insert(name) }
    return lines
  }

  /// Reads the rest of a file, and keeps its digests.
  package func finish(_ lines: ReportLines) throws(Failure) {
    try lines.skipRest()
    known.insert(lines.name)
    for file in lines.digests { digests[file.name] = file.digest }
  }

  /// Reads a file with `body`; false, with a finding, if it does not exist.
  @discardableResult
  package func read(
    _ name: String, _ body: (ReportLines) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    guard let lines = try open(name) else { return false }
    try body(lines)
    try finish(lines)
    return true
  }

  /// Reads a CSV file's header, and its rows with `body`; false, with a finding, if it does not exist.
  @discardableResult
  package func readTable(
    _ file: Files, _ body: (ReportLines) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    try read(file.fileName) { lines throws(Failure) in
      try lines.readHeader(log)
      try body(lines)
    }
  }

  /// Reads each row of a CSV file; false, with a finding, if the file does not exist or a row is not valid.
  ///
  /// - Parameter check: throws why a row is not valid.
  @discardableResult
  package func readRows(
    of file: Files, _ check: (_ row: ReportRow) throws(RowFault) -> Void
  ) throws(Failure) -> Bool {
    var isWhole = true
    let exists = try readTable(file) { lines throws(Failure) in
      var row = ReportRow()
      while try lines.next() {
        guard lines.split(into: &row, log) else {
          isWhole = false
          continue
        }
        do throws(RowFault) { try check(row) } catch {
          lines.note(error, in: row, log)
          isWhole = false
        }
      }
    }
    return exists && isWhole
  }

  /// Reads a file of one JSON object; nil, with a finding, if it is another one. Any byte that would be written otherwise
  /// is a finding, too.
  package func readObject<Object: JSONDocument>(_ file: Files, as type: Object.Type) throws(Failure) -> Object? {
    var object: Object?
    try read(file.fileName) { lines throws(Failure) in
      guard let (text, tree) = try log.tree(of: lines) else { return }
      guard let said = try? Object(reading: JSONNode(tree)) else { return log.add(file.fileName, Object.isAnother) }
      log.checkForm(file.fileName, text, tree, "\(said.json)\n".utf8Span.span, said.json)
      object = said
    }
    return object
  }

  /// Reads the files that were not read before, then compares `SHA256SUMS` with all digests.
  package func compareSums(_ names: [String]) throws(Failure) {
    for name in names where !known.contains(name) { try read(name) { _ in } }
    let digests = digests
    sums = DigestList.text(digests)
    try read(DigestList.fileName) { lines throws(Failure) in try ComparedReport.compareSums(lines, digests, log) }
  }

  /// Compares the count or amount that a summary states with that of the rows.
  package func compare(_ file: Files, _ field: String, _ said: Int, _ found: Int, _ reason: String) {
    if said != found { log.add(file.fileName, field: field, found: "\(said)", expected: "\(found)", reason) }
  }
}
