import ArgumentParser
import Console
import Failures
import FileSystem
import LedgerRuns
import Payouts

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

  func execute() throws(Failure) -> Int32 {
    let verdict = try LedgerUpkeep.verify(file.ledger)
    try Terminal.emit(verdict.findings)
    let name = OutputPlace.shown(file.ledger)
    if let doubt = verdict.doubt { Log.warning(doubt) }
    if let history = verdict.history {
      if let unfinished = history.unfinished { Log.warning(unfinished) }
      let missing = try MissingPayouts(history, ledger: file.ledger)
      for message in missing.warnings + [missing.message()].compactMap(\.self) { Log.warning(message) }
      GoneDirectories(history.payouts, ledger: name).warnings().forEach(Log.warning)
      let givenUp = history.givenUp.map { "\($0.number)" }.joined(separator: ", ")
      if !givenUp.isEmpty { Log.notice("\(name): given-up payouts: \(givenUp)") }
    }
    let gone = verdict.gone + verdict.gonePayouts
    if !gone.isEmpty { Log.notice("\(name): directories that are gone: \(gone.joined(separator: ", "))") }
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
        + "; \(standing("run", verdict.gone.count + verdict.elsewhere, of: verdict.runs))"
        + (verdict.elsewhere == 0 ? "" : " (\(verdict.elsewhere) at a URI not checked)")
        + (verdict.payouts == 0 ? "" : "; \(standing("payout", verdict.gonePayouts.count, of: verdict.payouts))"))
    return 0
  }
}

/// `settle ledger backup`: copies a ledger.
struct LedgerBackup: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Make a copy of a ledger.",
    discussion: """
      A run may use the ledger meanwhile. Checks what it copies, and fails (74) if the ledger is damaged. The copy has \
      no lock file, so it never vouches for itself: if you put it back, settle ledger adopt makes it count.

      EXAMPLES:
        settle ledger backup settled/ledger /backup/ledger-2026-11-21
      """)

  @OptionGroup var file: LedgerArgument

  @Argument(help: ArgumentHelp("The copy to make; its parent must exist.", valueName: "to"), transform: named)
  var copy: String

  @OptionGroup var log: LogOptions

  func execute() throws(Failure) -> Int32 {
    try LedgerUpkeep.backUp(file.ledger, to: copy)
    Log.notice("\(OutputPlace.shown(copy)): made, a copy of \(OutputPlace.shown(file.ledger))")
    return 0
  }
}

/// `settle ledger adopt`: the operator declares that a copy counts.
struct LedgerAdopt: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "adopt",
    abstract: "Make a copy of a ledger count from now on, and say which runs and payouts it lacks.",
    discussion: """
      A run refuses a ledger that may be an older copy, such as one restored from a backup (74). With this command you \
      declare that there is no better copy: it gets a new id and is used from now on. It does not know what the missing \
      runs settled: settle their batches with it again, oldest first, with settle run --adopt.

      Payouts that it lacks must not be paid again. settle payout refuses until each of them is entered with settle \
      payout adopt, or given up with --give-up because its directory is lost. If a payout that is given up was sent, \
      --payments FILE says what was paid: a CSV file with the columns key,account,currency,amount,reason and amounts \
      below zero.

      EXAMPLES:
        settle ledger adopt settled/ledger
        settle ledger adopt settled/ledger --last-payout 12
        settle ledger adopt settled/ledger --give-up 12 --payments payout-12.csv
      """)

  @OptionGroup var file: LedgerArgument

  @Option(
    help: ArgumentHelp(
      """
      The highest number of a payout that was sent, or whose directory is there; 0 for none. Needed if the lock file is \
      lost.
      """, valueName: "n"))
  var lastPayout: Int?

  @Option(
    help: ArgumentHelp(
      "Give up a missing payout whose directory is lost, or several: N or N-M.", valueName: "n"),
    transform: payouts)
  var giveUp: [ClosedRange<Int>] = []

  @Option(.file("What the payout that is given up had paid, if it was sent: a CSV file."))
  var payments: String?

  @Flag(
    help: """
      With payouts of other ledgers next to this one's: they are another shop's.
      """)
  var notOurs = false

  @Option(.witness) var witness: String?

  @OptionGroup var log: LogOptions

  func validate() throws {
    if let lastPayout, !(0...LedgerAdoption.mostPayouts ~= lastPayout) {
      throw ValidationError("--last-payout takes a number from 0 to \(LedgerAdoption.mostPayouts), not \(lastPayout).")
    }
    if payments != nil, giveUp.map(\.count) != [1] {
      throw ValidationError("--payments needs one --give-up N, the payout that had paid this.")
    }
  }

  /// The numbers of payouts, from `N` or `N-M`.
  @Sendable private static func payouts(_ text: String) throws -> ClosedRange<Int> {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard 1...2 ~= parts.count, let first = parts[0], let last = parts.last!, first >= 1, first <= last,
      last <= LedgerAdoption.mostPayouts, text.utf8.allSatisfy({ $0 == 0x2D || 0x30...0x39 ~= $0 })
    else { throw ValidationError("expected the number of a payout, or two such as 3-5") }
    return first...last
  }

  func execute() throws(Failure) -> Int32 {
    try OutputPlace.expectOwn(
      witness: witness, besides: [file.ledger, file.ledger + "-lock"] + [payments].compactMap(\.self))
    var options = LedgerAdoption.Options(ledger: file.ledger)
    (options.witness, options.isNotOurs) = (witness, notOurs)
    (options.lastPayout, options.payments) = (lastPayout, payments)
    options.givenUp = giveUp
    switch try LedgerAdoption.adopt(options, note: Log.warning) {
    case .counts(let message):
      try Terminal.print(message)
      return 0
    case .faulty(let faults):
      Log.report(faults)
      return 78
    }
  }
}
