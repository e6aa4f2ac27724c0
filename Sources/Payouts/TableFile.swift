import BatchRun
import Failures
import Publication
import Reports
import Text

/// A file of a payout's directory, written or compared piece by piece and in whole lines.
package final class TableFile {
  /// Makes a file by its name.
  package typealias Maker = (_ name: String) throws(Failure) -> TableFile

  private let file: any ReportWriter
  private let end: () throws(Failure) -> Void
  @exclusivity(unchecked) private var text = TextBuffer(capacity: 1 << 17)

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

  /// Writes what `body` appends.
  @inline(__always)
  package func write(_ body: (inout TextBuffer) -> Void) throws(Failure) {
    body(&text)
    if text.count > 1 << 16 { try flush() }
  }

  private func flush() throws(Failure) {
    try file.write(text.bytes, count: text.count)
    text.removeAll()
  }

  package func finish() throws(Failure) {
    try flush()
    try end()
  }
}
