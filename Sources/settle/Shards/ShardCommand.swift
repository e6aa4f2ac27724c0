import ArgumentParser
import Console
import Failures
import FileSystem
import Shards

/// `settle shard`: the steps that settle a batch too large for one machine on many machines.
struct ShardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shard",
    abstract: "Settle a batch in shards, in steps that any machine may run in any order.",
    discussion: """
      plan cuts the batch's files into shards. Then hash reads each file, and run settles each shard, in any order, on \
      any machine that can access the files and the work directory. settle merge does the rest and publishes the \
      reports of settle run, byte for byte; gather, claims and finish do parts of that on other machines.

      A step makes a directory in the work directory, which appears when it is complete. If it exists, the step does \
      nothing. So a step that was killed is just run again, and may even run twice at the same time. The work \
      directory is as secret as the batch.

      EXAMPLES:
        settle shard plan night.jsonl.lz4 --work /shared/night --shards 64
        settle shard hash 0 --work /shared/night
        seq 0 63 | xargs -P 8 -I N settle shard run N --work /shared/night
        settle merge /shared/night --output settled/2026-11-21
      """,
    subcommands: [
      ShardPlanCommand.self, ShardHashCommand.self, ShardRunCommand.self, ShardGatherCommand.self,
      ShardClaimsCommand.self, ShardFinishCommand.self, ShardAccountsCommand.self, ShardKeysCommand.self,
    ])
}

extension SharedOption<String> {
  /// The work directory of a batch in shards.
  static var work: Self { .directory("The directory for the results of the steps.") }
}

/// Where a step gets the bytes of the batch from.
struct ShardInputOption: ParsableArguments {
  @Option(
    name: .customLong("input"),
    help: ArgumentHelp(
      "- for standard input: the file's stored bytes, beginning with the first that the step "
        + "needs.", valueName: "file"))
  var path: String?

  func validate() throws {
    if let path, path != "-" { throw ValidationError("--input takes -, for standard input; plan names the files.") }
  }
}

/// The options of the steps that read a shard's text.
struct ShardTextOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("The shard's number, from 0.", valueName: "shard"))
  var shard: Int

  @Option(.work) var work: String

  @Option(help: ArgumentHelp("Worker threads. The result is the same.", valueName: "n"))
  var threads = 1

  func validate() throws {
    if !(1...1024).contains(threads) { throw ValidationError("--threads takes a number from 1 to 1024.") }
  }
}

/// The level of claims that a step works on.
struct LevelOption: ParsableArguments {
  @Option(help: ArgumentHelp("0: keys; 1: agreements; 2: refunds.", valueName: "0|1|2"))
  var level: Int

  func validate() throws {
    if !(0...2).contains(level) { throw ValidationError("--level takes 0, 1 or 2.") }
  }
}

/// `settle shard plan`: cuts a batch into shards.
struct ShardPlanCommand: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Cut a batch's files into shards.",
    discussion: """
      Makes the work directory and plan.json in it, which has the options, the fee schedule and the files' sizes and \
      times. Reads only the headers of LZ4 frames and blocks, no text.

      With --input - the files are elsewhere, under any names. Standard input begins with a line BYTES MODIFIED for \
      each file: its size, and a value that changes whenever the file does. Then each line of standard output, FILE \
      OFFSET LENGTH, asks for bytes of a file, counted from 0, and standard input must return exactly those. hash, run \
      and finish then need --input -, too.

      EXAMPLES:
        settle shard plan night.jsonl.lz4 --work /shared/night --shards 64
        settle shard plan $(ls -v part-*.jsonl) --work /shared/night --shard-size 268435456 --ledger settled/ledger
      """)

  @OptionGroup var batch: BatchOptions
  @OptionGroup var rules: RuleOptions
  @Option(help: ControlTotalsPolicy.help) var controlTotals = ControlTotalsPolicy.enforce
  @Option(.work) var work: String

  @Option(help: ArgumentHelp("The approximate number of shards.", valueName: "n"))
  var shards: Int?

  @Option(help: ArgumentHelp("The most text in a shard; default: 1073741824, 1 GiB.", valueName: "bytes"))
  var shardSize: Int?

  @Option(
    help: ArgumentHelp("- if the files are elsewhere, and standard input supplies their bytes.", valueName: "file"))
  var input: String?

  @OptionGroup var ledger: SettlingLedgerOption
  @OptionGroup var log: LogOptions

  func validate() throws {
    if let input, input != "-" { throw ValidationError("--input takes -, for standard input.") }
    if shards != nil, shardSize != nil { throw ValidationError("Give --shards or --shard-size, not both.") }
    if let shards, !(1...100_000).contains(shards) {
      throw ValidationError("--shards takes a number from 1 to 100000.")
    }
    if let shardSize, shardSize < 1 { throw ValidationError("--shard-size takes a number of bytes from 1.") }
  }

  func execute() throws(Failure) -> Int32 {
    let options = try rules.runOptions(for: batch.batch, threads: 1, controlTotals: controlTotals)
    let count = try ShardWork.plan(
      batch.batch, in: work, size: shards.map { .count($0) } ?? .text(shardSize ?? 1 << 30), options: options,
      ledger: ledger.path, mustHaveRuns: ledger.existingLedger, question: input.map { _ in Terminal.write(_:) },
      note: Log.warning)
    Log.notice("\(OutputPlace.shown(work)): \(Terminal.count(count, "shard"))")
    return 0
  }
}

