import Failures
import Text
import Threads

/// Gets the reports of a settlement: a directory to publish, or a comparison with other reports.
///
/// `settlement.csv` and `exceptions.csv` are written at the same time, by the thread that commits; the others follow.
public protocol ReportDestination: AnyObject {
  /// A report that is being written.
  associatedtype Report: ReportWriter

  /// Work that a run's workers do to write the reports; nil if the reports leave no such work.
  var errands: Errands? { get }

  /// Begins a report; `name` is the file name, such as `settlement.csv`.
  func makeFile(_ name: String) throws(Failure) -> Report

  /// Ends a report after all its bytes are written.
  func finish(_ file: Report, name: String) throws(Failure)
}

extension ReportDestination {
  public var errands: Errands? { nil }

  /// Writes a report whose text is complete.
  package func write(_ report: ReportKind, _ body: (inout TextBuffer) -> Void) throws(Failure) {
    let file = try makeFile(report.fileName)
    try file.write(body)
    try finish(file, name: report.fileName)
  }
}

/// Writes the bytes of one report.
public protocol ReportWriter: AnyObject {
  func write(_ text: Span<UInt8>) throws(Failure)

  /// Writes a text, and may keep its memory if it leaves other memory in its place.
  func write(_ text: inout TextBuffer) throws(Failure)
}

extension ReportWriter {
  public func write(_ text: inout TextBuffer) throws(Failure) { try write(text.span) }

  public func write(_ text: String) throws(Failure) { try write(text.utf8Span.span) }

  /// Writes what `body` appends.
  public func write(_ body: (inout TextBuffer) -> Void) throws(Failure) {
    var text = TextBuffer(capacity: 4096)
    body(&text)
    try write(text.span)
  }

  /// Writes and empties a text once it is long.
  package func writeLong(_ text: inout TextBuffer) throws(Failure) {
    guard text.count > 1 << 16 else { return }
    try write(text.span)
    text.removeAll(keeping: 1 << 20)
  }
}
