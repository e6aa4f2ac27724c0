import BatchRun
import Accounts
import ExactArithmetic
import Failures
import FileSystem
import Ledger
import Money
import Records
import Text

/// A text that is written to a file without a name.
private final class SpooledText {
  let spool: SpoolFile
  let text: JournalText

  init(beside place: OutputPlace) throws(Failure) {
    let spool = try SpoolFile(beside: place)
    self.spool = spool
    text = JournalText { text throws(Failure) in try spool.append(text) }
  }
}

/// The transactions and the assertions of a period's books, in files without names until the accounts that they use are
/// known.
final class PeriodBooks {
  private let days: ClosedRange<JournalDay>
  private let format: JournalFormat
  private let place: OutputPlace
  private let account: JournalAccount
  private let directive: JournalDirective
  /// The declarations of receivers.
  private let receivers: SpooledText
  /// The transactions after the opening balances.
  private let body: SpooledText
  private let assertions: SpooledText
  /// The opening balances by currency.
  private var openings: [Currency: (text: SpooledText, sum: WideAmount, total: ExactDecimal)] = [:]
  /// What the accounts that are not a receiver's have, in parts, by currency.
  private var sums: [BookAccount: [Currency: WideAmount]] = [:]
  /// The highest part of each currency's amounts.
  private var highestParts: [Currency: Int] = [:]
  /// The number of transactions so far.
  private(set) var transactions = 0

  init(_ days: ClosedRange<CalendarDay>, _ format: JournalFormat, beside place: OutputPlace) throws(Failure) {
    self.days = JournalDay(days.lowerBound)...JournalDay(days.upperBound)
    (self.format, self.place, account) = (format, place, JournalAccount(format: format))
    directive = JournalDirective(format: format, days: self.days)
    receivers = try SpooledText(beside: place)
    body = try SpooledText(beside: place)
    assertions = try SpooledText(beside: place)
  }

  // MARK: Receivers

  /// Takes the opening balances, and asserts the balances of all receivers with a posting.
  func addReceivers(_ period: BookReading, of ledger: AccountLedger) throws(Failure) {
    var last: [UInt8] = []
    while try period.next() {
      if period.opening.isZero, period.changes.isEmpty { continue }
      if period.account != last {
        if last.isEmpty, format == .beancount { assertions.text.buffer.append("\n") }
        last = period.account
        directive.appendDeclaration(to: &receivers.text.buffer) { appendReceiver(last[...], to: &$0) }
        directive.beginBalances(to: &assertions.text.buffer)
      }
      try open(period)
      var parts = [period.closing]
      if format == .beancount {
        var sum = WideAmount()
        sum.add(period.opening)
        for change in period.changes { sum.add(change.amount) }
        parts = sum.parts
      }
      directive.appendBalance(parts, period.currency, to: &assertions.text.buffer) {
        appendReceiver(last[...], to: &$0)
      }
      try receivers.text.flushIfFull()
      try assertions.text.flushIfFull()
    }
    for (currency, opening) in openings.sorted(by: { $0.key < $1.key }) {
      append(
        .opening, format == .beancount ? opening.sum.negated.parts : [-opening.total], currency,
        to: &opening.text.text.buffer)
      transactions += 1
    }
  }

  private func open(_ period: BookReading) throws(Failure) {
    guard !period.opening.isZero else { return }
    let currency = period.currency
    if openings[currency] == nil {
      let text = try SpooledText(beside: place)
      begin(days.lowerBound, "opening balances \(currency.code)", to: &text.text.buffer)
      openings[currency] = (text, WideAmount(), .zero(at: -currency.settlementExponent))
    }
    openings[currency]!.sum.add(period.opening)
    openings[currency]!.total.add(period.opening)
    let text = openings[currency]!.text.text
    appendReceiver(period.account[...], period.opening, currency, to: &text.buffer)
    try text.flushIfFull()
  }

  // MARK: Transactions

  /// Begins a transaction after the opening balances.
  func begin(_ day: CalendarDay, _ description: String) throws(Failure) {
    begin(JournalDay(day), description, to: &body.text.buffer)
    transactions += 1
    try body.text.flushIfFull()
  }

  private func begin(_ day: JournalDay, _ description: String, to text: inout TextBuffer) {
    text.append("\n")
    day.append(to: &text)
    text.append(format == .beancount ? " * \"" : " ")
    text.append(description)
    text.append(format == .beancount ? "\"\n" : "\n")
  }

