import Bookkeeping
import Failures
import FileSystem
import Ledger
import SystemPackage
import Text

/// The payouts that a ledger knows to exist, and neither has nor has given up (`ledger.md`, Traces).
public struct MissingPayouts {
  /// A payout that the ledger lacks.
  public struct Payout: Sendable {
    public let number: Int
    /// Its directories, as messages and commands show them; empty if none was found.
    public let directories: [String]
    /// Whether nothing else names it: neither the ledger, its lock file nor the operator. Then it may be a payout of a
    /// copy of the ledger.
    let isOnlyDirectory: Bool
  }

  /// The payouts that are missing, in order.
  public private(set) var missing: [Payout] = []
  /// Directories that could not be looked at.
  public let warnings: [String]
  /// Directories of other ledgers: with another name, as far as that is known.
  let strangers: [PayoutTrace]
  /// The highest number that is known, or 0.
  let lastKnown: Int
  private let ledger: LedgerWords
  /// Whether the ledger has no payout, so that it may take the name of a lost ledger.
  private let mayTakeName: Bool
  /// Whether a version before 1.0.0-rc.3 made payouts, which may have changed the ledger's digits later.
  private let mayHaveHadOtherDigits: Bool

  /// What a ledger knows of its payouts.
  struct Known {
    /// The ledger, in messages.
    var ledger: LedgerWords
    var name: LedgerName
    var payouts: [PayoutEntry]
    var givenUp: [GivenUpPayout]
    /// The highest number that the ledger, its lock file, its witness or the operator names.
    var lastPayout: Int
    /// The digest of the directory of that payout; nil if it is not known.
    var lastDirectory: DirectoryDigest?
    /// The names of other shops' ledgers.
    var others: Set<LedgerName>

    /// Looks for directories of payouts in some folders, and next to those of the ledger's payouts.
    func traces(in folders: [String]) throws(Failure) -> PayoutTraces {
      let parents = payouts.map { MissingPayouts.parent(of: FileName.string($0.directory)) }
      return try PayoutTraces(in: folders + parents, known: Set(payouts.map(\.sums)))
    }
  }

  /// - Parameters:
  ///   - traces: the directories that were found.
  ///   - other: another name that the ledger has.
  init(_ known: Known, _ traces: PayoutTraces, takingName other: String? = nil) throws(Failure) {
    let names = Set(known.payouts.map(\.ledger) + [known.name.digits, other].compactMap(\.self))
    let others = Set(known.others.map(\.digits))
    func isLast(_ trace: PayoutTrace) -> Bool {
      trace.number == known.lastPayout && trace.digest == known.lastDirectory
    }
    func isOwn(_ trace: PayoutTrace) -> Bool { names.contains(trace.ledger) || isLast(trace) }
    let own = traces.found.filter(isOwn)
    (ledger, warnings, mayTakeName) = (known.ledger, traces.warnings, known.payouts.isEmpty)
    mayHaveHadOtherDigits = known.payouts.contains(where: \.isWithoutAdjustments)
    strangers = traces.found.filter { !isOwn($0) && !others.contains($0.ledger) }
    let held = Dictionary(uniqueKeysWithValues: known.payouts.map { ($0.number, $0) })
    let givenUp = Set(known.givenUp.map(\.number))
    lastKnown = max(known.lastPayout, own.last?.number ?? 0, held.keys.max() ?? 0, givenUp.max() ?? 0)
    for trace in own {
      guard let payout = held[trace.number] else { continue }
      let own = FileName.string(payout.directory)
      if OutputPlace.isSame(trace.shown, own) {
        throw .inputOutput(
          "\(known.ledger.shown): payout \(trace.number) has changed in \(trace.shown): its SHA256SUMS is not the published one. "
            + "Move the directory away, and publish the payout again from the files that it was made of:\n  "
            + "\(SetAside.command(trace.shown))\n  \(payout.republishing(known.ledger))")
      }
      throw .inputOutput(
        "\(known.ledger.shown): payout \(trace.number) is in two directories that differ: \(trace.shown), and "
          + "\(OutputPlace.shown(own)), which the ledger has. Its references are "
          + "used twice: find out which one the bank got, and move the other directory away, as in\n  "
          + SetAside.command(trace.shown))
    }
    let directories = Dictionary(grouping: own, by: \.number)
    for number in 1...max(1, lastKnown)
    where number <= lastKnown && held[number] == nil && !givenUp.contains(number) {
      // The one that the lock file or the witness knows comes first.
      let found = (directories[number] ?? []).filter(isLast) + (directories[number] ?? []).filter { !isLast($0) }
      missing.append(
        Payout(number: number, directories: found.map(\.shown), isOnlyDirectory: number > known.lastPayout))
    }
  }

