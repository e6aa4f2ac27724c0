import ExactArithmetic
import Postings
import Records
import Text

/// The head of a settled payment's or refund's text before it is written to the journal. The text is a transaction
/// without its day, which is the settlement day if the payment has no day of its own.
struct JournalEntry {
  static let stampLength = MemoryLayout<JournalEntry>.size

  /// The length of the text.
  let length: UInt32
  /// The payment's own day; nil if it has no time.
  let day: JournalDay?
  /// The payment's number among the `WideEntries`; 0 if no amount is written in parts.
  let wideNumber: UInt32

  /// Appends the transaction of a settled entry.
  ///
  /// - Parameter createdAt: when the payment was made; nil if it has no time.
  static func append(
    _ entry: SettledEntry, createdAt: UTCTime?, _ format: JournalFormat, _ wideEntries: WideEntries,
    to text: inout TextBuffer
  ) {
    let start = text.count
    _ = text.reserve(stampLength)
    text.advance(by: stampLength)
    text.append(format == .beancount ? " * \"" : " ")
    if entry.isRefund {
      text.append("refund ")
      text.append(entry.refundKey, count: entry.refundKeyLength)
      text.append(" of ")
    }
    text.append(entry.payKey, count: entry.payKeyLength)
    text.append(format == .beancount ? "\"\n" : "\n")
    var wideNumber: UInt32 = 0
    if format == .beancount && isWide(entry) {
      let shares = shares(of: entry)
      let line = JournalPosting(format: format, currency: entry.currency)
      for share in shares { line.append(share, to: &text) }
      wideNumber = wideEntries.keep(shares, entry.currency)
    } else {
      appendPostings(entry, format, to: &text)
    }
    let stamp = JournalEntry(
      length: UInt32(text.count - start - stampLength), day: createdAt.map { JournalDay($0) }, wideNumber: wideNumber)
    UnsafeMutableRawPointer(text.bytes + start).storeBytes(of: stamp, as: JournalEntry.self)
  }

  /// The name of an entry in its text: after the first space of an hledger or ledger entry, after the quote of a
  /// beancount entry.
  static func description(_ text: UnsafeBufferPointer<UInt8>, _ format: JournalFormat) -> String {
    let name = text.dropFirst(format == .beancount ? 4 : 1).prefix { $0 != 0x0A && $0 != UInt8(ascii: "\"") }
    // A key has no space.
    return (name.contains(UInt8(ascii: " ")) ? "" : "payment ") + String(decoding: name, as: UTF8.self)
  }

  private static func appendPostings(_ entry: SettledEntry, _ format: JournalFormat, to text: inout TextBuffer) {
    let account = JournalAccount(format: format)
    let line = JournalPosting(format: format, currency: entry.currency)
    for posting in entry.postings where !posting.net.isZero {
      line.begin(&text)
      account.append(posting, to: &text)
      line.end(posting.net, to: &text)
    }
    let fees = entry.fees
    if fees.isZero { return }
    line.begin(&text)
    account.appendFees(to: &text)
    line.end(fees, to: &text)
  }

  private static func isWide(_ entry: SettledEntry) -> Bool {
    WideAmount.isWide(entry.fees)
      || entry.postings.contains { $0.role != .sender && WideAmount.isWide($0.net) }
  }

  /// What a payment or refund adds to accounts. The sender's parts are the sums of the others', so that each part
  /// balances on its own.
  private static func shares(of entry: SettledEntry) -> [WideEntries.Share] {
    let account = JournalAccount(format: .beancount)
    func share(_ amount: WideAmount, _ appendName: (inout TextBuffer) -> Void) -> WideEntries.Share {
      WideEntries.Share(account: TextBuffer.string(appendName), amount: amount)
    }
    let received = entry.postings.dropFirst().map { posting in
      share(WideAmount(posting.net)) { account.append(posting, to: &$0) }
    }
    let others = received + [share(WideAmount(entry.fees)) { account.appendFees(to: &$0) }]
    var paid = WideAmount()
    for other in others {
      for (number, part) in other.amount.parts.enumerated() { paid.add(-part, at: number) }
    }
    return [share(paid) { account.append(entry.sender.pointee, to: &$0) }] + others
  }
}