  /// Appends the posting of a receiver; an amount of zero is left out.
  func append(_ receiver: ArraySlice<UInt8>, _ amount: ExactDecimal, _ currency: Currency) throws(Failure) {
    appendReceiver(receiver, amount, currency, to: &body.text.buffer)
    try body.text.flushIfFull()
  }

  /// Appends the posting of another account; an amount of zero is left out.
  ///
  /// - Parameter parts: the amount in parts, if in beancount it balances others part by part.
  func append(_ account: BookAccount, _ amount: ExactDecimal, _ currency: Currency, parts: WideAmount? = nil) {
    let parts = format == .beancount ? parts?.parts : nil
    append(account, parts ?? self.parts(of: amount), currency, to: &body.text.buffer)
  }

  /// The parts in which an amount is written.
  private func parts(of amount: ExactDecimal) -> [ExactDecimal] {
    format == .beancount && WideAmount.isWide(amount) ? WideAmount(amount).parts : [amount]
  }

  private func appendReceiver(_ receiver: ArraySlice<UInt8>, to text: inout TextBuffer) {
    account.append(.receiver, receiver.span, to: &text)
  }

  private func appendReceiver(
    _ receiver: ArraySlice<UInt8>, _ amount: ExactDecimal, _ currency: Currency, to text: inout TextBuffer
  ) {
    append(parts(of: amount), currency, to: &text) { appendReceiver(receiver, to: &$0) }
  }

  private func append(_ account: BookAccount, _ parts: [ExactDecimal], _ currency: Currency, to text: inout TextBuffer)
  {
    for (number, part) in parts.enumerated() where !part.isZero {
      sums[account, default: [:]][currency, default: WideAmount()].add(part, at: number)
    }
    append(parts, currency, to: &text) { $0.append(account.name(format)) }
  }

  private func append(
    _ parts: [ExactDecimal], _ currency: Currency, to text: inout TextBuffer, name: (inout TextBuffer) -> Void
  ) {
    for number in parts.indices.reversed() where !parts[number].isZero {
      text.append(format == .beancount ? "  " : "    ")
      name(&text)
      text.append("  ")
      text.append(parts[number])
      text.append(" ")
      text.append(WideAmount.name(currency.code, part: number))
      text.append("\n")
      highestParts[currency] = max(highestParts[currency] ?? 0, number)
    }
  }

  // MARK: The end

  /// Appends what comes before the transactions, up to the declarations of receivers.
  func appendHead(to text: inout TextBuffer) {
    text.append("; Books from \(days.lowerBound) to \(days.upperBound), by settle \(BatchRun.version).\n")
    directive.appendCommodities(highestParts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, to: &text)
    if sums.isEmpty { return }
    text.append("\n")
    appendDeclarations(to: &text) { $0 < receiverPrefix }
  }

  /// Asserts the balances of all other accounts: beancount accepts a transaction that is wrong by a tenth of a unit.
  private func assertOthers() {
    let accounts = sums.map { (name: $0.name(format), sums: $1) }.sorted { $0.name < $1.name }
    for (name, sums) in accounts {
      for (currency, sum) in sums.sorted(by: { $0.key < $1.key }) {
        directive.appendBalance(sum.parts, currency, to: &assertions.text.buffer) { $0.append(name) }
      }
    }
  }

  private var receiverPrefix: String { format == .beancount ? "Assets:Receiver:" : "receiver:" }

  /// Appends the declarations of some of the accounts that are not a receiver's.
  private func appendDeclarations(to text: inout TextBuffer, _ belongs: (String) -> Bool) {
    for name in sums.keys.map({ $0.name(format) }).sorted() where belongs(name) {
      directive.appendDeclaration(to: &text) { $0.append(name) }
    }
  }

  /// The files whose texts follow the head. Nothing can be appended afterwards.
  func finish() throws(Failure) -> [SpoolFile] {
    appendDeclarations(to: &receivers.text.buffer) { $0 > receiverPrefix }
    if format == .beancount { assertOthers() }
    let opened = openings.sorted { $0.key < $1.key }.map(\.value.text)
    let all = [receivers] + opened + [body, assertions]
    for each in all { try each.text.flush() }
    return all.map(\.spool)
  }
}