  static func parent(of path: String) -> String {
    let parent = FilePath(path).removingLastComponent()
    return parent.isEmpty ? "." : parent.string
  }

  /// The number of payouts that are missing.
  public var count: Int { missing.count }

  /// What is missing, where it was found, and the commands that enter it, in their order; nil if nothing is missing.
  ///
  /// - Parameter numbers: the payouts to name; nil for all.
  public func message(below number: Int = .max) -> String? {
    let named = missing.filter { $0.number < number }
    if named.isEmpty { return nil }
    var parts = named.map { "payout \($0.number) (\(Self.place($0)))" }
    let last = parts.removeLast()
    let list = parts.isEmpty ? last : parts.joined(separator: ", ") + " and " + last
    let order = named.count == 1 ? "Enter it" : "Enter them in this order"
    let isElsewhere = named.contains { $0.directories.isEmpty }
    let commands = named.flatMap(commands)
    return (["\(ledger.shown): lacks \(list). \(order):"] + commands).joined(separator: "\n  ")
      + Self.copyText(named)
      + (isElsewhere ? "\nIf a directory that was not found is elsewhere: \(ledger.adopting("DIRECTORY"))" : "")
  }

  private static func place(_ payout: Payout) -> String {
    payout.directories.isEmpty ? "no directory found" : payout.directories.joined(separator: ", ")
  }

  /// The commands that enter a payout: from its directories, or from those that may be its own; otherwise it is given up.
  private func commands(_ payout: Payout) -> [String] {
    if !payout.directories.isEmpty {
      let note =
        payout.directories.count > 1
        ? "        (if the bank got this one)"
        : payout.isOnlyDirectory ? "        (if it was sent, or may have been)" : ""
      return payout.directories.map { ledger.adopting(ShellWord.quoted($0)) + note }
    }
    let candidates = candidates(payout.number)
    let hasStranger = strangers.contains { $0.number == payout.number }
    return candidates.map {
      ledger.adopting(ShellWord.quoted($0.shown))
        + "        (payout \($0.number) of the ledger \($0.ledger), if that was this shop's)"
    } + [
      ledger.counting("--give-up \(payout.number)" + (hasStranger ? " --not-ours" : ""))
        + "        (if it was never sent; with --payments FILE if it was"
        + (hasStranger ? "; --not-ours: the payouts of another ledger are another shop's)" : ")")
    ]
  }

  /// What to do about payouts that were never sent.
  static func copyText(_ payouts: [Payout]) -> String {
    let named = payouts.filter { !$0.directories.isEmpty }
    let copied = named.filter { $0.isOnlyDirectory || $0.directories.count > 1 }
    var text = ""
    if !copied.isEmpty {
      let commands = copied.flatMap(\.directories).map { "\n  " + SetAside.command($0) }
      text +=
        "\nIf a directory is of a copy of this ledger, and was never sent, move it away instead:" + commands.joined()
    }
    if copied.count < named.count {
      text +=
        "\nIf a payout that is entered so was never sent, give all its references to the next payout as returned, "
        + "with the reason NOT_SENT"
    }
    return text
  }

