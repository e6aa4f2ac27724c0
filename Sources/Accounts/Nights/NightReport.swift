import Failures
import FileSystem
import Ledger
import Documents
import Text

/// A report in the directory of a run, whose digest must be the one that the directory's `SHA256SUMS` names.
final class NightReport: ReportFields {
  /// The current row; valid until the next one.
  private(set) var row = ReportRow()
  private let folder: ReportFolder
  private let lines: ReportLines
  private let shown: String
  private let sums: String
  private let log = FindingLog()

  /// Opens the directory of a run and takes the report's header row, if it has one.
  init(_ report: ReportKind, of run: RunEntry) throws(Failure) {
    let directory = FileName.string(run.directory)
    shown = OutputPlace.shown(directory)
    if run.isAtURI { throw .inputOutput("\(shown): is at a URI, which is not read") }
    folder = try ReportFolder(path: directory)
    guard let found = try folder.open(report.fileName, log) else {
      throw log.failure(shown, Failure.inputOutput)
    }
    (lines, sums) = (found, run.sums)
    if !report.columns.isEmpty { try lines.readHeader(log) }
    guard log.count == 0 else { throw log.failure(shown, Failure.inputOutput) }
  }

  /// Calls `body` with the line of the current row, without its line feed, and the length of its account.
  func withLine(_ body: (Span<UInt8>, _ accountLength: Int) throws(Failure) -> Void) throws(Failure) {
    let (lines, row) = (lines, row)
    try body(lines.current, row[ReceiversReport.Column.account].count)
  }

  /// The most bytes of a payment's rows.
  private static let longestEntry = 1 << 26

  /// Passes on what follows the header of `settlement.csv`, in blocks of whole payments and refunds.
  func forEachBlock(_ body: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
    let lines = lines
    var block = TextBuffer(capacity: 1 << 21)
    while let piece = try lines.piece() {
      block.append(piece)
      guard block.count < Self.longestEntry else { throw fault("has a payment of more than \(block.count) bytes") }
      guard let end = SettlementBlock.lastEntry(of: block.span), end > 0 else { continue }
      try body(block.span.extracting(first: end))
      block.removeFirst(end)
    }
    try body(block.span)
  }

  /// Passes on the lines of the rows; throws if one is refused.
  func forEachLine(_ take: (Span<UInt8>) -> Bool) throws(Failure) {
    let lines = lines
    while try lines.next() {
      guard take(lines.current) else { throw fault("is not a row of \(lines.name)") }
    }
  }

  /// Goes to the next row; false at the end.
  func next() throws(Failure) -> Bool {
    guard try lines.next() else { return false }
    guard lines.split(into: &row, log) else { throw log.failure(shown, Failure.inputOutput) }
    return true
  }

  /// The contents of `summary.json`.
  func summary() throws(Failure) -> SummaryReport {
    guard let summary = try SummaryReport.read(lines, log), log.count == 0 else {
      throw log.failure(shown, Failure.inputOutput)
    }
    return summary
  }

  func fault(_ reason: String) -> Failure { .inputOutput("\(shown)/\(lines.name):\(lines.number): \(reason)") }

  /// Reads the rest; throws unless the directory's `SHA256SUMS`, and the ledger's copy of it, have the digests of all
  /// files of the report.
  func finish() throws(Failure) {
    try lines.skipRest()
    guard let list = try folder.open(ReportKind.sums, log) else { throw log.failure(shown, Failure.inputOutput) }
    var listed: Set<String> = []
    while try list.next() { listed.insert(String(decoding: list.current)) }
    let entered = Set(sums.split(separator: "\n").map(String.init))
    for (name, digest) in lines.digests {
      let line = "\(digest)  \(name)"
      guard listed.contains(line) else {
        throw .inputOutput("\(shown)/\(name): is not the file that SHA256SUMS names")
      }
      guard entered.contains(line) else {
        throw .inputOutput("\(shown)/\(name): is not the file that the ledger knows")
      }
    }
  }

  /// Whether an account has a row in `receivers.csv` of a run whose directory is there.
  ///
  /// - Parameter account: in lower case.
  static func hasRow(of account: [UInt8], in runs: [RunEntry]) throws(Failure) -> Bool {
    for run in runs where !run.isAtURI {
      let directory = FileName.string(run.directory)
      if OutputPlace.isGone(directory) { continue }
      var isThere = false
      try ReportSearch(directory: directory, threads: 1).forEachRow(of: .receivers, sortedAt: account) { _ in
        isThere = true
      }
      if isThere { return true }
    }
    return false
  }
}
