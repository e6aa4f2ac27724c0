import Bookkeeping
import ExactArithmetic
import Failures
import Ledger
import Money
import Documents
import Version

/// What is still unpaid in a currency.
public struct UnpaidBalances: Sendable {
  public let currency: Currency
  /// The number of balances above zero.
  public internal(set) var accounts: Int
  /// Their sum.
  public internal(set) var amount: ExactDecimal
}

/// A payout that was made before.
extension Payout {
  /// What is unpaid now, by currency.
  func unpaid() throws(Failure) -> [UnpaidBalances] {
    var all: [Currency: UnpaidBalances] = [:]
    let book = try ledger.ledger.balances(until: ledger.ledger.lastRun)
    while try book.next() {
      if book.closing.isZero || book.closing.isNegative { continue }
      let none = UnpaidBalances(
        currency: book.currency, accounts: 0, amount: .zero(at: -book.currency.settlementExponent))
      all[book.currency, default: none].accounts += 1
      all[book.currency]!.amount.add(book.closing)
    }
    return all.values.sorted { $0.currency < $1.currency }
  }

  /// The figures of a payout whose files are at the output; nil if they cannot be read.
  func figures(of payout: PayoutEntry) throws(Failure) -> PayoutFigures? {
    guard let audit = try? PayoutAudit(path: options.output!) else { return nil }
    try audit.readBalances()
    guard let summary = audit.summary, summary.number == payout.number else { return nil }
    var figures = PayoutFigures(payout, summary, oldestDebt: audit.oldestDebt)
    try date(&figures.oldestDebt)
    return figures
  }

  /// Why nothing is published again: no payout has this identity. Names the last payout and what differs.
  func notMade(_ last: PayoutEntry?, until: Int) -> Failure {
    let nothing =
      "\(ledger.shown): --republish publishes an earlier payout again, and no payout has these dates and files"
    guard let last else { return .usage("\(nothing): the ledger has no payout") }
    guard let asked = files.identity(options, until: until) else {
      return files.failure ?? .usage("\(nothing): the payees file has faults")
    }
    let then = last.identity
    let options: [(name: String, then: String?, now: String?)] = [
      ("--date", then.date, asked.date), ("--execution-date", then.executionDate, asked.executionDate),
      ("--until", "\(then.untilRun)", "\(asked.untilRun)"),
      ("--since", then.since.map { "\($0)" }, asked.since.map { "\($0)" }),
      ("--minimum", then.minimums, asked.minimums),
      ("--no-payments", then.hasNoPayments ? "" : nil, asked.hasNoPayments ? "" : nil),
    ]
    let files = [
      ("payees", then.payees, asked.payees), ("returned", then.returned, asked.returned),
      ("adjustments", then.adjustments, asked.adjustments),
      ("terms", then.terms, asked.terms), ("debtor", then.debtor, asked.debtor),
    ]
    let differing =
      options.filter { $0.then != $0.now && !($0.name == "--since" && last.isAdopted) }.map {
        $0.name == "--no-payments" && $0.then != nil
          ? $0.name : "\($0.name) \($0.then.flatMap { $0.isEmpty ? nil : $0 } ?? "was not given")"
      }
      + files.filter { $0.1 != $0.2 }.map { name, then, now in
        then == nil ? "no --\(name)" : "another \(name) file\(now == nil ? "" : " (SHA-256 \(then!))")"
      }
    return .usage(
      "\(nothing). Payout \(last.number) of \(then.date), the last, was made with \(differing.joined(separator: ", "))")
  }

  /// Publishes the files of a payout again: copied if they still exist unchanged, else made again.
  func publishAgain(_ payout: PayoutEntry, _ earlier: [PayoutEntry]) throws(Failure) -> PayoutResult {
    let place = try freePlace()
    let faulty = try readFaults(before: payout, firstRun: payout.firstRun, until: payout.untilRun)
    if let faulty { return faulty }
    return try ledger.making(place, replaces: false) { () throws(Failure) in
      let directory = try newDirectory()
      let isCopied = payout.isPublished ? try payout.knownFiles!.copy(to: directory) : false
      if isCopied {
        try directory.complete()
      } else {
        _ = try write(
          subject(
            payout.number, payout.identity, firstRun: payout.firstRun, ledgerID: payout.ledger, earlier: earlier,
            entered: payout),
          in: directory, PayoutLists(beside: directory.place))
      }
      guard isCopied || Self.sameMoney(directory.sums, payout.sums) else {
        throw .configuration(
          payout.isAdopted
            ? "payout \(payout.number) was adopted, and from the ledger as it is now its files cannot be made again. "
              + "Nothing was published: put its directory back from a copy"
            : "payout \(payout.number) was made with version \(payout.engine) of settle; version "
              + "\(SettleVersion.number) makes other files. Nothing was published")
      }
      try ledger.publishAgain(payout, directory, isCopied: isCopied, note: note)
      return .earlier(FoundEntry(payout, .publishedAgain), try figures(of: payout), unpaid: [])
    }
  }

  /// Whether two directories have the same files, apart from the summary, which names the engine.
  private static func sameMoney(_ sums: String, _ others: String) -> Bool {
    func money(_ sums: String) -> [Substring] {
      sums.split(separator: "\n").filter { !$0.hasSuffix("  \(PayoutReport.summary.fileName)") }
    }
    return money(sums) == money(others)
  }
}
