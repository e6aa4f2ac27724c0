import ExactArithmetic
import FileSystem
import Foundation
import Money
@testable import SQLite
import TestSupport
import Testing

@testable import Ledger

@Suite("Balances as they were before any run or payout")
struct BookReadingTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private typealias Key = BalanceModel.Key

  /// A course of runs and payouts, and the model at each place in book order.
  private struct Course {
    /// After each run and the payouts made up to it: the run, the last payout, and the model.
    var places: [(run: Int, before: Int, model: BalanceModel)] = []
    var model = BalanceModel()
    var payments: [(reference: PaymentReference, key: Key, amount: ExactDecimal, account: BankAccountDigest?)] = []
    /// The last payment of each account and currency.
    var last: [Key: PaymentReference] = [:]
    var adjustments: [String: ExactDecimal] = [:]
    var payouts = 0
    var closing: [Currency: ExactDecimal] = [:]
  }

  private func entries(_ ledger: Ledger, _ kind: ListKind) throws -> AccountEntries {
    try AccountEntries(kind, beside: OutputPlace(path: ledger.path + ".balances"))
  }

  private func append(
    _ amounts: [(key: BalanceModel.Key, amount: ExactDecimal, note: [UInt8])], to entries: AccountEntries
  ) throws {
    for (key, amount, note) in amounts {
      try entries.append(key.account.span, key.currency, amount, note: note)
    }
    try entries.finish()
  }

  private static func amount(_ currency: Currency, _ generator: inout SeededGenerator) -> ExactDecimal {
    let exponent = -currency.settlementExponent
    // Some beyond 64 bits.
    if Int.random(in: 0..<40, using: &generator) == 0 {
      let digits = (0..<Int.random(in: 19...60, using: &generator)).map { _ in Int.random(in: 1...9, using: &generator)
      }
      let text = digits.map(String.init).joined() + (exponent < 0 ? "." + String(repeating: "7", count: -exponent) : "")
      return ExactDecimal(Bool.random(using: &generator) ? "-" + text : text)!
    }
    // Small ones, so that sums are often zero.
    let coefficient = Int.random(in: -5...20, using: &generator)
    return ExactDecimal(coefficient == 0 ? 1 : coefficient, exponent: exponent)
  }

  private func enterRun(
    _ course: inout Course, _ ledger: Ledger, accounts: Int, _ generator: inout SeededGenerator
  ) throws {
    let run = ledger.lastRun + 1
    var amounts: [(key: Key, amount: ExactDecimal, note: [UInt8])] = []
    for account in 0..<accounts where Int.random(in: 0..<3, using: &generator) > 0 {
      for currency in Currency.all.prefix(3) where Bool.random(using: &generator) {
        let key = Key(account: Array("account\(account)@shop.example".utf8), currency: currency)
        amounts.append((key, Self.amount(currency, &generator), []))
      }
    }
    amounts.sort { $0.key < $1.key }
    let balances = try entries(ledger, .run)
    try append(amounts, to: balances)
    var night = Night(run, keys: [])
    night.balances = balances
    #expect(try night.enter(ledger) == run)
    for (key, amount, _) in amounts { course.model.add(amount, to: key, run: run) }
    course.places.append((run, course.payouts + 1, course.model))
  }

  /// Enters a payout of some balances, with returns of some earlier payments.
  ///
  /// - Parameters:
  ///   - until: the run it is made up to; nil for the last one. The course is as after that run.
  ///   - isWithdrawn: whether it is never published.
  private func enterPayout(
    _ course: inout Course, _ ledger: Ledger, until: Int? = nil, isWithdrawn: Bool = false,
    _ generator: inout SeededGenerator
  ) throws {
    let (run, number) = (until ?? ledger.lastRun, course.payouts + 1)
    var totals: [PayoutTotal] = []
    var returned: [(key: Key, amount: ExactDecimal, note: [UInt8])] = []
    course.payments.removeAll { payment in
      guard Int.random(in: 0..<8, using: &generator) == 0 else { return false }
      let note = ReturnNote(reference: payment.reference, reason: "AC04")
      returned.append((payment.key, payment.amount, note.bytes))
      return true
    }
    returned.sort { ($0.key, PaymentReference(note: $0.note)) < ($1.key, PaymentReference(note: $1.note)) }
    let (returns, adjustments) = (try entries(ledger, .returns), try entries(ledger, .adjustments))
    let (payments, closings) = (try entries(ledger, .payments), try entries(ledger, .closings))
    try append(returned, to: returns)
    for (key, amount, _) in returned { course.model.add(amount, to: key, run: run) }
    var adjusted: [(key: Key, amount: ExactDecimal, note: [UInt8])] = []
    for key in course.model.balances.keys.sorted() where Int.random(in: 0..<6, using: &generator) == 0 {
      let note = AdjustmentNote(key: "K\(number)-\(adjusted.count)", reason: "decided")
      adjusted.append((key, Self.amount(key.currency, &generator), note.bytes))
    }
    adjusted.sort { $0.key < $1.key }
    try append(adjusted, to: adjustments)
    for (key, amount, note) in adjusted {
      course.model.add(amount, to: key, run: run)
      course.adjustments[try AdjustmentNote(note[...]).key] = amount
    }
    // The pass of a payout must find the same balances.
    let book = try ledger.balances(until: run, new: [returns, adjustments])
    #expect(try Self.read(book).map(\.key) == course.model.balances.keys.sorted())
    var paid: [(key: Key, amount: ExactDecimal, note: [UInt8])] = []
    for (key, balance) in course.model.balances.sorted(by: { $0.key < $1.key })
    where !balance.amount.isNegative && Int.random(in: 0..<4, using: &generator) > 0 {
      // One payout in three has no bank accounts, as those of earlier versions.
      let account = number % 3 == 0 ? nil : BankAccountDigest(key.account + [UInt8(number)])
      // Some pay all but a unit.
      let unit = ExactDecimal(magnitude: 1, exponent: balance.amount.exponent)
      let isPart = balance.amount > unit && Int.random(in: 0..<4, using: &generator) == 0
      let amount = isPart ? balance.amount - unit : balance.amount
      paid.append((key, amount, account?.note ?? []))
      course.payments.append((PaymentReference(payout: number, number: paid.count), key, amount, account))
      course.last[key] = PaymentReference(payout: number, number: paid.count)
    }
    try append(paid, to: payments)
    for (key, amount, _) in paid {
      var negative = amount
      negative.negate()
      course.model.add(negative, to: key, run: run)
    }
    try append(
      course.model.balances.sorted { $0.key < $1.key }.map { ($0, $1.amount, AccountBook.sinceNote($1.since)) },
      to: closings)
    for currency in Currency.all.prefix(3) {
      let place = Int(currency.index)
      let opening = course.closing[currency] ?? .zero(at: -currency.settlementExponent)
      course.closing[currency] = closings.sums[place]
      let settled =
        closings.sums[place] + payments.sums[place] - returns.sums[place] - opening
        - adjustments.sums[place]
      var total = PayoutTotal(currency)
      (total.opening, total.settled, total.returned) = (opening, settled, returns.sums[place])
      total.adjusted = adjustments.sums[place]
      (total.paid, total.closing, total.carried) = (payments.sums[place], closings.sums[place], closings.sums[place])
      totals.append(total)
    }
    let entry = PayoutEntry(
      number: number, time: "", engine: "", identity: .sample(number, until: run), firstRun: 1, ledger: "",
      isAdopted: false,
      exitCode: 0, achFiles: 0, totals: totals,
      directory: Array("/payout-\(number)".utf8), sums: "")
    try ledger.begin(directory: [0x2F], replaces: false)
    func enter() throws {
      _ = try ledger.enter(
        entry, [.payments: payments, .returns: returns, .adjustments: adjustments, .closings: closings])
    }
    try enter()
    // One in three loses its directory before it is published, and is made again.
    if isWithdrawn || Int.random(in: 0..<3, using: &generator) == 0 {
      try ledger.withdrawEntered()
      try ledger.end()
      if isWithdrawn { return }
      try ledger.begin(directory: [0x2F], replaces: false)
      try enter()
    }
    try ledger.end()
    course.payouts = number
    course.places.append((run, number + 1, course.model))
  }

  private static func read(_ book: BookReading) throws -> [(key: Key, balance: BalanceModel.Balance)] {
    var found: [(key: Key, balance: BalanceModel.Balance)] = []
    while try book.next() {
      if book.closing.isZero { continue }
      found.append(
        (
          Key(account: book.account, currency: book.currency),
          BalanceModel.Balance(amount: book.closing, since: book.since)
        ))
    }
    return found
  }

  @Test("random courses: each balance at each place, each account's entries, payments by reference, and the check")
  func courses() throws {
    var generator = SeededGenerator()
    for round in 0..<6 {
      let ledger = try folder.ledger("ledger-\(round)")
      var course = Course()
      let accounts = round == 0 ? 4_000 : Int.random(in: 1...60, using: &generator)
      for _ in 0..<(round == 0 ? 4 : 12) {
        if ledger.lastRun == 0 || Int.random(in: 0..<3, using: &generator) > 0 {
          try enterRun(&course, ledger, accounts: accounts, &generator)
        } else {
          try enterPayout(&course, ledger, &generator)
        }
      }
      try enterPayout(&course, ledger, &generator)
      if round % 2 == 1 { try enterRun(&course, ledger, accounts: accounts, &generator) }
      for (run, before, model) in course.places {
        let payout = try ledger.payouts().first { $0.number == before }
        let found = try Self.read(ledger.balances(until: run, before: payout))
        #expect(found.map(\.key) == model.balances.keys.sorted(), "\(generator.reproduction)")
        #expect(found.map(\.balance) == found.map { model.balances[$0.key] }, "\(generator.reproduction)")
      }
      let lookup = try ledger.payoutLookup()
      for (reference, key, amount, account) in course.payments {
        let payment = try lookup.payment(reference)
        #expect(payment?.account == key.account && payment?.amount == amount, "\(generator.reproduction)")
        #expect(try lookup.bankAccount(reference) == account, "\(generator.reproduction)")
      }
      for (key, reference) in course.last {
        #expect(try lookup.lastPayment(to: key.account, key.currency) == reference, "\(generator.reproduction)")
      }
      let booked = try ledger.payoutLookup().all(AdjustmentNote.self)
      #expect(booked.mapValues(\.change.amount.amount) == course.adjustments, "\(generator.reproduction)")
      #expect(try lookup.payment(PaymentReference(payout: course.payouts, number: 1_000_000)) == nil)
      _ = consume lookup
      let path = ledger.path
      _ = consume ledger
      #expect(try LedgerCheck(ledger: path).findings == [], "\(generator.reproduction)")
      let reading = try LedgerReading(path: path)
      for account in 0..<min(accounts, 60) {
        let account = Array("account\(account)@shop.example".utf8)
        for book in try reading.books(of: account) {
          let balance = course.model.balances[Key(account: account, currency: book.currency)]
          #expect(book.balance == balance?.amount ?? .zero && book.since == balance?.since, "\(generator.reproduction)")
          #expect(book.entries.last?.balance == book.balance)
        }
      }
      try expectSameInEntryOrder(reading, course, generator.reproduction)
      try expectSameContents(reading, accounts: accounts, generator.reproduction)
    }
  }

  /// The contents of each payment, and the ways of what runs gave, are read from a few lists. They must be those of all
  /// entries of the account.
  private func expectSameContents(_ reading: LedgerReading, accounts: Int, _ seed: String) throws {
    let (runs, payouts) = (reading.history.runs, reading.history.payouts)
    func book(_ account: [UInt8], _ currency: Currency) throws -> AccountBook {
      try reading.books(of: account, showsRefused: false).first { $0.currency == currency }!
    }
    for payout in payouts {
      let transfers = try reading.transfers(reading.bookOrder(until: payout))
      var count = 0
      while let (account, currency, transfer) = try transfers.next() {
        count += 1
        #expect(transfer.reference == PaymentReference(payout: payout.number, number: count), "\(seed)")
        let amounts = transfer.entries.reduce(transfer.opening) { $0 + $1.amount } + transfer.payment.amount
        #expect(amounts == transfer.carried, "\(seed)")
        guard accounts <= 60 || count % 100 == 1 else { continue }
        let other = try #require(book(account, currency).transfer(transfer.reference))
        #expect((transfer.previous, transfer.opening) == (other.previous, other.opening), "\(seed)")
        #expect(transfer.entries.map(\.id) == other.entries.map(\.id), "\(seed)")
        #expect(transfer.entries.map(\.balance) == other.entries.map(\.balance), "\(seed)")
      }
      #expect(count == payout.payments, "\(seed)")
    }
    let trace = try reading.moneyTrace()
    let lastPaid = payouts.last!.bookedRun
    func run(_ entry: AccountBook.Entry) -> RunEntry? { runs.first { $0.id == entry.id } }
    for number in 0..<min(accounts, 20) {
      let account = Array("account\(number)@shop.example".utf8)
      for book in try reading.books(of: account, showsRefused: false) {
        let left = book.entries.last { run($0)?.number ?? 0 <= lastPaid }?.balance ?? .zero
        for (place, entry) in book.entries.enumerated() where entry.kind == .run {
          let run = run(entry)!
          let way = try trace.way(of: account, book.currency, from: run)
          let (references, carried) = Self.way(from: place, in: book.entries)
          #expect((way.references, way.carried) == (references, carried), "\(seed)")
          let wait: MoneyWay.Wait = run.number > lastPaid ? .noPayout : left.isZero ? .zero : .carried
          #expect(way.wait == (carried == nil ? wait : nil), "\(seed)")
        }
      }
    }
    // A first payout may count from a later run on.
    var shifted = payouts
    shifted[0].firstRun = 2
    let later = try reading.read { try MoneyTrace($0, until: reading.lastRun, shifted) }
    let way = try later.way(of: Array("account0@shop.example".utf8), Currency.all[0], from: runs[0])
    #expect(way.wait == .notCounted)
  }

  /// The payments in which an entry's money left, by all entries of the account, and what the last one carried.
  private static func way(
    from place: Int, in entries: [AccountBook.Entry]
  ) -> (references: [PaymentReference], carried: ExactDecimal?) {
    var references: [PaymentReference] = []
    var rest = entries[place...]
    while let paid = rest.firstIndex(where: { $0.transfer != nil }) {
      let reference = entries[paid].transfer!
      references.append(reference)
      let back = entries[paid...].firstIndex { entry in
        if case .returned(let note) = entry.note { note.reference == reference } else { false }
      }
      guard let back else { return (references, entries[paid].balance) }
      rest = entries[back...]
    }
    return (references, nil)
  }

  /// Everything was entered in book order here, so entry order gives the same balances at each place, from the balances
  /// that a payout left as well as from the first run.
  private func expectSameInEntryOrder(_ reading: LedgerReading, _ course: Course, _ seed: String) throws {
    let history = reading.history
    let bookings = Booking.inEntryOrder(history.runs, history.payouts, history.givenUp)
    #expect(bookings.count == course.places.count)
    for (place, (_, _, model)) in course.places.enumerated() {
      for start in [0, place / 2, place + 1] {
        let period = try reading.read { try BookReading($0, bookings, in: start..<place + 1, keepsChanges: true) }
        let before = start > 0 ? course.places[start - 1].model : BalanceModel()
        var found: [Key: BalanceModel.Balance] = [:]
        while try period.next() {
          let key = Key(account: period.account, currency: period.currency)
          if period.since > 0 { found[key] = BalanceModel.Balance(amount: period.closing, since: period.since) }
          #expect(period.opening == before.balances[key]?.amount ?? .zero, "\(seed)")
          #expect(period.changes.reduce(period.opening) { $0 + $1.amount } == period.closing, "\(seed)")
          #expect(period.changes.map { $0.place! } == period.changes.map { $0.place! }.sorted(), "\(seed)")
        }
        #expect(found == model.balances, "\(seed)")
      }
    }
  }

  @Test("a payout that is withdrawn leaves the balances of the one before it")
  func withdrawn() throws {
    var (generator, course) = (SeededGenerator(), Course())
    let ledger = try folder.ledger()
    for _ in 0..<2 {
      try enterRun(&course, ledger, accounts: 60, &generator)
      try enterPayout(&course, ledger, &generator)
    }
    var other = course
    try enterPayout(&other, ledger, isWithdrawn: true, &generator)
    #expect(try ledger.payouts().map(\.number) == [1, 2])
    let path = ledger.path
    _ = consume ledger
    #expect(try LedgerCheck(ledger: path).findings == [], "\(generator.reproduction)")
  }

  @Test("a payout that was entered after later runs than it is made up to: entry order has the balances of all")
  func enteredLater() throws {
    var (generator, course) = (SeededGenerator(), Course())
    let ledger = try folder.ledger()
    try enterRun(&course, ledger, accounts: 60, &generator)
    var later = course
    try enterRun(&later, ledger, accounts: 60, &generator)
    try enterPayout(&course, ledger, until: 1, &generator)
    let inBookOrder = try Self.read(ledger.balances(until: 2))
    let path = ledger.path
    _ = consume ledger
    let reading = try LedgerReading(path: path)
    let history = reading.history
    let bookings = Booking.inEntryOrder(history.runs, history.payouts, history.givenUp)
    #expect(bookings.map(\.id.kind) == [.run, .run, .payout])
    let found = try Self.read(reading.read { try BookReading($0, bookings, in: 3..<3) })
    #expect(found.map(\.key) == inBookOrder.map(\.key), "\(generator.reproduction)")
    #expect(found.map(\.balance.amount) == inBookOrder.map(\.balance.amount), "\(generator.reproduction)")
  }

  @Test("a block that is changed, gone or left over is found", arguments: ["changed", "gone", "left over", "short"])
  func damaged(how: String) throws {
    var generator = SeededGenerator()
    var course = Course()
    let ledger = try folder.ledger()
    for _ in 0..<2 { try enterRun(&course, ledger, accounts: 3_000, &generator) }
    try enterPayout(&course, ledger, &generator)
    let id = AccountList(kind: .run, number: 2).id(0)
    switch how {
    case "changed":
      try ledger.write { database in
        let row = try Row.fetchOne(database, sql: "SELECT entries FROM accountBlock WHERE id = ?", arguments: [id])!
        var bytes: [UInt8] = try row.value("entries")
        bytes[bytes.count / 2] ^= 1
        try database.execute(sql: "UPDATE accountBlock SET entries = ? WHERE id = ?", arguments: [bytes, id])
      }
    case "gone": try ledger.write { try $0.execute(sql: "DELETE FROM accountBlock WHERE id = ?", arguments: [id]) }
    case "short":
      try ledger.write { database in
        let last = try Int64.fetchOne(
          database, sql: "SELECT max(id) FROM accountBlock WHERE id < ?", arguments: [id + 1_000])!
        try database.execute(sql: "DELETE FROM accountBlock WHERE id = ?", arguments: [last])
      }
    default:
      try ledger.write {
        try $0.execute(sql: "UPDATE accountBlock SET id = id + 1000000 WHERE id = ?", arguments: [id])
      }
    }
    let path = ledger.path
    _ = consume ledger
    #expect(try LedgerCheck(ledger: path).findings.count == 1)
  }

  @Test("balances of a night of new accounts take at most 40 bytes a row, including the names")
  func size() throws {
    var generator = SeededGenerator()
    let ledger = try folder.ledger()
    try Night(1, keys: []).enter(ledger)
    let before = try folder.bytes(of: "ledger").count
    let balances = try entries(ledger, .run)
    let names = Set((0..<20_000).map { _ in "user\(Int.random(in: 0..<10_000_000, using: &generator))@mail.example" })
    try append(
      names.map { (Key(account: Array($0.utf8), currency: Currency.all[7]), ExactDecimal(12_345, exponent: -2), []) }
        .sorted { $0.0 < $1.0 }.map { (key: $0.0, amount: $0.1, note: []) }, to: balances)
    var night = Night(2, keys: [])
    night.balances = balances
    try night.enter(ledger)
    let bytes = try folder.bytes(of: "ledger").count - before
    #expect(bytes <= 25 * balances.count, "\(bytes / balances.count)")
  }
}

extension PaymentReference {
  fileprivate init(note: [UInt8]) { self = try! ReturnNote(note[...]).reference }
}

extension PayoutIdentity {
  static func sample(_ number: Int, until run: Int) -> PayoutIdentity {
    PayoutIdentity(
      date: "2026-11-24", executionDate: "2026-11-24", untilRun: run, since: nil, minimums: "", payees: "\(number)",
      returned: nil, debtor: nil)
  }
}
