import BatchRun
import Failures
import FileSystem
import Glibc
import LedgerRuns
import Postings
import Records

/// Journals of plain-text double entry, for hledger, ledger and beancount.
public enum Journal {
  /// Settles a batch again and writes its settled payments and refunds as a journal, front to back.
  ///
  /// Nothing is written before the whole batch has proved to be good. Until then the transactions are in an unnamed
  /// file.
  /// - Parameters:
  ///   - paths: the batch's files in order; `-` is standard input.
  ///   - settlementDay: the day of payments and refunds without a time; nil for that of the header.
  ///   - ledger: knows what earlier runs settled; opened for the same files and options.
  ///   - output: takes the journal, piece by piece.
  /// - Returns: the batch's result. Throws `usage` if a payment has no day.
  public static func write(
    _ paths: [String], as format: JournalFormat, settlementDay: UTCTime?, options: RunOptions,
    ledger: BatchLedger? = nil, progress: RunProgress? = nil,
    output: @escaping (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) -> RunResult {
    let spool = try SpoolFile(beside: OutputPlace(path: options.scratch))
    let body = JournalBody(format, settlementDay: settlementDay, spool: spool)
    let wideEntries = body.wideEntries
    let writer = EntryWriter(sums: [.receiver, .sender]) { entry, texts, fees, text in
      JournalEntry.append(entry, fees, createdAt: texts.createdAt, format, wideEntries, to: &text)
    }
    let (result, accounts) = try BatchRun.entries(
      paths, options: options, ledger: ledger, progress: progress, writer: writer, to: body)
    let frame = JournalFrame(format: format, result: result, wideEntries: wideEntries, days: body.days)
    let head = JournalText { text throws(Failure) in try output(text) }
    frame.appendHead(to: &head.buffer)
    frame.appendFeeBalances(to: &body.text.buffer)
    try append(accounts, threads: options.threads, frame, head: head, tail: body.text)
    try head.flush()
    try body.read(output)
    return result
  }

  /// Appends the declarations of all accounts to the head and the assertions of their balances to the tail.
  private static func append(
    _ accounts: AccountTotals, threads: Int, _ frame: JournalFrame, head: JournalText, tail: JournalText
  ) throws(Failure) {
    // The balances of an account in several currencies follow each other.
    var last: (side: AccountSide, account: [UInt8])?
    try accounts.visit(threads: threads) { balance throws(Failure) in
      if last?.side != balance.side || last?.account.span.isEqual(to: balance.account) == false {
        frame.appendDeclaration(of: balance, to: &head.buffer)
        frame.beginBalances(to: &tail.buffer)
        last = (balance.side, Array(balance.account))
      }
      frame.append(balance, to: &tail.buffer)
      try head.flushIfFull()
      try tail.flushIfFull()
    }
  }
}