  /// The directories of other ledgers that may be those of a missing payout, because a lost ledger had another name, or an
  /// earlier version changed the digits. Those one level up count only if no other is nearer, and if they are of one
  /// ledger.
  private func candidates(_ number: Int) -> [PayoutTrace] {
    guard mayTakeName || mayHaveHadOtherDigits else { return [] }
    let near = strangers.filter { $0.number == number && $0.isNear }
    if !near.isEmpty { return near }
    let far = strangers.filter { $0.number == number }
    return Set(far.map(\.ledger)).count == 1 ? far : []
  }
}

extension MissingPayouts {
  /// The payouts that a ledger lacks which is only read. Also looks next to the directories of its runs.
  ///
  /// - Parameters:
  ///   - path: the ledger.
  ///   - folders: further folders of payouts.
  public init(_ history: LedgerHistory, ledger path: String, alsoIn folders: [String] = []) throws(Failure) {
    let known = Known(
      ledger: LedgerWords(shown: OutputPlace.shown(path)), name: history.name, payouts: history.payouts,
      givenUp: history.givenUp, lastPayout: history.lastKnownPayout, lastDirectory: history.lastKnownDirectory,
      others: history.others)
    let runs = history.runs.filter { !$0.isAtURI }.map { Self.parent(of: FileName.string($0.directory)) }
    try self.init(known, known.traces(in: runs + folders))
  }
}

extension MissingPayouts.Known {
  /// What a ledger knows that a payout has open.
  init(_ ledger: RunLedger) throws(Failure) {
    try self.init(
      ledger: LedgerWords(shown: ledger.shown, witness: ledger.witness), name: ledger.ledger.name(),
      payouts: ledger.ledger.payouts(), givenUp: ledger.ledger.givenUp(),
      lastPayout: ledger.ledger.lastKnownPayout(), lastDirectory: ledger.ledger.lastKnownDirectory(),
      others: ledger.ledger.others())
  }
}

extension MissingPayouts {
  /// Why a ledger makes no payout now.
  public struct Refusal: Sendable {
    /// What is missing or not known, and the commands that settle it.
    public let message: String
    /// The number of payouts that are missing.
    public let count: Int
  }

  /// Why a payout must not be made; nil if it may.
  ///
  /// - Parameter output: the directory that the payout is to make; nil if it makes none.
  static func refusal(
    of ledger: RunLedger, output: String?, note: (String) -> Void
  ) throws(Failure) -> Refusal? {
    let known = try Known(ledger)
    let found = try MissingPayouts(known, known.traces(in: output.map { [parent(of: $0)] } ?? []))
    found.warnings.forEach(note)
    let word = try ledger.ledger.word()
    if try ledger.ledger.needsWord() {
      return Refusal(
        message:
          "\(ledger.shown): was made again by settle run --adopt, and no lock file says which payouts were made. "
          + found.question, count: found.count)
    }
    if let message = found.message() { return Refusal(message: message, count: found.count) }
    guard word == nil, let stranger = found.strangers.first(where: { $0.isNear && found.mayBeOwn($0, known) }) else {
      return nil
    }
    let has = known.payouts.isEmpty ? "has no payout" : "has payouts of a version before 1.0.0-rc.3"
    return Refusal(
      message: "\(ledger.shown): \(has), and \(stranger.shown) is payout \(stranger.number) of another ledger, "
        + "\(stranger.ledger). " + found.question
        + (known.payouts.isEmpty
          ? "" : "        (or --not-ours, if all payouts of other ledgers there are another shop's)"),
      count: 0)
  }

  /// Whether a directory with another name may be a payout of this ledger: it has no payout, or an earlier version may
  /// have changed its digits.
  private func mayBeOwn(_ stranger: PayoutTrace, _ known: Known) -> Bool {
    mayTakeName || mayHaveHadOtherDigits && stranger.number > (known.payouts.map(\.number).max() ?? 0)
  }

  /// Asks for the operator's word.
  private var question: String {
    "Say which was the last payout of this ledger, by its highest number; 0 if no payout was made, or if other payouts are "
      + "another shop's:\n  \(ledger.counting("--last-payout N"))"
  }
}
