import ArgumentParser
import BatchRun
import FileSystem
import Ledger
import Reports
import Settlement

/// `settle merge`: publishes the reports of a batch that was settled in shards.
struct Merge: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Publish the reports of a batch that was settled in shards.",
    discussion: """
      Does what is missing of the steps behind settle shard run, checks every digest, and publishes the very reports \
      that settle run makes, all or nothing. Ends as settle run does.

      EXAMPLES:
        settle merge /shared/night --output settled/2026-11-21
      """)

  @Argument(
    help: ArgumentHelp("The work directory of settle shard plan.", valueName: "dir"), completion: .directory,
    transform: named)
  var work: String

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The directory to make; its parent must exist.", valueName: "dir"),
    completion: .directory, transform: named)
  var output: String

  @Flag(help: "Replace the reports of an earlier run in the output directory.")
  var replace = false

  @Option(
    help:
      "Whether each report is a file (file), or the large ones are folders whose parts together are the file (parts).")
  var layout: ReportLayout = .file

  @Option(
    help: ArgumentHelp(
      "Where settle-spark publishes the reports from the output directory, told by lines of standard output.",
      valueName: "uri", visibility: .private))
  var publishedAt: String?

  @OptionGroup var threads: ThreadOption
  @OptionGroup var log: LogOptions

  func execute() throws(RunFailure) -> Int32 {
    let remote = publishedAt.map {
      RemotePublication(uri: $0) { bytes, count throws(RunFailure) in try Terminal.emit(bytes, count: count) }
    }
    let output = publishedAt ?? output
    let outcome = try ShardWork(work).merge(
      output: self.output, replace: replace, threads: threads.count, layout: layout, at: remote, note: Log.warning)
    switch outcome {
    case .settled(let result, let run):
      if let mismatch = result.controlMismatch { Log.warning(mismatch.description) }
      try Terminal.print(
        ClosingTable.text(BatchResult(result), output: output)
          + (run.map { "\nEntered in the ledger as run \($0)." } ?? ""))
    case .alreadySettled(let run):
      try Terminal.print(
        "already settled by run \(run.number), \(run.entry.time); its reports stand, nothing was written: "
          + OutputPlace.shown(output))
    case .settledBefore(let run, let reportsStand):
      Log.error(
        "already settled by run \(run.number), \(run.entry.time), into "
          + OutputPlace.shown(FileName.string(run.entry.directory))
          + "\(reportsStand ? "" : ", where its reports are no longer as they were"). Nothing was written: whoever pays "
          + "this batch now may pay it twice")
    }
    return outcome.exitCode
  }
}

extension ReportLayout: ExpressibleByArgument {}
