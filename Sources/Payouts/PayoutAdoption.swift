import BatchRun
import ExactArithmetic
import FileSystem
import FoundationEssentials
import Glibc
import JSON
import Ledger
import Money
import Reports
import SystemPackage
import Text

extension Payout {
  /// Enters the payout that a directory holds, under its own number: a ledger that is lost is made again.
  ///
  /// Throws if the directory is not as it was published, or if a return or payment does not fit the balances.
  /// - Returns: the payout's number.
  public static func adopt(
    _ path: String, ledger: String, note: @escaping (String) -> Void
  ) throws(RunFailure) -> Int {
    let ledger = try open(ledger, note: note)
    guard ledger.ledger.lastRun > 0 else { throw .usage("\(ledger.shown): the ledger has no run yet") }
    let adoption = try PayoutAdoption(path, ledger)
    let (entry, figures) = try adoption.read()
    return try ledger.making(adoption.place, replaces: false, adopts: true) { () throws(RunFailure) in
      try ledger.publishPayout(nil, exitCode: 0, note: note) { () throws(LedgerFailure) in
        try ledger.ledger.enter(
          entry, number: figures.number, payments: adoption.payments, returns: adoption.returns,
          closings: adoption.closings)
        return figures.number
      }
    }
  }
}

/// A published payout that is compared with the balances of a ledger.
private struct PayoutAdoption {
  let place: OutputPlace
  let payments: AccountEntries
  let returns: AccountEntries
  let closings: AccountEntries
  private let directory: Directory
  private let ledger: RunLedger
  private let shown: String

  init(_ path: String, _ ledger: RunLedger) throws(RunFailure) {
    shown = OutputPlace.shown(path)
    self.ledger = ledger
    guard let standing = try RunLedger.standing(at: path) else {
      throw .unreadable("\(shown): there is no such directory")
    }
    place = standing
    do throws(Errno) {
      directory = try place.parent.directory(place.name)
    } catch {
      throw .unreadable("\(shown): cannot be opened: \(error)")
    }
    payments = try asRunFailure(AccountEntries(beside: place))
    returns = try asRunFailure(AccountEntries(beside: place, hasNotes: true))
    closings = try asRunFailure(AccountEntries(beside: place, hasNotes: true))
  }

  private func unfit(_ what: String) -> RunFailure { .inputOutput("\(shown): \(what); nothing was entered") }

  private func text(_ name: String) throws(RunFailure) -> [UInt8] {
    do throws(Errno) {
      return try OpenFile(directory.open(name, O_RDONLY | O_NONBLOCK), shown: shown).bytes(atMost: 1 << 24)
    } catch {
      throw unfit("\(name) cannot be read: \(error)")
    }
  }

  /// What the ledger is to keep of the payout.
  func read() throws(RunFailure) -> (PayoutEntry, PayoutFigures) {
    let sums = String(decoding: try text(ReportKind.sums), as: UTF8.self)
    let names = Set(sums.split(separator: "\n").map { String($0.dropFirst(66)) })
    guard PayoutReport.allCases.allSatisfy({ names.contains($0.fileName) }), names.allSatisfy(PayoutReport.isFile)
    else {
      throw unfit("it is not the directory of a payout")
    }
    if let name = try asRunFailure(KnownReports(in: directory, sums: sums).difference(shown: shown)) {
      throw unfit("\(name) is not as it was published")
    }
    guard let tree = try? JSONTree(parsing: text(PayoutReport.summary.fileName)), let said = SaidPayout(tree) else {
      throw unfit("\(PayoutReport.summary.fileName) does not describe a payout")
    }
    let earlier = try ledger.calling(ledger.ledger.payouts())
    try expectPlace(said, earlier)
    try takeReturns(said, until: earlier.last?.number ?? 0)
    let (totals, exitCode) = try takeBalances(said)
    let figures = totals.figures(said.number, after: earlier.last, [])
    guard figures.totals.map(\.entry) == said.totals else { throw unfit("its totals are not those of the ledger") }
    let entry = PayoutEntry(
      time: Date.now.formatted(.iso8601), engine: said.engine, identity: said.identity, firstRun: said.since,
      ledger: said.ledger, isAdopted: true, exitCode: exitCode, achFiles: said.achFiles, totals: said.totals,
      directory: FileName.bytes(try asRunFailure(place.absolutePath())), sums: sums)
    return (entry, figures)
  }

