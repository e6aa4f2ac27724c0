import Documents
import ExactArithmetic
import Failures
import FileSystem
import Ledger
import Money
import Synchronization
import Threads

/// The rows of accounts in the `settlement.csv` of some nights, sorted outside memory.
///
/// Each thread reads a night at a time and has a sorter of its own.
final class NightPayments {
  /// A night whose rows are read, and its place in the order of runs and payouts.
  typealias Night = (place: Int, run: RunEntry)

  private let naming: NightNaming
  private let runs: [Int: RunEntry]
  /// Whether rows that are not asked for may be passed over.
  private let mayPassOver: Bool
  private var rows: Merge<SortedRecords>
  private var row = ReportRow()

  init(
    _ nights: [Night], of asked: AskedAccounts, _ naming: NightNaming, _ reading: NightReading, mayPassOver: Bool
  ) throws(Failure) {
    (self.naming, self.mayPassOver) = (naming, mayPassOver)
    runs = Dictionary(uniqueKeysWithValues: nights.map { ($0.place, $0.run) })
    let sorters = try Self.read(nights, asked, naming, reading)
    var sorted: [SortedRecords] = []
    for sorter in sorters { sorted.append(try sorter.records.sorted()) }
    rows = try Merge(sorted)
  }

  private final class Sorter: @unchecked Sendable {  // One thread uses it, then the caller.
    let records: ExternalSorter

    /// One account has few rows; and its statement is made in little memory.
    init(_ spool: SpoolFile, isSmall: Bool) {
      records = ExternalSorter(
        PaymentLine.order, runLength: isSmall ? 6 << 20 : 24 << 20, pieceMemory: isSmall ? 2 << 20 : 8 << 20
      ) { () throws(Failure) in spool }
    }
  }

  private static func read(
    _ nights: [Night], _ asked: AskedAccounts, _ naming: NightNaming, _ reading: NightReading
  ) throws(Failure) -> [Sorter] {
    var sorters: [Sorter] = []
    for _ in 0..<max(1, min(reading.threads, nights.count)) {
      sorters.append(Sorter(try reading.makeSpool(), isSmall: asked.few != nil))
    }
    let taken = Atomic(0)
    let first = FirstFailure<Failure>()
    WorkerThreads.run(sorters.count) { [sorters] worker in
      while true {
        let night = taken.add(1, ordering: .relaxed).oldValue
        guard night < nights.count else { return }
        first.perform(at: night) { () throws(Failure) in
          try naming.of(nights[night].run) { () throws(Failure) in
            let report = try NightReport(.settlement, of: nights[night].run)
            var block = SettlementBlock(asked, place: nights[night].place)
            try report.forEachBlock { text throws(Failure) in try block.take(text, to: sorters[worker].records) }
            try report.finish()
          }
        }
      }
    }
    try first.check()
    return sorters
  }

  /// Passes on the rows of an account and currency in a night, in the order of the file. Call in the order of account,
  /// currency and place.
  ///
  /// Throws unless they add up to the figures.
  ///
  /// - Parameters:
  ///   - figures: the fields `payments` to `refund_net` of its row of `receivers.csv`.
  ///   - balance: the balance before them.
  func forEach(
    of account: [UInt8], _ currency: Currency, at place: Int, figures: ArraySlice<UInt8>, from balance: ExactDecimal,
    _ take: (NightPayment) throws(Failure) -> Void
  ) throws(Failure) {
    var sums = PaymentSums(currency)
    var balance = balance
    while let (_, next) = rows.next {
      let order = next.withCurrent { PaymentLine($0).compare(account.span, currency, place) }
      if order > 0 { break }
      if order < 0 {
        try passOver(next)
        continue
      }
      next.withCurrent { row.split(PaymentLine($0).fields) }
      guard let amounts = Self.amounts(row, currency) else { throw fault(place, account, currency) }
      balance.add(amounts[3])
      let payment = NightPayment(row: row, amounts: amounts, balance: balance)
      sums.add(payment)
      try take(payment)
      try rows.advance()
    }
    guard sums.text.elementsEqual(figures) else { throw fault(place, account, currency) }
  }

  /// Throws if a row is left that was not asked for.
  func finish() throws(Failure) {
    if !mayPassOver, let (_, next) = rows.next { try passOver(next) }
  }

  private func passOver(_ records: SortedRecords) throws(Failure) {
    guard mayPassOver else {
      let (account, currency, place) = records.withCurrent { record in
        let line = PaymentLine(record)
        return ([UInt8](line.account), line.currency, line.place)
      }
      throw fault(place, account, currency)
    }
    try rows.advance()
  }

  private func fault(_ place: Int, _ account: [UInt8], _ currency: Currency) -> Failure {
    let run = runs[place]!
    let folder = OutputPlace.shown(FileName.string(run.directory))
    return naming.failure(
      run,
      "\(folder)/settlement.csv: the rows of \(String(decoding: account, as: UTF8.self)) \(currency.code) do not add up to "
        + "that of receivers.csv")
  }

  private static func amounts(_ row: ReportRow, _ currency: Currency) -> [ExactDecimal]? {
    guard row.count == 8 else { return nil }
    var amounts: [ExactDecimal] = []
    amounts.reserveCapacity(4)
    for place in 0..<4 {
      guard let amount = ReportField.amount(row[place], currency) else { return nil }
      amounts.append(amount)
    }
    return amounts
  }
}

/// The figures of an account's rows in a night.
private struct PaymentSums {
  private var payments = 0
  private var refunds = 0
  /// `gross`, `passed_on`, `fee` and `net` of payments, and `net` of refunds.
  private var sums: [ExactDecimal]

  init(_ currency: Currency) {
    sums = Array(repeating: ExactDecimal.zero(at: -currency.settlementExponent), count: 5)
  }

  mutating func add(_ payment: NightPayment) {
    if payment.isRefund {
      refunds += 1
      sums[4].add(payment.net)
    } else {
      payments += 1
      for place in 0..<4 { sums[place].add(payment.amounts[place]) }
    }
  }

  /// As `receivers.csv` writes them.
  var text: [UInt8] {
    let amounts = sums.map { ",\($0)" }
    return Array("\(payments)\(amounts[..<4].joined()),\(refunds)\(amounts[4])".utf8)
  }
}
