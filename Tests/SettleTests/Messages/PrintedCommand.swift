import Foundation
import Testing

/// The commands that messages print.
enum PrintedCommand {
  /// How a message is provoked, and the commands that it must have.
  struct Situation: CustomTestStringConvertible, Sendable {
    let name: String
    /// The places in sources that print the commands.
    let places: [String]
    /// What is done before, by a shell; all of it must succeed.
    let before: String
    /// The command that must end with the message.
    let provoking: String
    let exitCode: Int32
    /// What the message asks for first.
    var repair: String?
    let commands: [Pasted]
    var testDescription: String { name }
  }

  /// A command as a message prints it, with FOLDER for the folder of the test and TODAY for the day.
  struct Pasted: Sendable {
    let printed: String
    /// What it must end with.
    let exitCode: Int32
    /// What someone writes for its words in capitals.
    let filled: [String: String]

    init(_ printed: String, _ exitCode: Int32 = 0, _ filled: [String: String] = [:]) {
      (self.printed, self.exitCode, self.filled) = (printed, exitCode, filled)
    }
  }

  static let today = String(Date().ISO8601Format().prefix(10))

  /// Functions of the scripts. The ledger and a directory have names that a shell must be given in quotes.
  static let prelude = """
    settle() { "$SETTLE" "$@"; }
    record() { echo '{"payKey":"K'$1'","paymentCurrency":"EUR","recipient":"anna@x.example","subTotal":"10.00"}'; }
    night() { record $1 >$1.jsonl && settle run $1.jsonl --output "out $1" --ledger 'the ledger' --witness w; }
    pay() { settle payout --ledger 'the ledger' --witness w --payees payees.csv --date \(today) --output pay/"$@"; }
    entered() { settle payout adopt "$1" --ledger 'the ledger' --witness w; }
    counted() { settle ledger adopt 'the ledger' --witness w "$@"; }
    shop() {
      mkdir -p pay && printf '%s\\n' \\
        account,currency,name,method,iban,bic,routing,account_number,account_type,holder,hold \\
        anna@x.example,EUR,Anna,IBAN,DE65300600100532013001,,,,,, >payees.csv
    }

    """

  /// Commands that no test can provoke in the time of a test, or that are printed as others are.
  static let elsewhere = [
    // The books of a night would have to be damaged so that their digests fit; the command is that of a ledger in doubt.
    "BookingTransactions.swift: ledger verify", "BookingTransactions.swift: verify",
    // A run was interrupted: tools/faults kills commands everywhere.
    "StatusReport.swift: history",
    // A ledger without runs is left by a first command that was killed.
    "StatusReport.swift: run",
    // The ledger would need 99,999 payouts.
    "Payout.swift: history",
  ]

  /// Words in a sentence that name a command, to be given with what the user has; or an example in a command's help.
  static let mentions = [
    "RejectionReason.swift: currencies", "EnvelopeFields.swift: currencies", "OtherFile.swift: validate",
    "RejectionLimit.swift: validate", "RejectionLimit.swift: validate (2)", "ClosingTable.swift: validate",
    "Find.swift: find",
    "HereCommand.swift: here", "HereCommand.swift: here (2)", "Status.swift: returns", "ExceptionRow.swift: currencies",
    "PreapprovalsAudit.swift: currencies",
    "SettlementAudit.swift: currencies", "ReportFields.swift: currencies", "Failure+Ledger.swift: ledger verify",
    "Ledger+Backup.swift: ledger verify", "MissingPayouts.swift: run", "PayoutAdoption.swift: run",
    "BalanceRows.swift: currencies", "ListedNote.swift: currencies",
    "ShardWork.swift: shard plan", "ShardWork.swift: shard plan (2)", "RequestImport.swift: run",
    "MonthSections.swift: report", "PublishedReports.swift: verify", "PageSections+Verdict.swift: validate",
    "PageSections.swift: report",
  ]
}
