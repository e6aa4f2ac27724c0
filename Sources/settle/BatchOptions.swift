import ArgumentParser
import BatchRun
import Foundation
import Rules

/// The options that all commands over a batch share.
struct BatchOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The batch: JSON Lines, plain or LZ4. Several files are one batch, in order; - is standard input.",
      valueName: "batch"), completion: .file())
  var batch: [String]

  // Not a group of their own: the parser looks through a group within a group twice at each start.
  @Option(
    help: ArgumentHelp("Use this fee schedule instead of the built-in one.", valueName: "file"), completion: .file())
  var fees: String?

  @Flag(help: "Reject an item whose total price is below price times count, instead of noting a discount.")
  var strictItems = false

  func validate() throws { try Self.expectOneReader(batch + [fees ?? ""]) }

  /// Throws where more than one of the files is standard input.
  static func expectOneReader(_ files: [String]) throws {
    guard files.count(where: { $0 == "-" }) <= 1 else {
      throw ValidationError("Standard input (-) can be read only once.")
    }
  }
}

/// The option of those that ask a ledger and never write to it.
struct ReadLedgerOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Ask this ledger what earlier runs settled, as it stood before the batch's own run. Nothing is written to it.",
      valueName: "file"), completion: .file())
  var ledger: String?

  /// The ledger, opened for a batch; where none is named, a warning says that none is asked.
  func open(_ batch: [String], _ options: RunOptions, scratch: String) throws(RunFailure) -> ReadLedger? {
    guard let ledger else {
      Log.warning("no ledger is asked (--ledger): what an earlier run settled counts as not settled yet")
      return nil
    }
    return try ReadLedger(ledger, batch: batch, options: options, scratch: scratch)
  }
}

/// Reads the file of `--fees`.
enum FeeScheduleFile {
  private static let maximumSize = 64 << 20

  /// The schedule of a file, or the built-in one where none is named, and the text it was read from.
  static func read(_ path: String?) throws(RunFailure) -> (schedule: FeeSchedule, text: [UInt8]) {
    guard let path else { return (.published, FeeSchedule.publishedText) }
    guard let text = try WholeFile.read(path, what: "the fee schedule", limit: maximumSize) else {
      throw .configuration("\(Terminal.shown(path)): is over 64 MiB; that is no fee schedule")
    }
    do throws(FeeScheduleError) {
      return (try FeeSchedule(json: text), text)
    } catch {
      throw .configuration("\(Terminal.shown(path)): \(error)")
    }
  }
}

/// The option of those that work in parallel.
struct ThreadOption: ParsableArguments {
  @Option(help: ArgumentHelp("Worker threads; default: all cores. The result is the same.", valueName: "n"))
  var threads: Int?

  func validate() throws {
    if let threads, !(1...1024).contains(threads) { throw ValidationError("--threads takes a number from 1 to 1024.") }
  }

  /// The number of threads to use.
  var count: Int { threads ?? min(1024, ProcessInfo.processInfo.activeProcessorCount) }
}

/// The option of those that hold a batch against its trailer.
struct ControlTotalsOption: ParsableArguments {
  /// What to do where a trailer disagrees with what was read.
  enum Policy: String, CaseIterable, ExpressibleByArgument {
    case enforce
    case warn
  }

  @Option(
    name: .customLong("control-totals"),
    help: "Whether a trailer that disagrees with the batch ends the run (enforce) or is only told (warn).")
  var policy: Policy = .enforce
}

extension RunOptions {
  /// What a command line asks of a settling.
  init(
    fees: String?, strictItems: Bool, threads: Int, controlTotals: ControlTotalsOption.Policy = .enforce
  ) throws(RunFailure) {
    let (schedule, text) = try FeeScheduleFile.read(fees)
    self.init(
      schedule: schedule, scheduleText: text, threads: threads, strictItems: strictItems,
      enforcesControlTotals: controlTotals == .enforce)
  }

  /// The same of a command with the options of a batch.
  init(
    _ batch: BatchOptions, threads: Int, controlTotals: ControlTotalsOption.Policy = .enforce
  ) throws(RunFailure) {
    try self.init(fees: batch.fees, strictItems: batch.strictItems, threads: threads, controlTotals: controlTotals)
  }
}
