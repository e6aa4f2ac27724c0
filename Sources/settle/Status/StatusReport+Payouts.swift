import Console
import Failures
import FileSystem
import JSON
import Ledger
import Payouts
import Documents
import Returns
import SystemPackage
import Text

/// The lines of a status about payouts and what banks answer.
extension StatusReport {
  mutating func addPayouts() throws(Failure) {
    let missing = try MissingPayouts(history, ledger: ledger, alsoIn: [payouts].compactMap(\.self))
    if let message = missing.message() {
      let lines = message.split(separator: "\n").map { $0.drop { $0 == " " } }
      // What is behind the command says when to give it.
      let command = lines.first { $0.hasPrefix("settle ") }!.split(separator: "        (")[0]
      add("payouts", String(lines[0]), act: String(command))
    }
    guard let payout = history.payouts.max(by: { $0.number < $1.number }) else {
      return add("last payout", "no payout is made yet")
    }
    let text =
      "payout \(payout.number) of \(payout.identity.date): \(Terminal.count(payout.payments, "payment")) for "
      + payout.identity.executionDate
    guard let directory = directory(of: payout) else {
      let shown = OutputPlace.shown(FileName.string(payout.directory))
      return add(
        "last payout", "\(text). Its directory is gone: \(shown)",
        act: "settle history --ledger \(quoted) --payouts --last 1")
    }
    let shown = ShellWord.quoted(OutputPlace.shown(directory))
    let verdict = try PayoutVerification.verify(directory, ledger: ledger)
    let files =
      payout.payments == 0
      ? "" : verdict.files == 0 ? ", no file for the bank" : ", \(Terminal.count(verdict.files, "file")) for the bank"
    add(
      "last payout",
      text + files
        + (verdict.count == 0 ? ", verified" : ". It does not verify: \(Terminal.count(verdict.count, "finding"))"),
      act: verdict.count == 0 ? nil : "settle verify \(shown) --ledger \(quoted)")
    try addCarried(directory)
    addHeld(payout)
  }

  /// What terms held of the balances that the last payout left, by currency.
  private mutating func addHeld(_ payout: PayoutEntry) {
    let held = payout.totals.flatMap { total in
      PayoutTotal.held.compactMap { figure in
        total[keyPath: figure.path].flatMap { $0.isZero ? nil : "\(total.currency.code) \($0.grouped) \(figure.name)" }
      }
    }
    if payout.identity.terms != nil {
      add("held", held.isEmpty ? "terms hold nothing" : "by terms: \(held.joined(separator: ", "))")
    }
  }

  /// The directory of a payout: where it was published, or, if that is gone, that of the same name in the folder of
  /// payouts; nil if neither is there.
  private func directory(of payout: PayoutEntry) -> String? {
    let published = FileName.string(payout.directory)
    if !OutputPlace.isGone(published) { return published }
    guard let payouts, let name = FilePath(published).lastComponent?.string else { return nil }
    let moved = "\(payouts)/\(name)"
    return OutputPlace.isGone(moved) ? nil : moved
  }

  /// The balances that the last payout did not pay, by reason; those that wait for someone are a line of their own.
  private mutating func addCarried(_ directory: String) throws(Failure) {
    let summary = try Self.object(in: directory, PayoutReport.summary.fileName)
    let counts = (summary["reasons"]?.fields ?? []).compactMap { name, count in
      count.count.map { (name: name, count: $0) }
    }
    func listed(_ counts: [(name: String, count: Int)]) -> String {
      counts.map { "\($0.name) \($0.count)" }.joined(separator: ", ")
    }
    let waiting = counts.filter { CarriedReason(rawValue: $0.name)?.needsAction == true }
    let others = counts.filter { CarriedReason(rawValue: $0.name)?.needsAction != true }
    let file = ShellWord.quoted(OutputPlace.shown("\(directory)/\(PayoutReport.carried.fileName)"))
    if !waiting.isEmpty {
      add(
        "balances", "wait for someone: \(listed(waiting))",
        act: "grep -E '\(waiting.map(\.name).joined(separator: "|"))' \(file)")
    } else {
      add("balances", others.isEmpty ? "all are paid" : "no one must act: \(listed(others))")
    }
  }

  private static func object(in directory: String, _ name: String) throws(Failure) -> JSONTree {
    let path = "\(directory)/\(name)"
    do {
      return try JSONTree(parsing: OpenFile(reading: path, waits: false).bytes(atMost: 1 << 24))
    } catch let error as Errno {
      throw .unreadable("\(OutputPlace.shown(path)): cannot be read: \(error)")
    } catch {
      throw .inputOutput(
        "\(OutputPlace.shown(path)): is not JSON: settle verify \(ShellWord.quoted(OutputPlace.shown(directory)))")
    }
  }

  // MARK: Answers

  /// The last directory of answers: those that have a code, and payments that no debit confirms, if they are listed.
  mutating func addAnswers(_ folder: String) throws(Failure) {
    let shown = OutputPlace.shown(folder)
    guard let directory = try Self.lastAnswers(in: folder) else {
      return add("answers", "no answers were read yet: \(shown)")
    }
    let summary = try Self.object(in: directory, "returns.json")
    func file(_ name: String) -> String { ShellWord.quoted(OutputPlace.shown("\(directory)/\(name)")) }
    let codes = (summary["codes"]?.fields ?? []).compactMap { name, count in count.count.map { "\(name) \($0)" } }
    let skipped = (summary["skipped"]?.fields ?? []).reduce(0) { $0 + ($1.value.count ?? 0) }
    if skipped > 0 {
      add(
        "answers", "\(Terminal.count(skipped, "file")) with errors \(skipped == 1 ? "was" : "were") left out",
        act: "settle-nightly")
    }
    if codes.isEmpty {
      add("answers", "no answer is open in \(OutputPlace.shown(directory))")
    } else {
      add("answers", "open: \(codes.joined(separator: ", "))", act: "grep ,OPEN, \(file("answers.csv"))")
    }
    try addConfirmed(summary, payments: file("payments.csv"))
  }

  private mutating func addConfirmed(_ summary: JSONTree, payments file: String) throws(Failure) {
    guard let confirm = summary["confirm"], let rows = confirm["payments"]?.elements else { return }
    var counts: [String: Int] = [:]
    for row in rows { counts[row["state"]?.string ?? "", default: 0] += row["payments"]?.count ?? 0 }
    let listed = PaymentState.allCases.compactMap { state in
      counts[state.rawValue].map { "\(state.rawValue) \($0)" }
    }
    let notSeen = counts[PaymentState.notSeen.rawValue] ?? 0
    add(
      "payments",
      "since \(confirm["since"]?.string ?? ""): " + (listed.isEmpty ? "none" : listed.joined(separator: ", ")),
      act: notSeen == 0 ? nil : "grep ,\(PaymentState.notSeen.rawValue), \(file)")
  }

  /// The folder itself, if it is a directory of answers; otherwise the last one in it by name.
  private static func lastAnswers(in folder: String) throws(Failure) -> String? {
    if !OutputPlace.isGone("\(folder)/returns.json") { return folder }
    let names: [String]
    do throws(Errno) { names = try Directory(path: folder).names() } catch {
      throw .unreadable("\(OutputPlace.shown(folder)): cannot be read: \(error)")
    }
    return names.filter { !$0.hasPrefix(".") && !OutputPlace.isGone("\(folder)/\($0)/returns.json") }.max()
      .map { "\(folder)/\($0)" }
  }
}
