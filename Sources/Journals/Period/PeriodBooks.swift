import BatchRun
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
///
/// They take the whole book, which may begin before the file. Of what comes before, they keep which accounts had a
/// posting, and the sums.
final class PeriodBooks {
  private let days: ClosedRange<JournalDay>
  /// The first day of the book.
  private let bookDay: JournalDay
  private let format: JournalFormat
  private let place: OutputPlace
  private let account: JournalAccount
  private let directive: JournalDirective
  /// The declarations of receivers.
  private let receivers: SpooledText
  /// The transactions after the opening balances.
  private let body: SpooledText
  private let assertions: SpooledText
  /// The opening balances of the book, by currency.
  private var openings: [Currency: (text: SpooledText, sum: WideAmount, total: ExactDecimal)] = [:]
  /// What the accounts that are not a receiver's have, in parts, by currency.
  private var sums: [BookAccount: [Currency: WideAmount]] = [:]
  /// The highest part of each currency's amounts.
  private var highestParts: [Currency: Int] = [:]
  /// The accounts of `sums` with a posting in the file.
  private var posted: Set<BookAccount> = []
  /// What had a posting in the book before the file: accounts of `sums`, and the highest part of each currency.
  private var earlier: (accounts: Set<BookAccount>, highestParts: [Currency: Int]) = ([], [:])
  /// Whether what is appended is in the file, not before it.
  private(set) var isInFile: Bool
  /// The number of transactions in the file so far.
  private(set) var transactions = 0

  /// - Parameters:
  ///   - bookDay: the first day of the book, that of the file or earlier.
  ///   - days: those of the file.
  init(
    since bookDay: CalendarDay, _ days: ClosedRange<CalendarDay>, _ format: JournalFormat, beside place: OutputPlace
  ) throws(Failure) {
    self.bookDay = JournalDay(bookDay)
    self.days = JournalDay(days.lowerBound)...JournalDay(days.upperBound)
    isInFile = bookDay == days.lowerBound
    (self.format, self.place, account) = (format, place, JournalAccount(format: format))
    directive = JournalDirective(format: format, days: self.days)
    receivers = try SpooledText(beside: place)
    body = try SpooledText(beside: place)
    assertions = try SpooledText(beside: place)
  }

  // MARK: Receivers

  /// A receiver with an entry in the book.
  private struct Receiver {
    let account: [UInt8]
    /// Whether it has a posting in the book before the file, in any currency.
    var isEarlier = false
    /// Whether it has one in the file.
    var isPosted = false
  }

  /// Takes the opening balances, and declares receivers and asserts their balances if they have a posting in the file.
  ///
  /// - Parameters:
  ///   - book: the entries of the whole book.
  ///   - start: the place in entry order at which the file begins.
  func addReceivers(_ book: BookReading, from start: Int) throws(Failure) {
    var receiver = Receiver(account: [])
    while try book.next() {
      if book.account != receiver.account {
        declare(receiver)
        receiver = Receiver(account: book.account)
      }
      try open(book)
      let (isOpened, changes) = (!book.opening.isZero, book.changes)
      if isOpened && !isInFile || changes.first.map({ $0.place! < start }) == true { receiver.isEarlier = true }
      guard isOpened && isInFile || changes.last.map({ $0.place! >= start }) == true else { continue }
      if !receiver.isPosted {
        receiver.isPosted = true
        directive.beginBalances(to: &assertions.text.buffer)
      }
      directive.appendBalance(closingParts(book), book.currency, to: &assertions.text.buffer) {
        appendReceiver(receiver.account[...], to: &$0)
      }
      try receivers.text.flushIfFull()
      try assertions.text.flushIfFull()
    }
    declare(receiver)
    for (currency, opening) in openings.sorted(by: { $0.key < $1.key }) {
      append(
        .opening, format == .beancount ? opening.sum.parts : [opening.total], currency, to: &opening.text.text.buffer)
      if isInFile { transactions += 1 }
    }
  }

  private func declare(_ receiver: Receiver) {
    guard receiver.isPosted, !receiver.isEarlier else { return }
    directive.appendDeclaration(of: .receiver, receiver.account.span, to: &receivers.text.buffer)
  }

