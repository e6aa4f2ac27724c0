import Failures
import FileSystem
import Foundation
import Ledger
import TestSupport

@testable import BatchRun
@testable import Bookkeeping
@testable import LedgerRuns

/// A folder in which batches are settled with a ledger. Their reports stay.
struct LedgerWorkshop {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// How a run ended.
  struct Outcome {
    var result: LedgerRunResult?
    var failure: Failure?
    var notes: [String] = []

    /// `settled 2`, `already settled 1`, `already settled 1, published`, `settled before 1`, or the exit code and message
    /// of a failure.
    var description: String {
      switch result {
      case .settled(_, let run): "settled \(run)"
      case .earlier(let earlier):
        switch earlier.files {
        case .inPlace: "already settled \(earlier.entry.number)"
        case .publishedAgain: "already settled \(earlier.entry.number), published"
        case .elsewhere(let stand): "settled before \(earlier.entry.number)" + (stand ? "" : ", reports lost")
        }
      case nil: failure.map { "\($0.exitCode): \($0.message)" } ?? "nothing"
      }
    }
    var exitCode: Int32? { result?.exitCode ?? failure?.exitCode }
  }

  /// Settles files of the folder. Waits while something is busy, unless the test holds it.
  func settle(
    files: [String], output: String = "out", ledger: String = "ledger", replace: Bool = false,
    republish: Bool = false, adopt: Bool = false, options: RunOptions = RunOptions(threads: 3),
    mustHaveRuns: Bool = false, isHeld: Bool = false
  ) -> Outcome {
    var outcome = Outcome()
    do throws(Failure) {
      outcome.result = try openingWhenFree(isBusy: { !isHeld && $0.isBusy }) { () throws(Failure) in
        try BatchRun.settle(
          files.map { folder.path($0) }, output: folder.path(output), replace: replace, republish: republish,
          adopt: adopt, options: options, ledger: folder.path(ledger), mustHaveRuns: mustHaveRuns,
          note: { outcome.notes.append($0) })
      }
    } catch {
      outcome.failure = error
    }
    return outcome
  }

  /// Opens the ledger like a run, once earlier openings have released the lock.
  func runLedger() throws(Failure) -> RunLedger {
    try openingWhenFree(isBusy: \.isBusy) { () throws(Failure) in try RunLedger(folder.path("ledger")) }
  }

  /// Settles a text as the file `batch`.
  func settle(
    _ text: String, output: String = "out", ledger: String = "ledger", replace: Bool = false,
    republish: Bool = false, adopt: Bool = false, options: RunOptions = RunOptions(threads: 3),
    mustHaveRuns: Bool = false, isHeld: Bool = false
  ) throws -> Outcome {
    try folder.write(Array(text.utf8), to: "batch")
    return settle(
      files: ["batch"], output: output, ledger: ledger, replace: replace, republish: republish, adopt: adopt,
      options: options, mustHaveRuns: mustHaveRuns, isHeld: isHeld)
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

  /// The runs in the ledger, by number and directory name, and what it says about an unfinished one.
  func history(_ ledger: String = "ledger") throws -> (runs: [String], unfinished: String?) {
    let history = try LedgerHistory(ledger: folder.path(ledger))
    let runs = history.runs.map { run in
      "\(run.number) \(FileName.string(run.directory).split(separator: "/").last ?? "")"
    }
    return (runs, history.unfinished)
  }
}

extension Failure {
  /// Whether another run has the output or the ledger.
  var isBusy: Bool { exitCode == Failure.busy("").exitCode }
}

/// Batches with few payments.
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
