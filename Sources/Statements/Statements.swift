import Documents
import BatchRun
import Failures
import FileSystem
import LedgerRuns
import Records

/// Statements of accounts, from a batch that is settled again.
public enum Statements {
  /// What was written.
  public struct Counts: Sendable {
    /// The number of statements.
    public internal(set) var accounts = 0
    /// The number of rows in all of them.
    public internal(set) var rows = 0
    /// The number of Custom Fields that lost backslashes.
    public internal(set) var textsWithoutBackslashes = 0
    /// The number of Custom Fields that were left out.
    public internal(set) var textsLeftOut = 0
    /// The number of rows with a masked card number.
    public internal(set) var rowsMasked = 0
  }

  /// Settles a batch again and publishes statements, all or nothing: as the directory `output`, or, if its name ends in
  /// `.tar`, as an archive of the same files.
  ///
  /// - Parameters:
  ///   - paths: the batch's files in order; `-` is standard input.
  ///   - format: how the statements look.
  ///   - locale: the language of pages and their way of writing amounts; other formats are for programs and do not
  ///     depend on it.
  ///   - selected: the accounts; nil for every account that received something.
  ///   - day: any second of the statements' day, in UTC; nil for the day of the batch's header.
  ///   - output: the directory or archive to make. It must not exist; its parent must.
  ///   - ledger: knows what earlier runs settled; opened for the same files and options.
  /// - Returns: the batch's result, and what was written. The output is published when this returns.
  /// - Throws: what a run throws; `.usage` if neither `day` nor the batch's header gives the day.
  public static func write(
    _ paths: [String], as format: StatementFormat, locale: StatementLocale? = nil,
    accounts selected: SelectedAccounts?, day: UTCTime?, output: String, options: RunOptions,
    ledger: BatchLedger? = nil, progress: RunProgress? = nil
  ) throws(Failure) -> (result: RunResult, counts: Counts) {
    try publish(output, threads: options.threads) { makeSpool throws(Failure) in
      let spool = try makeSpool()
      let gathering = GatheredLines(ExternalSorter(StatementLine.order, runLength: 32 << 20) { spool }, day: day)
      let result = try BatchRun.entries(
        paths, options: options, ledger: ledger, progress: progress, writer: writer(format, selected), to: gathering
      ).result
      // For a batch without header and records, the day is not known yet.
      guard let day = gathering.day else { throw GatheredLines.dayMissing }
      return Prepared(
        SortedBatch(result: result, lines: gathering.sorter), StatementNames(format: format, day: day),
        exitCode: result.exitCode)
    } write: { batch, names, files throws(Failure) in
      let accounts = AccountFiles(to: files, names: names, selected: selected)
      let writer = BatchFiles(
        batch.lines, to: accounts, names: names, locale: locale ?? .default)
      try writer.write()
      return (batch.result, writer.counts)
    }
  }

  /// The result of a batch, and the lines of its statements.
  private struct SortedBatch {
    let result: RunResult
    let lines: ExternalSorter
  }

  /// What is to be written, once the output's name is reserved.
  struct Prepared<Content> {
    let content: Content
    let names: StatementNames
    let exitCode: Int32

    init(_ content: Content, _ names: StatementNames, exitCode: Int32) {
      (self.content, self.names, self.exitCode) = (content, names, exitCode)
    }
  }

  /// Publishes the files of accounts, all or nothing: as the directory `output`, or, if its name ends in `.tar`, as an
  /// archive of the same files.
  ///
  /// - Parameters:
  ///   - table: the header of the one table that is made instead, of the rows of all accounts; nil for files.
  ///   - make: prepares what is written; can make empty files without a name.
  ///   - write: writes all files.
  static func publish<Content, Result>(
    _ output: String, table: String? = nil, threads: Int,
    make: (_ makeSpool: @escaping () throws(Failure) -> SpoolFile) throws(Failure) -> Prepared<Content>,
    write: (Content, StatementNames, any StatementDestination) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard table != nil || output.hasSuffix(".tar") else {
      let tree = try PartialDirectory(newOutput: output, isOwn: isOwn)
      let prepared = try make { () throws(Failure) in try tree.makeSpool() }
      let files = try StatementFiles(tree, names: prepared.names, threads: threads)
      let result = try write(prepared.content, prepared.names, files)
      try tree.publish(exitCode: prepared.exitCode)
      return result
    }
    let place = try OutputPlace(path: output)
    try place.expectNothing()
    let file = try PartialFile(path: output, mode: 0o600)
    let prepared = try make { () throws(Failure) in try SpoolFile(beside: place) }
    let files: any StatementDestination =
      if let table { StatementTable(file, header: table) } else {
        try StatementArchive(file, beside: place, names: prepared.names)
      }
    let result = try write(prepared.content, prepared.names, files)
    try file.publish(replaces: false)
    return result
  }

  /// Makes the rows of a payment.
  private static func writer(_ format: StatementFormat, _ selected: SelectedAccounts?) -> EntryWriter {
    EntryWriter(sums: []) { entry, texts, _, text in
      for place in 0..<entry.receiverCount {
        if let selected, selected.number(of: entry.account(of: 1 + place)) == nil { continue }
        switch format {
        case .stl: STLRows.append(place, of: entry, texts, to: &text)
        case .csv: CSVRows.append(place, of: entry, texts, to: &text)
        case .html: CSVRows.append(place, of: entry, texts, forPages: true, to: &text)
        }
      }
    }
  }

  /// Whether statements make a file or folder of this name in their directory.
  private static func isOwn(_ name: String, isFolder: Bool) -> Bool {
    if name == StatementNames.list { return !isFolder }
    let number =
      isFolder
      ? Substring(name) : name.hasSuffix(".csv") ? name.dropLast(4) : name.hasSuffix(".html") ? name.dropLast(5) : ""
    return !number.isEmpty && number.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }
}

/// Passes the lines of a batch to the sorter.
private final class GatheredLines: EntryDestination {
  let sorter: ExternalSorter
  /// The day of the statements, once it is known.
  private(set) var day: UTCTime?

  /// - Parameter day: the given day; nil for that of the header.
  init(_ sorter: ExternalSorter, day: UTCTime?) {
    self.sorter = sorter
    self.day = day
  }

  static var dayMissing: Failure {
    .usage("the batch's header does not give the settlement day; use --date YYYY-MM-DD")
  }

  func begin(createdAt: UTCTime?) throws(Failure) {
    day = day ?? createdAt
    if day == nil { throw Self.dayMissing }
  }

  func write(_ text: Span<UInt8>) throws(Failure) {
    var at = 0
    while at < text.count {
      let end = at + StatementLine(text.extracting(droppingFirst: at)).length
      try sorter.append(text.extracting(at..<end))
      at = end
    }
  }
}