  /// The balance to assert at the end of the book, in the parts in which it came about.
  private func closingParts(_ book: BookReading) -> [ExactDecimal] {
    guard format == .beancount else { return [-book.closing] }
    var sum = WideAmount()
    sum.add(-book.opening)
    for change in book.changes { sum.add(-change.amount) }
    return sum.parts
  }

  private func open(_ book: BookReading) throws(Failure) {
    guard !book.opening.isZero else { return }
    let currency = book.currency
    if openings[currency] == nil {
      let text = try SpooledText(beside: place)
      begin(bookDay, "opening balances \(currency.code)", to: &text.text.buffer)
      openings[currency] = (text, WideAmount(), .zero(at: -currency.settlementExponent))
    }
    openings[currency]!.sum.add(book.opening)
    openings[currency]!.total.add(book.opening)
    let text = openings[currency]!.text.text
    appendReceiver(book.account[...], -book.opening, currency, to: &text.buffer)
    try text.flushIfFull()
  }

  // MARK: Transactions

  /// Begins the file: what was appended so far is the book before it, unless the book begins with the file.
  func beginFile() {
    if isInFile { return }
    earlier = (Set(sums.keys), highestParts)
    isInFile = true
  }

  /// Begins a transaction after the opening balances.
  func begin(_ day: CalendarDay, _ description: String) throws(Failure) {
    guard isInFile else { return }
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
      if isInFile { posted.insert(account) }
    }
    append(parts, currency, to: &text) { $0.append(account.name(format)) }
  }

  private func append(
    _ parts: [ExactDecimal], _ currency: Currency, to text: inout TextBuffer, name: (inout TextBuffer) -> Void
  ) {
    for number in parts.indices.reversed() where !parts[number].isZero {
      highestParts[currency] = max(highestParts[currency] ?? 0, number)
      guard isInFile else { continue }
      text.append(format == .beancount ? "  " : "    ")
      name(&text)
      text.append("  ")
      text.append(parts[number])
      text.append(" ")
      text.append(WideAmount.name(currency.code, part: number))
      text.append("\n")
    }
  }

  // MARK: The end

  /// Appends what comes before the transactions, up to the declarations of receivers.
  func appendHead(to text: inout TextBuffer) {
    let book = bookDay < days.lowerBound ? " of the book since \(bookDay)" : ""
    text.append("; Books from \(days.lowerBound) to \(days.upperBound)\(book), by settle \(BatchRun.version).\n")
    let new = highestParts.sorted { $0.key < $1.key }.map { currency, highest in
      (currency: currency, parts: (earlier.highestParts[currency].map { $0 + 1 } ?? 0)..<highest + 1)
    }
    directive.appendCommodities(new.filter { !$0.parts.isEmpty }, to: &text)
    if posted.isEmpty { return }
    text.append("\n")
    appendDeclarations(to: &text) { $0 < receiverPrefix }
  }

  /// Asserts the balances of all other accounts: beancount accepts a transaction that is wrong by a tenth of a unit.
  private func assertOthers() {
    for (name, account) in posted.map({ ($0.name(format), $0) }).sorted(by: { $0.0 < $1.0 }) {
      for (currency, sum) in sums[account]!.sorted(by: { $0.key < $1.key }) {
        directive.appendBalance(sum.parts, currency, to: &assertions.text.buffer) { $0.append(name) }
      }
    }
  }

  private var receiverPrefix: String { format == .beancount ? "Liabilities:Receivers:" : "liabilities:receivers:" }

  /// Appends the declarations of some of the accounts that are not a receiver's.
  private func appendDeclarations(to text: inout TextBuffer, _ belongs: (String) -> Bool) {
    for name in posted.subtracting(earlier.accounts).map({ $0.name(format) }).sorted() where belongs(name) {
      directive.appendDeclaration(to: &text) { $0.append(name) }
    }
  }

  /// The files whose texts follow the head. Nothing can be appended afterwards.
  func finish() throws(Failure) -> [SpoolFile] {
    appendDeclarations(to: &receivers.text.buffer) { $0 > receiverPrefix }
    if format == .beancount {
      assertOthers()
      body.text.buffer.append("\n")
    }
    let opened = bookDay < days.lowerBound ? [] : openings.sorted { $0.key < $1.key }.map(\.value.text)
    let all = [receivers] + opened + [body, assertions]
    for each in all { try each.text.flush() }
    return all.map(\.spool)
  }
}
