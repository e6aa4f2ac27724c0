import Console
import ArgumentParser
import BatchRun
import Ledger
import Records
import Settlement

/// `settle find`: where the money of a payment, a refund, an agreement, an account or a payout's payment is.
struct Find: LoggingCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract: "Find a key, an account or a payout's payment in all nights.",
    discussion: """
      WHAT is a pay key, a refund key or a preapproval key, in its exact letter case. Every record with that key is \
      shown: settled, refunded, pending, held or rejected; a settled one with its parties and its later refunds, any \
      other with its errors. What the ledger knows about a key is shown even if the directory of the reports is gone.

      Or WHAT is an account, in any letter case. Each night in which it received money is shown with its row of \
      receivers.csv, and the sum of these rows in each currency; then, unless --since or --until is given, its \
      balances in the ledger, with each payout and each payment that came back.

      Or WHAT is the reference of a payout's payment, such as P12-345: who was paid, and whether the payment came \
      back.

      The day of a night is that of the batch's header, in UTC; without one, the day on which the run was entered in \
      the ledger. Reports are read, not verified: settle verify does that. Reports at a URI are not looked at.

      Ends with 0 if something is found, else with 1.

      EXAMPLES:
        settle find AP-4711 --ledger settled/ledger
        settle find shop@mail.example --ledger settled/ledger --since 2026-11-01 --until 2026-11-30
        settle find +4915112345678 --ledger settled/ledger --payments --format jsonl
      """)

  /// How the answer looks.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text
    case jsonl
  }

  @Argument(
    help: ArgumentHelp("A pay key, refund key or preapproval key, an account, or a reference.", valueName: "what"))
  var what: String

  @Option(
    help: ArgumentHelp("The ledger, as settle run --ledger made it.", valueName: "file"), completion: .file(),
    transform: named)
  var ledger: String

  @Option(help: ArgumentHelp("Only nights of this settlement day or later.", valueName: "YYYY-MM-DD"))
  var since: String?

  @Option(help: ArgumentHelp("Only nights of this settlement day or earlier.", valueName: "YYYY-MM-DD"))
  var until: String?

  @Flag(help: "List the account's payments and refunds, too.")
  var payments = false

  @Option(help: "How the answer looks: text or jsonl.")
  var format: Format = .text

  @OptionGroup var log: LogOptions

  private var account: [UInt8]? { Account.canonical(what.utf8) }

  func validate() throws {
    for (option, day) in [("--since", since), ("--until", until)] {
      if let day, UTCTime(day: day) == nil { throw ValidationError("\(option) takes a day, YYYY-MM-DD.") }
    }
    if let since, let until, until < since { throw ValidationError("--until is before --since.") }
    guard account == nil else { return }
    let key = Array(what.utf8)
    guard !key.isEmpty, PayKey.isValid(key, count: key.count) else {
      throw ValidationError(
        """
        '\(what)' is neither a key nor an account. A key has 1 to 64 of A-Z a-z 0-9 . _ - and begins with a letter or \
        digit; an account is an email address, or a phone number with + and its country code, such as +4915112345678.
        """)
    }
    if payments { throw ValidationError("--payments needs an account; for a key, every record is shown anyway.") }
  }

  func execute() throws(RunFailure) -> Int32 {
    let ledger = try LedgerSearch(ledger: ledger)
    Log.warn(about: ledger.history)
    let nights = ledger.history.runs.map(Night.init).filter { [since, until] night in
      since ?? night.day <= night.day && night.day <= until ?? night.day
    }
    var search: any NightSearch =
      if let account {
        AccountSearch(
          account, listsPayments: payments, since == nil && until == nil ? try ledger.books(of: account) : [])
      } else {
        KeySearch(what, try ledger.history(of: Array(what.utf8)))
      }
    let found = FoundNights(format)
    let reference = Array(what.utf8).withUnsafeBufferPointer { PaymentReference($0) }
    if let reference, let paid = try ledger.paidOut(reference) { try ReferenceSearch(paid: paid).show(found) }
    let threads = min(8, SettlementOptions().threads)
    var failure: RunFailure?
    for night in nights {
      do throws(RunFailure) {
        try search.look(at: night, night.reports(threads: threads), found)
      } catch .brokenPipe {
        throw .brokenPipe
      } catch {
        // The other nights may still have the answer.
        Log.tell(error)
        failure = failure ?? error
      }
    }
    try search.finish(found)
    let looked = Night.summary(nights)
    if found.isEmpty {
      Log.error("nothing found: \(looked)")
    } else if nights.contains(where: { $0.state != .present }) {
      Log.warning(looked)
    }
    return failure?.exitCode ?? (found.isEmpty ? 1 : 0)
  }
}