  /// Throws unless the payout comes after those of the ledger, directly after a run that it has.
  private func expectPlace(_ said: SaidPayout, _ earlier: [NumberedPayout]) throws(RunFailure) {
    let last = earlier.last
    guard said.number > last?.number ?? 0 else {
      throw unfit("it holds payout \(said.number), and the ledger has payout \(last?.number ?? 0)")
    }
    guard (last?.entry.untilRun ?? 1)...ledger.ledger.lastRun ~= said.identity.untilRun else {
      throw unfit("it was made up to run \(said.identity.untilRun), and the ledger has run \(ledger.ledger.lastRun)")
    }
    let first = try ledger.calling(ledger.ledger.firstRun())
    guard last == nil ? said.since >= first : said.since == first else {
      throw unfit("it counts runs from \(said.since) on, and the ledger from \(first) on")
    }
  }

  /// Gives the fields of each row.
  private func forEachRow(
    _ report: PayoutReport, _ take: ([UnsafeBufferPointer<UInt8>]) throws(RunFailure) -> Void
  ) throws(RunFailure) {
    let rows = try PublishedRows(report, in: directory, shown: shown)
    while let fields = try rows.next() { try take(fields) }
  }

  private func takeReturns(_ said: SaidPayout, until last: Int) throws(RunFailure) {
    let lookup = try ledger.calling(ledger.ledger.paymentLookup())
    var booked = Set<PaymentReference>()
    try asRunFailure(
      ledger: ledger.shown, lookup.forEachReturn(until: last) { note, _, _ in booked.insert(note.reference) })
    var all: [(note: ReturnNote, payment: BookedPayment)] = []
    try forEachRow(.returned) { fields throws(RunFailure) in
      guard let reference = PaymentReference(fields[0]), all.last.map({ $0.note.reference < reference }) ?? true,
        !booked.contains(reference),
        let payment = try asRunFailure(ledger: ledger.shown, lookup.payment(reference)),
        fields[2].elementsEqual(payment.account), fields[3].elementsEqual(payment.currency.code.utf8),
        fields[4].elementsEqual(payment.amount.description.utf8)
      else { throw unfit("a return does not fit the payments of the ledger") }
      all.append((ReturnNote(reference: reference, reason: String(decoding: fields[1], as: UTF8.self)), payment))
    }
    try returns.append(all)
  }

  private func takeBalances(_ said: SaidPayout) throws(RunFailure) -> (RunningTotals, exitCode: Int32) {
    let book = try asRunFailure(
      ledger: ledger.shown,
      ledger.ledger.balances(until: said.identity.untilRun, returns: returns, firstRun: said.since))
    let paid = try PublishedRows(.payouts, in: directory, shown: shown)
    let carried = try PublishedRows(.carried, in: directory, shown: shown)
    var (totals, count, exitCode) = (RunningTotals(), 0, Int32(0))
    var (payment, balance) = (try paid.next(), try carried.next())
    while try asRunFailure(ledger: ledger.shown, book.next()) {
      totals.take(book)
      if book.balance.isZero { continue }
      if let fields = payment, book.isAt(fields[1], fields[2]) {
        count += 1
        guard PaymentReference(fields[0]) == PaymentReference(payout: said.number, number: count),
          fields[3].elementsEqual(book.balance.description.utf8), !book.balance.isNegative
        else { throw unfit("a payment does not fit the balances of the ledger") }
        totals.pay(book)
        try asRunFailure(payments.append(book.account, book.currency, book.balance))
        payment = try paid.next()
      } else {
        guard let fields = balance, book.isAt(fields[0], fields[1]),
          fields[2].elementsEqual(book.balance.description.utf8), fields[4].elementsEqual("\(book.since)".utf8),
          let reason = CarriedReason(rawValue: String(decoding: fields[3], as: UTF8.self))
        else { throw unfit("a balance is neither paid nor carried as the ledger has it") }
        totals.carry(book, reason)
        if reason.needsAction { exitCode = 1 }
        try asRunFailure(
          closings.append(book.account, book.currency, book.balance, note: AccountBook.sinceNote(book.since)))
        balance = try carried.next()
      }
    }
    guard payment == nil, balance == nil else { throw unfit("it has a balance that the ledger does not have") }
    for list in [payments, closings] { try asRunFailure(list.finish()) }
    return (totals, exitCode)
  }
}

