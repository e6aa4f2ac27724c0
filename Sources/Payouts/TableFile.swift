import BatchRun
import Reports
import Text

/// A file of a payout's directory while it is written, piece by piece.
final class TableFile {
  private let file: ReportFile
  private let name: String
  private let directory: SettlementDirectory
  @exclusivity(unchecked) private var text = TextBuffer(capacity: 1 << 17)

  init(_ name: String, in directory: SettlementDirectory) throws(RunFailure) {
    (self.name, self.directory) = (name, directory)
    file = try directory.makeFile(name)
  }

  convenience init(_ report: PayoutReport, in directory: SettlementDirectory) throws(RunFailure) {
    try self.init(report.fileName, in: directory)
    text.append(report.header)
  }

  /// Takes what `body` appends.
  @inline(__always)
  func write(_ body: (inout TextBuffer) -> Void) throws(RunFailure) {
    body(&text)
    if text.count > 1 << 16 { try flush() }
  }

  private func flush() throws(RunFailure) {
    try file.write(text.bytes, count: text.count)
    text.removeAll()
  }

  func finish() throws(RunFailure) {
    try flush()
    directory.finish(file, name: name)
  }
}
