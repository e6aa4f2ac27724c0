import ArgumentParser
import Console
import Failures
import FileSystem
import Glibc
import JSON
import Ledger
import Payouts
import Returns
import Text
import Documents
import Verification

/// `settle verify`: compares the reports of a settlement with each other, and with the batch.
struct Verify: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check a directory of reports, a payout or answers, by itself or against its batch or ledger.",
    discussion: """
      Computes the digests of SHA256SUMS again; checks every row of settlement.csv, every payment's zero sum and the \
      trial balance; adds up what receivers.csv, totals.csv, control.csv and summary.json must say. With --batch the \
      batch is settled again, with --fees and similar options as they were given to the run, and all reports are \
      compared byte by byte. A note says which files of the batch were renamed, compressed or decompressed since. If \
      another version of settle made the reports, the messages of exceptions.csv are not compared, nor what only one \
      version writes in summary.json. Whether an earlier run settled a pay key (ALREADY_SETTLED) is taken from the reports, or from the run's ledger \
      if --ledger names it. With --ledger alone, a run of the ledger must have published these very reports; it is named.

      In the directory of a payout it computes the digests again, checks order, sums and figures, and compares the files \
      for the bank with payouts.csv. With --ledger it compares the balances, and with --payees, --returned, \
      --adjustments, --terms and --debtor it makes the payout again and compares all files byte by byte. No finding shows a bank account.

      In a directory of answers (settle returns) it computes the digests again and checks the order of rows. With \
      --ledger, --answers and --debtor it reads the answers again and compares all files byte by byte.

      Prints each finding on its own line. Ends with 0 if there are no findings, else with 1; with 66 if the directory \
      has no reports.

      EXAMPLES:
        settle verify settled/2026-11-21
        settle verify settled/2026-11-21 --batch night.jsonl.lz4
        settle verify settled/2026-11-21 --ledger settled/ledger
        settle verify payouts/2026-11-24 --ledger settled/ledger --payees payees.csv --debtor debtor.json
        settle verify answers/2026-11-25 --ledger settled/ledger --answers status.xml returns.ach
        settle verify settled/2026-11-21 --batch part-1.jsonl part-2.jsonl --fees fees.json
      """)

  @Argument(.directory("The directory of reports, as settle run made it."))
  var directory: String

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Settle this batch again and compare: all its files in order; - is standard input.", valueName: "batch"),
    completion: .file())
  var batch: [String] = []

  @Option(.file("For a payout: make it again from its payees file, and --returned and --debtor, and compare."))
  var payees: String?

  @Option(.file("The payout's file of payments that came back."))
  var returned: [String] = []

  @Option(.file("The payout's file of adjustments."))
  var adjustments: [String] = []

  @Option(.file("The payout's file of terms."))
  var terms: String?

  @Option(.file("The file of the accounts that pay, of a payout or of answers."))
  var debtor: String?

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "For a directory of answers: read these files again, all in their order, and compare.", valueName: "answer"),
    completion: .file())
  var answers: [String] = []

  @OptionGroup var rules: RuleOptions
  @OptionGroup var ledger: ReadLedgerOption
  @OptionGroup var threads: ThreadOption

  @Option(help: "How the findings look: text or jsonl.")
  var format: TextFormat = .text

  @Option(.metrics) var metrics: String?

  @OptionGroup var log: LogOptions

  func validate() throws {
    try BatchOptions.expectOneReader(batch)
    guard !batch.isEmpty || !rules.areGiven else {
      throw ValidationError("Options of the run are for settling again: name the batch with --batch.")
    }
    guard payees == nil || ledger.ledger != nil else {
      throw ValidationError("Making a payout again needs its ledger: name it with --ledger.")
    }
    guard
      payees != nil || returned.isEmpty && adjustments.isEmpty && terms == nil && (debtor == nil || !answers.isEmpty)
    else {
      throw ValidationError(
        "--returned, --adjustments, --terms and --debtor are for making a payout again: name the payees with --payees; or the "
          + "files of answers with --answers.")
    }
    guard answers.isEmpty || ledger.ledger != nil else {
      throw ValidationError("Reading answers again needs their ledger: name it with --ledger.")
    }
    try BatchOptions.expectOneReader(answers)
  }

  /// What a directory holds.
  private enum Kind { case settlement, payout, answers }

  /// What the directory holds; throws if the options do not suit it.
  private func kind() throws(Failure) -> Kind {
    if try ReturnsVerification.isReturns(directory) {
      guard batch.isEmpty, payees == nil else {
        throw .usage("the directory is one of answers, which have no batch and no payees")
      }
      return .answers
    }
    guard answers.isEmpty else { throw .usage("the directory is not one of answers: --answers does not apply") }
    let isPayout = try PayoutVerification.isPayout(directory)
    if isPayout, !batch.isEmpty { throw .usage("the directory is that of a payout, which has no batch") }
    if !isPayout, payees != nil { throw .usage("the directory is not that of a payout, and only payouts have payees") }
    return isPayout ? .payout : .settlement
  }

  func execute() throws(Failure) -> Int32 {
    guard let metrics = try MetricsFile.named(metrics, .verify, besides: [], outside: directory) else {
      return try verify().exitCode
    }
    return try metrics.closing(verify, exitCode: \.exitCode) { exitCode, result in
      MetricsText.text(exitCode: exitCode, endTime: time(nil), findings: result?.findings, payments: result?.payments)
    }
  }

  /// What the metrics need from a verification.
  private struct Result {
    let (findings, payments): (Int, Int)
    var exitCode: Int32 { findings == 0 ? 0 : 1 }
  }

  private func verify() throws(Failure) -> Result {
    switch try kind() {
    case .settlement: try verifySettlement()
    case .payout: try verifyPayout()
    case .answers: try verifyAnswers()
    }
  }

  private func verifyPayout() throws(Failure) -> Result {
    if let ledger = ledger.ledger { Log.warn(about: try LedgerHistory(ledger: ledger)) }
    let inputs = payees.map {
      PayoutVerification.Inputs(payees: $0, returned: returned, adjustments: adjustments, terms: terms, debtor: debtor)
    }
    let verdict = try PayoutVerification.verify(directory, ledger: ledger.ledger, inputs: inputs)
    try show(verdict.findings)
    close(
      verdict.count, verdict.unlisted,
      "\(Terminal.count(verdict.payments, "payment")), \(Terminal.count(verdict.carried, "balance")) carried, "
        + "\(Terminal.count(verdict.files, "file")) for the bank; digests and sums agree"
        + (ledger.ledger == nil ? "" : ", balances are those of the ledger")
        + (payees == nil ? "" : "; made again, every byte is the same"))
    return Result(findings: verdict.count, payments: verdict.payments)
  }

  private func verifyAnswers() throws(Failure) -> Result {
    if let ledger = ledger.ledger { Log.warn(about: try LedgerHistory(ledger: ledger)) }
    let verdict = try ReturnsVerification.verify(directory, ledger: ledger.ledger, answers: answers, debtor: debtor)
    try show(verdict.findings)
    close(
      verdict.count, verdict.unlisted,
      "\(Terminal.count(verdict.answers, "answer")), \(Terminal.count(verdict.returned, "payment")) returned; "
        + "digests and order agree" + (answers.isEmpty ? "" : "; read again, every byte is the same"))
    return Result(findings: verdict.count, payments: verdict.returned)
  }

  private func show(_ findings: [ReportFinding]) throws(Failure) {
    try Terminal.emit(findings.map { format == .text ? $0.text : Self.json($0) })
  }

  /// Prints the closing message.
  ///
  /// - Parameter verified: what it says without findings.
  private func close(_ count: Int, _ unlisted: [(file: String, count: Int)], _ verified: String) {
    let name = OutputPlace.shown(directory)
    Log.notice(
      count == 0
        ? "\(name): verified: \(verified)"
        : "\(name): verification failed: \(Terminal.count(count, "finding"))"
          + unlisted.map { "\n\($0.file): at least \($0.count) more, not listed" }.joined())
  }

  private func verifySettlement() throws(Failure) -> Result {
    var options = try rules.runOptions(for: batch, threads: threads.count)
    var settledAgain: Verification.SettledBatch?
    var history: LedgerHistory?
    if !batch.isEmpty {
      let ledger = try ledger.open(batch, &options)
      settledAgain = Verification.SettledBatch(paths: batch, options: options, ledger: ledger)
    } else if let ledger = ledger.ledger {
      history = try LedgerHistory(ledger: ledger)
      Log.warn(about: history!)
    }
    let result = try Verification.verify(
      directory, batch: settledAgain, history: history, threads: threads.count, progress: ProgressLine.forTerminal())
    try show(result.findings)
    for note in result.notes { Log.notice("note: \(note)") }
    close(result.count, result.unlisted, verified(result))
    return Result(findings: result.count, payments: result.payments)
  }

  /// What the closing message says of reports without findings.
  private func verified(_ result: VerificationResult) -> String {
    "\(Terminal.count(result.payments, "payment")) in \(Terminal.count(result.rows, "row")), "
      + "\(Terminal.count(result.receivers, "receiver")), "
      + "\(result.currencies) \(result.currencies == 1 ? "currency" : "currencies"); digests and sums agree"
      + (batch.isEmpty ? "" : "; settled again, every byte is the same" + differences(result))
      + (result.run.map(published) ?? "") + believed(result.settledEarlier)
  }

  /// What was not compared, or may differ.
  private func differences(_ result: VerificationResult) -> String {
    let version = result.otherVersion.map { "the messages of version \(MessageText.identifier($0.utf8))" }
    let differences = [version, result.notes.isEmpty ? nil : "how the batch is stored"].compactMap(\.self)
    return differences.isEmpty ? "" : ", other than \(differences.joined(separator: " and "))"
  }

  /// Which run published the reports, and where, if that is another directory.
  private func published(_ run: RunEntry) -> String {
    let there = FileName.string(run.directory)
    let isElsewhere = run.isAtURI || !OutputPlace.isSame(there, directory)
    return "; they are those of \(run.id) of the ledger" + (isElsewhere ? ", in \(OutputPlace.shown(there))" : "")
  }

  /// What only the ledger could confirm.
  private func believed(_ number: Int) -> String {
    number == 0 || ledger.ledger != nil
      ? "" : "; only the ledger can confirm that earlier runs settled \(Terminal.count(number, "rejected payment"))"
  }

  /// A finding as one JSON object; fields that do not apply are null.
  private static func json(_ finding: ReportFinding) -> String {
    func text(_ text: String?) -> JSONTree { text.map(JSONTree.string) ?? .null }
    let object: JSONTree = [
      "file": .string(finding.file), "line": finding.line.map(JSONTree.number) ?? .null, "field": text(finding.field),
      "found": text(finding.found), "expected": text(finding.expected), "reason": .string(finding.reason),
    ]
    return object.description
  }
}
