import ArgumentParser
import Console
import Failures
import FileSystem
import Glibc
import Page
import Documents
import Ledger

/// `settle report`: turns a published directory into a page to read.
struct Report: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Make an HTML page from a directory of reports, or of a month.",
    discussion: """
      One file that needs nothing else: whether the batch was settled completely, where its money went, the fees, what \
      was rejected and why, the largest receivers, the digests. Every figure comes from the reports. The directory \
      must be unchanged since it was published: if a file is missing (66), or its digest differs from SHA256SUMS (74), \
      no page is made.

      Without a directory, --ledger, --since and --until make the page of a month or another period, by booking days: a \
      bar for each day, settled payments and fees, refunds, what was paid and is owed, adjustments by reason. Only the \
      ledger is read.

      EXAMPLES:
        settle report settled/2026-11-21 --html 2026-11-21.html
        settle report --ledger settled/ledger --since 2026-11-01 --until 2026-11-30 --html november.html
        settle report settled/2026-11-21 --html - | mail-it
      """)

  @Argument(.directory("The directory of reports, as settle run made it."))
  var directory: String?

  @Option(.ledgerOfPeriod) var ledger: String?

  @OptionGroup var period: PeriodOptions

  @Option(.file("The page to make; - is standard output."))
  var html: String

  @Flag(help: "Replace an existing page; any other file stays.")
  var replace = false

  @OptionGroup var log: LogOptions

  func validate() throws {
    let isPeriod = ledger != nil || period.areGiven
    guard isPeriod != (directory != nil) else {
      throw ValidationError(
        isPeriod
          ? "A directory has no period: leave out --ledger, --since and --until, or the directory."
          : "Give a directory of reports, or a period of a ledger with --ledger, --since and --until.")
    }
    guard directory != nil || ledger != nil && period.days != nil else {
      throw ValidationError("A period needs --ledger, --since and --until.")
    }
  }

  func execute() throws(Failure) -> Int32 {
    guard let directory else { return try makePeriod() }
    if !OutputPlace.isGone("\(directory)/\(PayoutReport.summary.fileName)") {
      throw .usage("\(OutputPlace.shown(directory)): is the directory of a payout, for which there is no page")
    }
    let file = try OutputFile(path: html, replaces: replace, remedy: "--replace replaces it", outside: directory)
    if replace { try expectPage(file.shown) }
    let (page, exceptions, listed) = try ReportPage.make(of: directory)
    try file.write { write in try write(page.span) }
    Log.notice(
      "\(file.shown): a page of \(page.count) bytes"
        + (listed < exceptions ? "; it lists \(listed) of \(exceptions) rows of exceptions.csv" : ""))
    return 0
  }

  private func makePeriod() throws(Failure) -> Int32 {
    guard let ledger, let days = period.days else { preconditionFailure("the options are validated") }
    let file = try OutputFile(path: html, replaces: replace, remedy: "--replace replaces it")
    if replace { try expectPage(file.shown) }
    let page = try ReportPage.make(of: LedgerReading.warned(ledger), since: days.lowerBound, until: days.upperBound)
    try file.write { write in try write(page.span) }
    Log.notice("\(file.shown): a page of \(page.count) bytes")
    return 0
  }

  /// Throws if the page would replace a file that is not a page of settle.
  private func expectPage(_ shown: String) throws(Failure) {
    guard html != "-", (try? FileName.status(html))?.type == .regular else { return }
    let start = try? OpenFile(reading: html, waits: false).bytes(atMost: ReportPage.beginning.count)
    guard start?.starts(with: ReportPage.beginning) == true else {
      throw .unavailable("\(shown): is not a page that settle made; --replace replaces nothing else")
    }
  }
}
