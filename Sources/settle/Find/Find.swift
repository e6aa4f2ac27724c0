import ArgumentParser
import Console
import Failures
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
      other with its errors. For each receiver, the payments of payouts are named in which the money of a settled \
      payment or a refund left, or why it waits. An agreement is shown with its terms, its records and what is used of \
      it. What the ledger knows about a key is shown even if the directory of the reports is gone or cannot be read.

      Or WHAT is an account, in any letter case. Each night in which it received money is shown with its row of \
      receivers.csv, and the sum of these rows in each currency. If it has received nothing, or with --sender, each \
      night in which it sent money is shown, with the numbers and sums of its payments and refunds. At the end are, \
      unless --since or --until is given, its balances in the ledger: each run, each payout, each payment that came \
      back and each adjustment.

      Or WHAT is the reference of a payout's payment, such as P12-345: who was paid, what the payment consists of (the \
      nights, the payments that came back and the adjustments since the last one), and whether it came back. With \
      --payments, the payments and refunds of these nights are listed, too. Or it is the key of an adjustment: what it \
      changed, and which payout booked it.

      With --batch, WHAT may also be the customId of a payment (such as the number of a PayPal Here invoice), or words \
      of its memo, such as the bank or the seller repeats them. Batches are read for that: the ledger keeps no such \
      texts. The payments that have it are named, and shown like pay keys.

      The day of a night is that of the batch's header, in UTC; without one, the day on which the run was entered in \
      the ledger. --since and --until are booking days: a late night is booked on the day of the nights before it. \
      Reports are read, not verified: settle verify does that. Reports at a URI are not looked at. With \
      --ledger-only no directory is read: only what the ledger knows is shown.

      Ends with 0 if something is found, else with 1.

      EXAMPLES:
        settle find AP-4711 --ledger settled/ledger
        settle find shop@mail.example --ledger settled/ledger --since 2026-11-01 --until 2026-11-30
        settle find +4915112345678 --ledger settled/ledger --payments --format jsonl
        settle find shop@mail.example --ledger settled/ledger --ledger-only
        settle find P12-345 --ledger settled/ledger --payments
        settle find "Order 4711" --ledger settled/ledger --batch exports/*.jsonl.lz4
      """)

  @Argument(
    help: ArgumentHelp(
      "A pay key, refund key or preapproval key, an account, or a reference; with --batch a customId or words of a memo.",
      valueName: "what"))
  var what: String

  @Option(.ledger) var ledger: String

  @OptionGroup var booked: BookedOptions

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Batches in which to look for payments by their customId or memo, too.", valueName: "file"), completion: .file())
  var batch: [String] = []

  @Flag(help: "List the payments and refunds of the account, or of the payout's payment, too.")
  var payments = false

  @Flag(help: "Show what the account sent, even if it has received something.")
  var sender = false

  @Flag(help: "Show only what the ledger knows, and read no directory.")
  var ledgerOnly = false

  @Option(help: "How the answer looks: text or jsonl.")
  var format: TextFormat = .text

  @OptionGroup var log: LogOptions

  private var account: [UInt8]? { Account.canonical(what.utf8) }

  func validate() throws {
    if ledgerOnly, payments || sender {
      throw ValidationError("--payments and --sender show what reports have; leave out --ledger-only.")
    }
    try BatchOptions.expectOneReader(batch)
    if !batch.isEmpty, what.isEmpty { throw ValidationError("Give the customId or the words to look for.") }
    guard account == nil else {
      guard ledgerOnly, booked.areGiven else { return }
      throw ValidationError(
        "The balances of an account are those of all nights: with --ledger-only leave out --since and --until.")
    }
    let key = Array(what.utf8)
    guard !batch.isEmpty || !key.isEmpty && (PayKey.isValid(key.span) || AdjustmentNote.isKey(key)) else {
      throw ValidationError(
        """
        '\(what)' is neither a key nor an account. A key has 1 to 64 of A-Z a-z 0-9 . _ - and begins with a letter or \
        digit; an account is an email address, or a phone number with + and its country code, such as +4915112345678. \
        For a customId, an invoice number or words of a memo, give the batches to look in: --batch FILE...
        """)
    }
    if payments, PaymentReference(key.span) == nil {
      throw ValidationError(
        "--payments needs an account, or the reference of a payout's payment; for a key, every record is shown anyway.")
    }
    if sender { throw ValidationError("--sender needs an account; for a key, every record is shown with its sender.") }
  }

  func execute() throws(Failure) -> Int32 {
    let ledger = try LedgerReading(path: ledger)
    Log.warn(about: ledger.history)
    let days = ledger.order.booked
    var nights = ledger.history.runs.filter { booked.contain(days[$0.id]) }.map {
      Night($0, ledgerOnly: ledgerOnly)
    }
    let found = FoundNights(format)
    let failure =
      if let account {
        try find(account: account, in: &nights, ledger, found)
      } else {
        try find(key: Array(what.utf8), in: &nights, ledger, found)
      }
    if found.isEmpty {
      if batch.isEmpty {
        Log.notice("no batch given (--batch FILE...): customId and memo were not looked at; only batches have them")
      }
      Log.error("nothing found" + (ledgerOnly ? " in the ledger; no reports were read" : ": \(Night.summary(nights))"))
    } else if !ledgerOnly, nights.contains(where: { $0.state != .present }) {
      Log.warning(Night.summary(nights))
    }
    return failure?.exitCode ?? (found.isEmpty ? 1 : 0)
  }

  private func find(
    key: [UInt8], in nights: inout [Night], _ ledger: LedgerReading, _ found: FoundNights
  ) throws(Failure) -> Failure? {
    let ways = try MoneyWays(ledger, ledgerOnly: ledgerOnly)
    var failure: Failure?
    var contents: ContentsSearch?
    if let reference = PaymentReference(key.span), let paid = try ledger.paidOut(reference) {
      if payments {
        contents = ContentsSearch(paid)
        failure = try look([contents!], in: &nights, found)
      }
      try ReferenceSearch(paid: paid, ledgerOnly: ledgerOnly, paidOut: ways.way(ofReturned: paid)).show(found)
    }
    if let adjusted = try ledger.adjustment(what) {
      try AdjustmentSearch(found: adjusted, ledgerOnly: ledgerOnly).show(found)
    }
    var keys = PayKey.isValid(key.span) ? [what] : []
    if !batch.isEmpty {
      var search = BatchSearch(what)
      try search.read(batch)
      try search.show(found)
      if search.unlisted > 0 {
        Log.warning("\(search.unlisted) more payments have it; the first \(BatchSearch.most) are shown")
      }
      for payment in search.found where !keys.contains(payment.payKey) { keys.append(payment.payKey) }
    }
    var searches: [any NightSearch] = []
    for key in keys { searches.append(KeySearch(key, try ledger.history(of: Array(key.utf8)), ways)) }
    if !searches.isEmpty { failure = try look(searches, in: &nights, found) ?? failure }
    guard let unbalanced = contents?.failure else { return failure }
    Log.report(unbalanced)
    return failure ?? unbalanced
  }

  private func find(
    account: [UInt8], in nights: inout [Night], _ ledger: LedgerReading, _ found: FoundNights
  ) throws(Failure) -> Failure? {
    let books = !booked.areGiven ? try ledger.books(of: account) : []
    let received = AccountSearch(account, listsPayments: payments)
    let sent = SenderSearch(account, listsPayments: payments)
    var failure = try look(sender ? [received, sent] : [received], in: &nights, found)
    let hasReceived = !found.isEmpty || books.contains { $0.entries.contains { $0.kind == .run } }
    if !sender, !hasReceived { failure = try look([sent], in: &nights, found) ?? failure }
    try AccountBalances(account: account, books: books).show(found)
    return failure
  }

  /// Searches the nights, and marks those whose reports cannot be read.
  ///
  /// - Returns: the first failure to read reports, which is reported.
  private func look(
    _ searches: [any NightSearch], in nights: inout [Night], _ found: FoundNights
  ) throws(Failure) -> Failure? {
    let threads = min(8, SettlementOptions.defaultThreads)
    var searches = searches
    var failure: Failure?
    for night in nights.indices {
      for search in searches.indices {
        do throws(Failure) {
          try searches[search].look(at: nights[night], nights[night].reports(threads: threads), found)
        } catch {
          if error.kind == .brokenPipe { throw error }
          // The other nights may still have the answer, and the ledger has some of it.
          Log.report(error)
          failure = failure ?? error
          nights[night].state = .unreadable
          try searches[search].look(at: nights[night], nil, found)
        }
      }
    }
    for search in searches { try search.finish(found) }
    return failure
  }
}
