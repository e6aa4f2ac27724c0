import BatchRun
import Console
import FileSystem
import Logging
import Settlement

/// What `settle run` and `settle merge` say about a batch that an earlier run settled.
extension EarlierRun {
  private var settled: String { "already settled by run \(number), \(time)" }

  /// Says that the reports still exist unchanged, or are published again.
  func tell(isPublishedAgain: Bool, output: String) throws(SettlementFailure) {
    let then = isPublishedAgain ? "are published again" : "are in place, nothing was written"
    try Terminal.print("\(settled); its reports \(then): \(OutputPlace.shown(output))")
  }

  /// Says that nothing was written.
  ///
  /// - Parameter advice: how to publish the reports nevertheless.
  func refuse(reportsStand: Bool, exitCode: Int32, advice: String = "") {
    let shown = OutputPlace.shown(directory)
    let isGone = !run.isAtURI && OutputPlace.isGone(directory)
    let found = reportsStand ? "are in" : isGone ? "are gone from" : "have changed in"
    Log.logger.error(
      """
      \(settled); its reports \(found) \(shown). Nothing was written: anyone who pays this batch now may pay it \
      twice\(advice)
      """,
      metadata: [
        "exitCode": .stringConvertible(exitCode), "run": .stringConvertible(number), "directory": .string(shown),
      ])
  }
}