/// `settle shard hash`: reads a whole file.
struct ShardHashCommand: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "hash", abstract: "Read a whole file of the batch, and record its digests.")

  @Argument(help: ArgumentHelp("The file's number, from 0.", valueName: "file"))
  var file: Int

  @OptionGroup var input: ShardInputOption
  @Option(.work) var work: String
  @OptionGroup var log: LogOptions

  func execute() throws(Failure) -> Int32 {
    try ShardWork(work).hash(file, input: input.path)
    return 0
  }
}

/// `settle shard run`: settles one shard by itself.
struct ShardRunCommand: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Settle one shard by itself.",
    discussion: "Ends with 0 whatever the shard's records are: exit codes 1 and 2 depend on the whole batch.")

  @OptionGroup var options: ShardTextOptions
  @OptionGroup var input: ShardInputOption
  @OptionGroup var log: LogOptions

  func execute() throws(Failure) -> Int32 {
    try ShardWork(options.work).run(options.shard, input: input.path, threads: options.threads)
    return 0
  }
}

/// `settle shard gather`: compares the shards with each other.
struct ShardGatherCommand: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "gather",
    abstract: "Compare all shards with each other, and judge header, trailer and control totals.",
    discussion: "Ends with 2 if the batch as a whole cannot be settled.")

  @Option(.work) var work: String

  @Flag(help: "Do it again, and remove the results of later steps, because another run has written to the ledger.")
  var again = false

  @OptionGroup var log: LogOptions

  func execute() throws(Failure) -> Int32 {
    try ShardWork(work).gather(again: again)
    return 0
  }
}

/// `settle shard claims`: judges the shards' claims at a level.
struct ShardClaimsCommand: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "claims", abstract: "Judge the claims of all shards at a level, in batch order.")

  @OptionGroup var level: LevelOption
  @Option(.work) var work: String
  @OptionGroup var log: LogOptions

  func execute() throws(Failure) -> Int32 {
    try ShardWork(work).claims(level: level.level)
    return 0
  }
}

/// `settle shard finish`: judges again those records of a shard whose claims were refused.
struct ShardFinishCommand: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "finish", abstract: "Judge again those records of a shard whose claims at a level were refused.",
    discussion: """
      With --input ask, each line of standard output, FILE OFFSET LENGTH, asks for bytes of a file, as settle shard plan \
      does, and standard input must return exactly those: only chunks with a record that is judged again.
      """)

  @OptionGroup var options: ShardTextOptions
  @OptionGroup var level: LevelOption

  @Option(
    help: ArgumentHelp(
      "- for standard input: the file's stored bytes from the shard's first on; ask to ask for bytes.",
      valueName: "-|ask"))
  var input: String?

  @OptionGroup var log: LogOptions

  func execute() throws(Failure) -> Int32 {
    let source: ShardSource =
      switch input {
      case nil: .file
      case "-": .standardInput
      default: .questions(Terminal.write(_:))
      }
    try ShardWork(options.work).finish(
      options.shard, level: level.level, from: source, threads: options.threads)
    return 0
  }

  func validate() throws {
    if let input, input != "-", input != "ask" { throw ValidationError("--input takes - or ask.") }
  }
}
