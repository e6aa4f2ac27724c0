import Failures
import FileSystem
import Ledger
import Text

/// Makes a copy of a ledger count from now on: `settle ledger adopt` (`ledger.md`).
public struct LedgerAdoption {
  /// What the operator says.
  public struct Options: Sendable {
    /// The ledger's file.
    public var ledger: String
    /// The highest number of a payout that was sent, or whose directory is there; nil if it is not said.
    public var lastPayout: Int?
    /// The payouts to give up.
    public var givenUp: [ClosedRange<Int>] = []
    /// The file of what the one payout that is given up had paid; nil if none was sent.
    public var payments: String?
    /// The ledger's witness; nil if none is given.
    public var witness: String?
    /// Whether the directories of payouts of other ledgers, where the engine looks, belong to another shop.
    public var isNotOurs = false

    /// Options without anything said.
    public init(ledger: String) { self.ledger = ledger }
  }

  /// What came of it.
  public enum Outcome: Sendable {
    /// The ledger counts: what it lacks, in words with commands.
    case counts(String)
    /// The file of payments has faults; nothing was changed.
    case faulty(FileFaults)
  }

  /// The highest number of a payout that an operator can name: one more can be made.
  public static let mostPayouts = Payout.mostPayouts - 1

  private let options: Options
  private let adopted: AdoptedLedger
  private let shown: String
  private let words: LedgerWords

  /// Makes a copy count, and gives payouts up.
  ///
  /// Throws if it is in use, is not a ledger, or if what is said does not fit what is known.
  public static func adopt(_ options: Options, note: (String) -> Void) throws(Failure) -> Outcome {
    let shown = OutputPlace.shown(options.ledger)
    let adopted = try Interruption.uninterrupted { () throws(Failure) in
      try AdoptedLedger(options.ledger, witness: options.witness)
    }
    let words = LedgerWords(shown: shown, witness: options.witness.map(OutputPlace.shown))
    return try LedgerAdoption(options: options, adopted: adopted, shown: shown, words: words).adopt(note: note)
  }

  private func adopt(note: (String) -> Void) throws(Failure) -> Outcome {
    var known = try MissingPayouts.Known(
      ledger: words, name: adopted.name(), payouts: adopted.ledger.payouts(), givenUp: adopted.ledger.givenUp(),
      lastPayout: adopted.lastKnownPayout(), lastDirectory: adopted.lastKnownDirectory(),
      others: adopted.ledger.others())
    let folders = try adopted.ledger.directories().map { FileName.string($0.directory) }
      .filter { $0.hasPrefix("/") }.map(MissingPayouts.parent)
    let traces = try known.traces(in: folders)
    let found = try MissingPayouts(known, traces)
    found.warnings.forEach(note)
    try expectWord(found)
    if let last = options.lastPayout, last > known.lastPayout { (known.lastPayout, known.lastDirectory) = (last, nil) }
    let others = options.isNotOurs ? Set(found.strangers.compactMap { LedgerName(digits: $0.ledger) }) : []
    if options.isNotOurs { note(Self.noted(others)) }
    known.others.formUnion(others)
    let missing = try MissingPayouts(known, traces)
    let list = options.payments.map { ListFiles<AdjustmentFile>([$0]) }
    let payments = list?.files[0]
    if let failure = payments?.failure { throw failure }
    var givenUp: [(number: Int, adjustments: AccountEntries?)] = []
    let lacked = Dictionary(uniqueKeysWithValues: missing.missing.map { ($0.number, $0) })
    let earlier = Set(known.givenUp.map(\.number))
    for number in Set(options.givenUp.flatMap { Array($0) }).sorted() {
      if earlier.contains(number) {
        try expectGivenUp(number, payments?.content)
      } else {
        try expectLost(number, lacked[number], missing.strangers)
        givenUp.append((number, nil))
      }
    }
    if let list, let payments {
      let booked = try adopted.ledger.payoutLookup().all(AdjustmentNote.self)
      payments.content.expectPayments()
      try list.forEachKey { row throws(Failure) in
        let other = list.isFaulty(row) ? nil : booked[String(decoding: list.bytes(0, of: row), as: UTF8.self)]
        return other.map { $0.payout != options.givenUp[0].lowerBound } ?? false ? .alreadyAdjusted : nil
      }
      if let faults = payments.reportedFaults { return .faulty(faults) }
      if !givenUp.isEmpty {
        let entries = try entries(payments.content)
        givenUp[0].adjustments = entries
        if let warning = try crossings(of: entries).warning { note(warning) }
      }
    }
    let runs = try adopted.lackedRuns()
    let unwritten = try adopted.count(
      lastPayout: known.lastPayout, word: options.lastPayout, givenUp: givenUp, others: others)
    if let unwritten { note("\(unwritten.message); give the same command again") }
    if options.witness == nil, try adopted.ledger.hasWitness() {
      note("\(shown): has a witness, which still has the old id; the next command with --witness says so")
    }
    known.givenUp = try adopted.ledger.givenUp()
    let left = try MissingPayouts(known, traces)
    return .counts("\(shown): counts from now on, under a new id; \(runs)" + (left.message().map { ".\n\($0)" } ?? ""))
  }

