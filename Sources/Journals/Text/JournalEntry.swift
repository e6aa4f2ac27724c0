import ExactArithmetic
import Postings
import Records
import Rules
import Text

/// The head of a settled payment's or refund's text before it is written to the journal. The text is a transaction
/// without its day, which is the settlement day if the payment has no day of its own.
struct JournalEntry {
  /// The bytes of a head: three numbers of four bytes.
  static let stampLength = 3 * 4

  /// The length of the text.
  let length: UInt32
  /// The payment's own day; nil if it has no time.
  let day: JournalDay?
  /// The payment's number among the `WideEntries`; 0 if no amount is written in parts.
  let wideNumber: UInt32

  /// Reads the head that begins at a place of a text.
  init(_ text: Span<UInt8>, at place: Int) {
    length = text.littleEndian(at: place, as: UInt32.self)
    day = JournalDay(number: text.littleEndian(at: place + 4, as: UInt32.self))
    wideNumber = text.littleEndian(at: place + 8, as: UInt32.self)
  }

  /// Appends the transaction of a settled entry.
  ///
  /// - Parameter createdAt: when the payment was made; nil if it has no time.
  static func append(
    _ entry: SettledEntry, _ fees: EntryFees, createdAt: UTCTime?, _ format: JournalFormat,
    _ wideEntries: WideEntries, to text: inout TextBuffer
  ) {
    let start = text.count
    for _ in 0..<3 { text.append(littleEndian: UInt32(0)) }
    text.append(format == .beancount ? " * \"" : " ")
    if entry.isRefund {
      text.append("refund ")
      text.append(entry.refundKey)
      text.append(" of ")
    }
    text.append(entry.payKey)
    text.append(format == .beancount ? "\"\n" : "\n")
    var wideNumber: UInt32 = 0
    if format == .beancount && isWide(entry) {
      let shares = shares(of: entry, fees)
      let line = JournalPosting(format: format, currency: entry.currency)
      for share in shares { line.append(share, to: &text) }
      wideNumber = wideEntries.keep(shares, entry.currency)
    } else {
      appendPostings(entry, fees, format, to: &text)
    }
    text.set(littleEndian: UInt32(text.count - start - stampLength), at: start)
    text.set(littleEndian: createdAt.map { JournalDay($0).number } ?? 0, at: start + 4)
    text.set(littleEndian: wideNumber, at: start + 8)
  }

  /// The name of an entry in its text: after the first space of an hledger or ledger entry, after the quote of a
  /// beancount entry.
  static func description(_ text: Span<UInt8>, _ format: JournalFormat) -> String {
    let name = [UInt8](text).dropFirst(format == .beancount ? 4 : 1).prefix { $0 != 0x0A && $0 != UInt8(ascii: "\"") }
    // A key has no space.
    return (name.contains(UInt8(ascii: " ")) ? "" : "payment ") + String(decoding: name, as: UTF8.self)
  }

  private static func appendPostings(
    _ entry: SettledEntry, _ fees: EntryFees, _ format: JournalFormat, to text: inout TextBuffer
  ) {
    let account = JournalAccount(format: format)
    let line = JournalPosting(format: format, currency: entry.currency)
    for posting in entry.postings.indices where !entry.postings[posting].net.isZero {
      line.begin(&text)
      account.append(posting, of: entry, to: &text)
      line.end(-entry.postings[posting].net, to: &text)
    }
    if fees.isEmpty {
      if entry.fees.isZero { return }
      line.begin(&text)
      account.appendFees(to: &text)
      return line.end(-entry.fees, to: &text)
    }
    fees.forEachName { name, fee in
      if fee.isZero { return }
      line.begin(&text)
      account.appendFees(named: name, to: &text)
      line.end(-fee, to: &text)
    }
    let vat = fees.vat
    if vat.isZero { return }
    line.begin(&text)
    account.appendVAT(to: &text)
    line.end(-vat, to: &text)
  }

  private static func isWide(_ entry: SettledEntry) -> Bool {
    if WideAmount.isWide(entry.fees) { return true }
    for posting in 1..<entry.postings.count where WideAmount.isWide(entry.postings[posting].net) { return true }
    return false
  }

  /// What a payment or refund adds to accounts. The sender's parts are the sums of the others', so that each part
  /// balances on its own.
  private static func shares(of entry: SettledEntry, _ fees: EntryFees) -> [WideEntries.Share] {
    let account = JournalAccount(format: .beancount)
    var name = TextBuffer()
    func share(_ amount: WideAmount) -> WideEntries.Share {
      defer { name.removeAll() }
      return WideEntries.Share(account: name.string, amount: amount)
    }
    var others: [WideEntries.Share] = []
    for posting in 1..<entry.postings.count {
      account.append(posting, of: entry, to: &name)
      others.append(share(WideAmount(-entry.postings[posting].net)))
    }
    if fees.isEmpty {
      account.appendFees(to: &name)
      others.append(share(WideAmount(-entry.fees)))
    } else {
      fees.forEachName { feeName, fee in
        account.appendFees(named: feeName, to: &name)
        others.append(share(WideAmount(-fee)))
      }
      account.appendVAT(to: &name)
      others.append(share(WideAmount(-fees.vat)))
    }
    var paid = WideAmount()
    for other in others {
      for (number, part) in other.amount.parts.enumerated() { paid.add(-part, at: number) }
    }
    account.append(0, of: entry, to: &name)
    return [share(paid)] + others
  }
}
