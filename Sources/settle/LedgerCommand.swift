import ArgumentParser
import BatchRun
import Console
import FileSystem

/// `settle ledger`: maintenance of a ledger.
struct LedgerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ledger",
    abstract: "Check a ledger, copy it, or make a copy count.",
    discussion: """
      EXAMPLES:
        settle ledger verify settled/ledger
        settle ledger backup settled/ledger /backup/ledger-2026-11-21
        settle ledger adopt settled/ledger
      """,
    subcommands: [LedgerVerify.self, LedgerBackup.self, LedgerAdopt.self])
}

/// The argument of the commands that work on a ledger.
struct LedgerArgument: ParsableArguments {
  @Argument(help: ArgumentHelp("The ledger, as settle run --ledger made it.", valueName: "file"), transform: named)
  var ledger: String
}

/// `settle ledger verify`: reads all of a ledger.
struct LedgerVerify: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Read all of a ledger, and report what is damaged.",
    discussion: """
      Runs SQLite's own check; reads every run, payout, figure, balance, pay key, refund and agreement, and what \
      refunds need from each payment, with its checksum, and the directory of each run and payout that still exists; \
      adds up what every run and payout changed in each balance. Nothing is written; a run that begins meanwhile ends \
      with 75.

      Prints each finding on its own line. Ends with 0 if there are no findings, else with 1.

      EXAMPLES:
        settle ledger verify settled/ledger
      """)

  @OptionGroup var file: LedgerArgument
  @OptionGroup var log: LogOptions

  func execute() throws(RunFailure) -> Int32 {
    let verdict = try LedgerUpkeep.verify(file.ledger)
    try Terminal.emit(verdict.findings)
    if let unfinished = verdict.unfinished { Log.warning(unfinished) }
    let name = OutputPlace.shown(file.ledger)
    guard verdict.findings.isEmpty else {
      Log.notice("\(name): verification failed: \(Terminal.count(verdict.findings.count, "finding"))")
      return 1
    }
    func standing(_ kind: String, _ gone: Int, of count: Int) -> String {
      "\(gone == 0 ? "all" : "\(count - gone)") of the \(kind)s' directories unchanged"
    }
    Log.notice(
      "\(name): verified: \(Terminal.count(verdict.runs, "run")), \(Terminal.count(verdict.keys, "pay key"))"
        + (verdict.payouts == 0 ? "" : ", \(Terminal.count(verdict.payouts, "payout"))")
        + "; \(standing("run", verdict.gone + verdict.elsewhere, of: verdict.runs))"
        + (verdict.elsewhere == 0 ? "" : " (\(verdict.elsewhere) at a URI not checked)")
        + (verdict.payouts == 0 ? "" : "; \(standing("payout", verdict.gonePayouts, of: verdict.payouts))"))
    return 0
  }
}

/// `settle ledger backup`: copies a ledger.
struct LedgerBackup: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Make a copy of a ledger that can be used at once.",
    discussion: """
      A run may use the ledger meanwhile. Makes TO and TO-lock, neither of which may exist.

      EXAMPLES:
        settle ledger backup settled/ledger /backup/ledger-2026-11-21
      """)

  @OptionGroup var file: LedgerArgument

  @Argument(help: ArgumentHelp("The copy to make; its parent must exist.", valueName: "to"), transform: named)
  var copy: String

  @OptionGroup var log: LogOptions

  func execute() throws(RunFailure) -> Int32 {
    try LedgerUpkeep.backUp(file.ledger, to: copy)
    Log.notice("\(OutputPlace.shown(copy)): made, a copy of \(OutputPlace.shown(file.ledger))")
    return 0
  }
}

/// `settle ledger adopt`: the operator confirms that a copy counts.
struct LedgerAdopt: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "adopt",
    abstract: "Make a copy of a ledger count from now on, and say which runs it lacks.",
    discussion: """
      A run refuses a ledger that lacks runs according to its lock file, such as one restored from a backup (74). With \
      this command you declare that there is no better copy: it gets a new id and is used from now on. It does not \
      know what the missing runs settled; settle their batches with it again, oldest first, before anything else.

      A copy that lacks payouts would pay them again. It is accepted only with --lacks-payouts, by which you declare \
      that this money is not paid again; settle payout --adopt then enters the payouts whose directories still exist. \
      If the lock file is lost, --next-payout gives the number of the next payout, so that no reference is used twice.

      EXAMPLES:
        settle ledger adopt settled/ledger
      """)

  @OptionGroup var file: LedgerArgument

  @Flag(help: "Accept a copy that lacks payouts: their money is not paid again.")
  var lacksPayouts = false

  @Option(help: ArgumentHelp("The number of the next payout, if the lock file is lost.", valueName: "n"))
  var nextPayout: Int?

  @OptionGroup var log: LogOptions

  func validate() throws {
    if let nextPayout, nextPayout < 1 {
      throw ValidationError("--next-payout takes a number from 1, not \(nextPayout).")
    }
  }

  func execute() throws(RunFailure) -> Int32 {
    let lacking = try LedgerUpkeep.adopt(file.ledger, lacksPayouts: lacksPayouts, nextPayout: nextPayout)
    try Terminal.print("\(OutputPlace.shown(file.ledger)): counts from now on, under a new id; \(lacking)")
    return 0
  }
}
