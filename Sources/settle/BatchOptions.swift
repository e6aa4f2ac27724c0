import ArgumentParser
import BatchFile
import BatchRun
import Glibc
import Settlement

/// The options that all commands over a batch share.
struct BatchOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The batch: JSON Lines, plain or LZ4. Several files are one batch, in order; - is standard input.",
      valueName: "batch"))
  var batch: [String]

  @Option(help: ArgumentHelp("Use this fee schedule instead of the built-in one.", valueName: "file"))
  var fees: String?

  @Flag(help: "Reject an item whose total price is below price times count, instead of noting a discount.")
  var strictItems = false

  func validate() throws {
    guard !batch.isEmpty else { throw ValidationError("Name at least one batch file, or - for standard input.") }
    try StandardInput.expectOneReader(of: batch, fees)
  }

  /// The fee schedule in force.
  func schedule() throws(RunFailure) -> FeeSchedule { try scheduleAndText().schedule }

  /// The fee schedule in force, and the text it was read from.
  func scheduleAndText() throws(RunFailure) -> (schedule: FeeSchedule, text: [UInt8]) {
    try FeeScheduleFile.scheduleAndText(fees)
  }
}

/// What is read from standard input.
enum StandardInput {
  /// Throws where more than one of the files is `-`.
  static func expectOneReader(of batch: [String], _ fees: String?) throws {
    guard (batch + [fees ?? ""]).count(where: { $0 == "-" }) <= 1 else {
      throw ValidationError("Standard input (-) can be read only once.")
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
  var count: Int {
    if let threads { return threads }
    return max(1, min(1024, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }
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
  init(_ batch: BatchOptions, _ threads: ThreadOption, _ controlTotals: ControlTotalsOption) throws(RunFailure) {
    let fees = try batch.scheduleAndText()
    self.init(
      schedule: fees.schedule, scheduleText: fees.text, threads: threads.count, strictItems: batch.strictItems,
      enforcesControlTotals: controlTotals.policy == .enforce)
  }
}

/// Reads the file of `--fees`.
enum FeeScheduleFile {
  private static let maximumSize = 64 << 20

  /// The schedule of a file, or the built-in one where none is named.
  static func schedule(_ path: String?) throws(RunFailure) -> FeeSchedule { try scheduleAndText(path).schedule }

  /// The same, with the text it was read from.
  static func scheduleAndText(_ path: String?) throws(RunFailure) -> (schedule: FeeSchedule, text: [UInt8]) {
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

extension ParsableCommand {
  /// Runs a body and ends the process with its exit code, saying what failed.
  ///
  /// - Parameter operation: told how it ended.
  func finish(_ operation: RunOperation? = nil, _ body: () throws(RunFailure) -> Int32) throws {
    let code: Int32
    do throws(RunFailure) {
      code = try body()
    } catch {
      Log.tell(error)
      operation?.end(exitCode: error.exitCode)
      throw ExitCode(error.exitCode)
    }
    operation?.end(exitCode: code)
    if code != 0 { throw ExitCode(code) }
  }
}
