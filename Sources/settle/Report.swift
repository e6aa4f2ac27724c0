import ArgumentParser
import BatchFile
import BatchRun
import Glibc
import ReportPage
import Settlement

/// `settle report`: a published directory as a page to read.
struct Report: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Make an HTML page of a directory of reports.",
    discussion: """
      One file that needs nothing else: whether the batch was settled whole, where its money went, the fees, what was \
      rejected and why, the largest receivers, the digests. Every figure is that of the reports. The directory must be \
      as it was published: where a file is missing (66), or its digest is another than SHA256SUMS has (74), no page is \
      made.

      EXAMPLES:
        settle report settled/2026-11-21 --html 2026-11-21.html
        settle report settled/2026-11-21 --html - | mail-it
      """)

  @Argument(help: ArgumentHelp("The directory of reports, as settle run made it.", valueName: "dir"))
  var directory: String

  @Option(help: ArgumentHelp("The page to make; - is standard output.", valueName: "file"))
  var html: String

  @Flag(help: "Replace the page where there is one.")
  var replace = false

  @OptionGroup var log: LogOptions

  func validate() throws {
    if directory.isEmpty { throw ValidationError("Name a directory of reports.") }
    if html.isEmpty { throw ValidationError("--html needs the name of a file.") }
  }

  func run() throws {
    log.start()
    try finish { () throws(RunFailure) in
      let file = try OutputFile(path: html, replaces: replace, remedy: "--replace replaces it", outside: directory)
      let (page, summary) = try ReportPage.make(of: directory)
      var failure: RunFailure?
      page.withUnsafeBytes { bytes in
        do throws(RunFailure) { try file.write(bytes) } catch { failure = error }
      }
      if let failure { throw failure }
      try file.publish()
      Log.notice(
        "\(file.shown): a page of \(page.count) bytes"
          + (summary.listed < summary.exceptions
            ? "; it lists \(summary.listed) of \(summary.exceptions) rows of exceptions.csv" : ""))
      return 0
    }
  }
}
