import Failures
import FileSystem
import Publication

/// The directory that a step makes. It has the attempt's name until it is complete; any attempt's directory will do.
final class StepDirectory {
  private let work: ShardWork
  private let directory: PartialDirectory
  private var digests: [String: String] = [:]
  /// The bytes and rows of each file.
  private var sizes: [String: TableSize] = [:]
  private var unsynced: [ReportFile] = []

  init(_ name: String, in work: ShardWork) throws(Failure) {
    self.work = work
    directory = try PartialDirectory(attemptAt: OutputPlace(name, in: work.directory, path: "\(work.path)/\(name)"))
  }

  /// - Parameter isHashedApart: whether its digest may have a thread of its own.
  func makeFile(_ file: String, isHashedApart: Bool = false) throws(Failure) -> ReportFile {
    ReportFile(try directory.makeFile(file), countsRows: true, isHashedApart: isHashedApart)
  }

  func finish(_ report: ReportFile, name file: String) {
    digests[file] = report.finish()
    sizes[file] = TableSize(bytes: report.bytes, rows: report.rows)
    unsynced.append(report)
  }

  /// Makes a file with a text.
  func write(_ text: [UInt8], to file: String) throws(Failure) { try write(text.span, to: file) }

  /// Makes a file with a text.
  func write(_ text: Span<UInt8>, to file: String) throws(Failure) {
    let report = try makeFile(file)
    try report.write(text)
    finish(report, name: file)
  }

  /// The bytes and rows of the files that may become parts of reports, for `outcome.json`.
  var tables: TableSizes { TableSizes(sizes: sizes.filter { ShardWork.tables.contains($0.key) }) }

  /// Takes over a file of another step: links it, or copies it if that fails.
  ///
  /// - Parameter tables: the sizes of that step's files.
  func takeOver(_ file: String, of step: FinishedStep, _ tables: TableSizes) throws(Failure) {
    let from = "\(step.name)/\(file)"
    if (try? work.directory.link(from, to: file, in: directory.directory)) != nil {
      digests[file] = try step.digest(of: file)
      sizes[file] = tables.sizes[file]
      return
    }
    let (report, source) = (try makeFile(file), try step.open(file))
    while let piece = try source.piece() { try report.write(piece) }
    finish(report, name: file)
  }

  /// Gives the directory its name, when all is on disk. If another attempt was first, that one counts.
  func publish() throws(Failure) {
    let sums = digests.sorted { $0.key < $1.key }.map { "\($0.value)  \($0.key)\n" }.joined()
    try write(Array(sums.utf8), to: FinishedStep.sums)
    for file in unsynced { try file.sync() }
    try directory.publishUnlessDone()
  }
}