  private static func noted(_ others: Set<LedgerName>) -> String {
    others.isEmpty
      ? "no payout of another ledger was found, so --not-ours says nothing"
      : "payouts of these ledgers are another shop's: \(others.map(\.digits).sorted().joined(separator: ", "))"
  }

  /// Throws unless it is known which payout was the last.
  private func expectWord(_ found: MissingPayouts) throws(Failure) {
    guard let last = options.lastPayout else {
      guard try adopted.needsWord() else { return }
      throw .usage(
        "\(shown): no lock file of this ledger says which payout was the last. Say it:\n"
          + "  \(words.counting("--last-payout N"))        (N: the highest number of a payout "
          + "that was sent, or whose directory is there; "
          + (found.lastKnown > 0 ? "at least \(found.lastKnown), which is known)" : "0 for none)"))
    }
    guard last >= found.lastKnown else {
      throw .usage(
        "\(shown): payout \(found.lastKnown) is known, and --last-payout \(last) is below it. Say at least that number:\n"
          + "  \(words.counting("--last-payout \(found.lastKnown)"))")
    }
  }

  /// Throws unless a payout that is given up already has the same payments.
  private func expectGivenUp(_ number: Int, _ payments: AdjustmentFile?) throws(Failure) {
    let booked = try adopted.ledger.payoutLookup().all(AdjustmentNote.self).values.filter { $0.payout == number }
    let given = payments?.changes ?? []
    let isSame =
      booked.count == given.count && payments?.faults.isEmpty ?? true
      && given.allSatisfy { change in booked.contains { $0.change == change } }
    guard isSame else {
      throw .usage("payout \(number) is given up already, with other payments; nothing was changed")
    }
  }

  /// Throws unless a payout is missing, and no directory with its number was found.
  private func expectLost(
    _ number: Int, _ payout: MissingPayouts.Payout?, _ strangers: [PayoutTrace]
  ) throws(Failure) {
    guard let payout else {
      throw .usage("--give-up takes a payout that is missing, and payout \(number) is not")
    }
    if let directory = payout.directories.first {
      throw .inputOutput(
        "\(shown): the directory of payout \(number) is there, \(directory), and nothing was changed. Enter it:\n"
          + "  \(words.adopting(ShellWord.quoted(directory)))" + MissingPayouts.copyText([payout]))
    }
    guard let stranger = strangers.first(where: { $0.number == number }) else { return }
    throw .inputOutput(
      "\(shown): there is payout \(number) of another ledger, \(stranger.ledger), in \(stranger.shown), and nothing was "
        + "changed. If it is this shop's, enter it:\n  \(words.adopting(ShellWord.quoted(stranger.shown)))\n"
        + "If it is another shop's, say so:\n  \(words.counting(givenOptions + " --not-ours"))")
  }

  /// The options that were given, to be pasted.
  private var givenOptions: String {
    let ranges = options.givenUp.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
    return
      ((options.lastPayout.map { ["--last-payout \($0)"] } ?? []) + ranges.map { "--give-up \($0)" }
      + (options.payments.map { ["--payments \(ShellWord.quoted(OutputPlace.shown($0)))"] } ?? []))
      .joined(separator: " ")
  }

  /// The payments that turn a balance from above zero to below.
  private func crossings(of entries: AccountEntries) throws(Failure) -> Crossings {
    let book = try adopted.ledger.balances(until: adopted.ledger.lastRun, new: [entries])
    var crossings = Crossings()
    while try book.next({ crossings.add($0, to: book) }) {}
    return crossings
  }

  private func entries(_ payments: AdjustmentFile) throws(Failure) -> AccountEntries {
    let entries = try AccountEntries(.adjustments, beside: OutputPlace(path: adopted.ledger.path))
    try entries.finish(with: payments.changes)
    return entries
  }
}
