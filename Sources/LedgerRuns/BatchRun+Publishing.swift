import BatchRun
import Bookkeeping
import Failures
import FileSystem
import Publication

extension BatchRun {
  /// Settles a batch and publishes its reports as the directory `output`, all or nothing.
  ///
  /// - Parameters:
  ///   - paths: the batch's files in order; `-` is standard input.
  ///   - output: the directory to create. It must not exist, unless `replace` is given; its parent must.
  ///   - note: receives messages about repairs after an earlier run.
  /// - Returns: the result of the batch; the reports are published when it returns.
  public static func settle(
    _ paths: [String], output: String, replace: Bool, options: RunOptions, progress: RunProgress? = nil,
    note: (String) -> Void = { _ in }
  ) throws(Failure) -> RunResult {
    try LedgerNote.resolve(OutputPlace(path: output), except: nil, note: note)
    let directory = try SettlementDirectory(path: output, replaces: replace, threads: options.threads)
    var options = options
    options.scratch = output
    let result = try settle(
      paths.map { InputSource(path: $0) }, to: directory, options: options, progress: progress
    ).result
    try directory.complete()
    progress?.done(.reported)
    try Interruption.uninterrupted { () throws(Failure) in
      try directory.publish()
      progress?.done(.published)
      Interruption.conclude(exitCode: result.exitCode)
    }
    if let left = directory.leftBehind { note("\(left); the next run on this output removes them") }
    return result
  }
}
