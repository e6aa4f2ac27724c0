import ArgumentParser
import Console
import Failures
import Documents
import Settlement
import Shards

/// `settle merge`: publishes the reports of a batch that was settled in shards.
struct Merge: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Publish the reports of a batch that was settled in shards.",
    discussion: """
      Does the missing steps after settle shard run, checks every digest, and publishes exactly the reports that \
      settle run makes, all or nothing. Ends as settle run does.

      EXAMPLES:
        settle merge /shared/night --output settled/2026-11-21
      """)

  @Argument(.directory("The work directory of settle shard plan."))
  var work: String

  @Option(.output) var output: String

  @Flag(help: "Replace the reports of an earlier run in the output directory.")
  var replace = false

  @Option(
    help:
      "Whether each report is a file (file), or the large ones are folders whose parts together are the file (parts).")
  var layout: ReportLayout = .file

  @Option(
    help: ArgumentHelp(
      "Where settle-spark publishes the reports from the output directory; lines on standard output name them.",
      valueName: "uri", visibility: .private))
  var publishedAt: String?

  @Option(
    help: ArgumentHelp(
      "The file with the claim of that place.", valueName: "file", visibility: .private), transform: named)
  var claim: String?

  @Option(
    help: ArgumentHelp(
      "Names parts without rows too, and at least N of receivers.csv: the batch was gathered again.", valueName: "n",
      visibility: .private))
  var allParts: Int?

  @Flag(
    help: ArgumentHelp(
      "All files were compared with their digests elsewhere; only those that a merge reads are here.",
      visibility: .private))
  var checked = false

  @OptionGroup var threads: ThreadOption
  @OptionGroup var log: LogOptions

  func execute() throws(Failure) -> Int32 {
    let remote = publishedAt.map {
      RemotePublication(uri: $0, claim: claim, accountParts: allParts, tell: Terminal.write(_:))
    }
    let output = publishedAt ?? self.output
    let outcome = try ShardWork(work, isChecked: checked).merge(
      output: self.output, replace: replace, threads: threads.count, layout: layout, at: remote, note: Log.warning)
    switch outcome {
    case .published(let result): try ClosingTable.print(BatchResult(result), output: output)
    case .entered(.settled(let result, let run)):
      try ClosingTable.print(BatchResult(result), output: output, run: run)
    case .entered(.earlier(let earlier)): try earlier.report(output: output, isRepeatable: false)
    }
    return outcome.exitCode
  }
}

extension ReportLayout: ExpressibleByArgument {}
