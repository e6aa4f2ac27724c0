import BatchFile
import BatchRun
import Foundation
import Ledger
import TestSupport

/// A folder in which batches are settled with a ledger, and their reports stay.
struct LedgerWorkshop {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What a run came to.
  struct Outcome {
    var result: LedgerRunResult?
    var failure: RunFailure?
    var notes: [String] = []

    /// `settled 2`, `already settled 1`, `already settled 1, published`, or the exit code and message of a failure.
    var description: String {
      switch result {
      case .settled(_, let run): "settled \(run)"
      case .alreadySettled(let run, let isPublishedAgain):
        "already settled \(run.number)" + (isPublishedAgain ? ", published" : "")
      case nil: failure.map { "\($0.exitCode): \($0.message)" } ?? "nothing"
      }
    }
    var exitCode: Int32? { result?.exitCode ?? failure?.exitCode }
  }

  /// Settles files of the folder.
  ///
  /// What ends with 75 is tried again for half a second: a process that another test starts meanwhile has this one's
  /// locks until it has become another program.
  func settle(
    files: [String], output: String = "out", ledger: String = "ledger", replace: Bool = false,
    options: RunOptions = RunOptions(threads: 2)
  ) -> Outcome {
    for _ in 0..<50 {
      let outcome = settleOnce(files: files, output: output, ledger: ledger, replace: replace, options: options)
      if outcome.exitCode != 75 { return outcome }
      usleep(10_000)
    }
    return settleOnce(files: files, output: output, ledger: ledger, replace: replace, options: options)
  }

  private func settleOnce(
    files: [String], output: String, ledger: String, replace: Bool, options: RunOptions
  ) -> Outcome {
    var outcome = Outcome()
    var notes: [String] = []
    do throws(RunFailure) {
      outcome.result = try BatchRun.settle(
        files.map { folder.path($0) }, output: folder.path(output), replace: replace, options: options,
        ledger: folder.path(ledger), note: { notes.append($0) })
    } catch {
      outcome.failure = error
    }
    outcome.notes = notes
    return outcome
  }

  /// Settles a text as the file `batch`.
  func settle(
    _ text: String, output: String = "out", ledger: String = "ledger", replace: Bool = false,
    options: RunOptions = RunOptions(threads: 2)
  ) throws -> Outcome {
    try folder.write(Array(text.utf8), to: "batch")
    return settle(files: ["batch"], output: output, ledger: ledger, replace: replace, options: options)
  }

  /// All files of a directory by name.
  func reports(_ output: String = "out") throws -> [String: [UInt8]] {
    var reports: [String: [UInt8]] = [:]
    for name in try folder.names(in: output) { reports[name] = try folder.bytes(of: "\(output)/\(name)") }
    return reports
  }

  /// The rows of a report without its header, cell by cell; none may have a quoted cell.
  func rows(_ name: String, of output: String = "out") throws -> [[Substring]] {
    String(decoding: try folder.bytes(of: "\(output)/\(name)"), as: UTF8.self).split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
  }

  /// The runs that the ledger tells of, by number and directory's name, and what it says of an unfinished one.
  func history(_ ledger: String = "ledger") throws -> (runs: [String], unfinished: String?) {
    let history = try RunHistory(ledger: folder.path(ledger))
    let runs = history.runs.map { run in
      "\(run.number) \(FileName.string(run.entry.directory).split(separator: "/").last ?? "")"
    }
    return (runs, history.unfinished)
  }
}

/// Batches of few payments.
enum Batch {
  /// A batch of payments of these keys, with header and trailer.
  static func text(_ id: String?, _ keys: [String], amount: String = "10.00") -> String {
    let lines = keys.map { Line.payment($0, amount) }
    let header = id.map { #"{"type":"header","batchId":"\#($0)"}"# } ?? #"{"type":"header"}"#
    let cents = (Int(amount.replacingOccurrences(of: ".", with: "")) ?? 0) * keys.count
    let total = "\(cents / 100).\(cents % 100 / 10)\(cents % 10)"
    let trailer = #"{"type":"trailer","recordCount":\#(keys.count),"totals":{"USD":"\#(total)"}}"#
    return ([header] + lines + [trailer]).joined(separator: "\n") + "\n"
  }
}