/// The rows of a published CSV file that was verified.
private final class PublishedRows {
  private let lines: InputLines
  private let columns: [String]
  private let shown: String
  @exclusivity(unchecked) private var record = CSVRecord()

  init(_ report: PayoutReport, in directory: Directory, shown: String) throws(RunFailure) {
    columns = report.columns
    self.shown = "\(shown)/\(report.fileName)"
    do throws(Errno) {
      lines = try InputLines(
        OpenFile(directory.open(report.fileName, O_RDONLY | O_NONBLOCK), shown: self.shown))
    } catch {
      throw .inputOutput("\(self.shown): cannot be read: \(error)")
    }
    guard let header = try next(), zip(header, columns).allSatisfy({ $0.elementsEqual($1.utf8) }) else {
      throw .inputOutput("\(self.shown): the header is another one")
    }
  }

  /// The fields of the next row, good until the one after it; nil after the last.
  func next() throws(RunFailure) -> [UnsafeBufferPointer<UInt8>]? {
    do throws(Errno) {
      guard try lines.next() else { return nil }
    } catch {
      throw .inputOutput("\(shown): cannot be read: \(error)")
    }
    guard record.split(lines.line), record.fields.count == columns.count else {
      throw .inputOutput("\(shown):\(lines.number): expected a row of \(columns.count) fields")
    }
    return record.fields
  }
}

extension BookReading {
  fileprivate func isAt(_ account: UnsafeBufferPointer<UInt8>, _ currency: UnsafeBufferPointer<UInt8>) -> Bool {
    Currency.find(currency) == self.currency && account.elementsEqual(self.account)
  }
}

extension AccountEntries {
  /// Takes all returns of a payout, in any order.
  func append(_ returns: [(note: ReturnNote, payment: BookedPayment)]) throws(RunFailure) {
    let sorted = returns.sorted { left, right in
      if left.payment.account != right.payment.account {
        return left.payment.account.lexicographicallyPrecedes(right.payment.account)
      }
      return (left.payment.currency, left.note.reference) < (right.payment.currency, right.note.reference)
    }
    for (note, payment) in sorted {
      try payment.account.withUnsafeBufferPointer { account throws(RunFailure) in
        try asRunFailure(append(account, payment.currency, payment.amount, note: note.bytes))
      }
    }
    try asRunFailure(finish())
  }
}

/// What `payouts.json` says of a payout.
private struct SaidPayout {
  let number: Int
  let ledger: String
  let since: Int
  let engine: String
  let identity: PayoutIdentity
  let totals: [PayoutEntry.Total]
  let achFiles: Int

  /// Nil if something is missing.
  init?(_ tree: JSONTree) {
    guard let payout = tree["payout"], let number = payout["number"]?.count, let ledger = payout["ledger"]?.string,
      let date = payout["date"]?.string, let executionDate = payout["executionDate"]?.string,
      let since = payout["since"]?.count, let until = payout["until"]?.count,
      let engine = tree["engine"]?["version"]?.string, let payees = tree["inputs"]?["payees"]?["sha256"]?.string,
      let minimum = tree["minimum"]?.fields, let totals = tree["totals"]?.elements, let files = tree["files"]?.elements
    else { return nil }
    (self.number, self.ledger, self.since, self.engine) = (number, ledger, since, engine)
    identity = PayoutIdentity(
      date: date, executionDate: executionDate, untilRun: until, since: nil,
      minimums: minimum.map { "\($0.name)=\($0.value.string ?? "")" }.joined(separator: ","), payees: payees,
      returned: tree["inputs"]?["returned"]?["sha256"]?.string, debtor: tree["inputs"]?["debtor"]?["sha256"]?.string)
    achFiles = files.count { $0["method"]?.string == PayoutMethod.ach.rawValue }
    self.totals = totals.map { total in
      func text(_ key: String) -> String { total[key]?.string ?? "" }
      return PayoutEntry.Total(
        currency: text("currency"), opening: text("opening"), settled: text("settled"), returned: text("returned"),
        paid: text("paid"), closing: text("closing"), carried: text("carried"), owing: text("owing"),
        instructions: total["instructions"]?.count ?? -1, accountsCarried: total["accountsCarried"]?.count ?? -1,
        accountsOwing: total["accountsOwing"]?.count ?? -1)
    }
  }
}
