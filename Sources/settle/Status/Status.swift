import ArgumentParser
import Console
import Failures
import JSON
import Ledger

/// `settle status`: whether someone must act this morning.
struct Status: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Say on one screen whether the nights and payouts are in order.",
    discussion: """
      For seven in the morning. Each line is in order (ok), or says what someone must do (ACT) and with which command. It \
      shows the last run, the days of the inbox that are not settled, the last payout with its directory, which is \
      verified, and its files for the bank, payouts that are missing, balances that wait for someone, what terms hold, the answers of the \
      bank that are open and payments that it does not confirm, the age of the backup, and the free disk. Nothing is \
      written.

      Ends with 0 if all is in order, and with 1 if someone must act.

      EXAMPLES:
        settle status --ledger settled/ledger
        settle status --ledger /var/lib/settle/ledger --inbox /var/lib/settle/inbox --payouts /var/lib/settle/payouts \
      --answers /var/lib/settle/answers --backup /backup/ledger
        settle status --ledger settled/ledger --format jsonl | jq -r 'select(.act) | .command'
      """)

  @Option(.ledger) var ledger: String

  @Option(.directory("The folder of batches, DAY.jsonl or DAY-*.jsonl, also .lz4: which days are not settled."))
  var inbox: String?

  @Option(.directory("The folder of payouts: also look there for the last one and for missing ones."))
  var payouts: String?

  @Option(.directory("The folder in which settle returns makes directories, or one of these."))
  var answers: String?

  @Option(.file("The backup of the ledger, which should be made each day."))
  var backup: String?

  @Option(help: "How the lines look: text or jsonl.")
  var format: TextFormat = .text

  @OptionGroup var log: LogOptions

  func execute() throws(Failure) -> Int32 {
    let history = try LedgerHistory(ledger: ledger)
    var report = StatusReport(history, ledger: ledger, payouts: payouts)
    report.addLedger()
    report.addRuns()
    if let inbox { try report.addInbox(inbox) }
    try report.addPayouts()
    if let answers { try report.addAnswers(answers) }
    if let backup { report.addBackup(backup) }
    report.addDisk()
    switch format {
    case .text: try Terminal.emit(report.lines.map(\.text))
    case .jsonl: try Terminal.emit(report.lines.map(\.json.description))
    }
    return report.lines.contains(where: \.mustAct) ? 1 : 0
  }
}

/// One thing that a status shows.
struct StatusLine {
  /// What it is about, a word or two.
  let subject: String
  let message: String
  /// The command that settles it, or shows what to do; nil if all is well.
  let command: String?

  /// Whether someone must act.
  var mustAct: Bool { command != nil }

  /// For people: one line, and below it the command.
  var text: String {
    let head = (mustAct ? "ACT  " : "ok   ") + subject.padded(to: 12) + message
    return head + (command.map { "\n       \($0)" } ?? "")
  }

  /// As a JSON object.
  var json: JSONTree {
    [
      "subject": .string(subject), "act": .boolean(mustAct), "message": .string(message),
      "command": command.map(JSONTree.string) ?? .null,
    ]
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
