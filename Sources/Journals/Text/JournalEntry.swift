import BatchFile
import ExactArithmetic
import Money
import Settlement

/// A settled payment as a transaction, on its way from a worker to the journal: its length, its day, then its text
/// without the day, which is the settlement day where the payment has none of its own.
struct JournalEntry {
  /// The bytes in front of the text.
  static let stampLength = 12

  /// The length of the text.
  let length: Int
  /// The payment's own day; nil where it does not say when it was made.
  let day: JournalDay?
  /// Whether amounts in it are written in parts.
  let hasParts: Bool

  /// Reads what stands in front of a text.
  init(_ bytes: UnsafePointer<UInt8>) {
    let stamp = UnsafeRawPointer(bytes)
    length = Int(stamp.loadUnaligned(as: UInt32.self))
    day = JournalDay(number: stamp.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    hasParts = stamp.loadUnaligned(fromByteOffset: 8, as: UInt32.self) != 0
  }

  private init(length: Int, day: JournalDay?, hasParts: Bool) {
    self.length = length
    self.day = day
    self.hasParts = hasParts
  }

  private func write(to bytes: UnsafeMutablePointer<UInt8>) {
    let stamp = UnsafeMutableRawPointer(bytes)
    stamp.storeBytes(of: UInt32(length), as: UInt32.self)
    stamp.storeBytes(of: day?.number ?? 0, toByteOffset: 4, as: UInt32.self)
    stamp.storeBytes(of: hasParts ? 1 : 0, toByteOffset: 8, as: UInt32.self)
  }
}

extension JournalEntry {
  /// Appends the transaction of the settled payment that the assessor holds.
  static func append(_ assessor: borrowing PaymentAssessor, _ format: JournalFormat, to text: inout TextBuffer) {
    let start = text.count
    _ = text.reserve(stampLength)
    text.advance(by: stampLength)
    if format == .beancount {
      text.append(" * \"")
      text.append(assessor.payKey.bytes, count: assessor.payKey.count)
      text.append("\"\n")
    } else {
      text.append(UInt8(ascii: " "))
      text.append(assessor.payKey.bytes, count: assessor.payKey.count)
      text.append(UInt8(ascii: "\n"))
    }
    let hasParts = format == .beancount && isWide(assessor)
    if hasParts {
      appendParts(assessor, to: &text)
    } else {
      appendPostings(assessor, format, to: &text)
    }
    let entry = JournalEntry(
      length: text.count - start - stampLength, day: assessor.createdAt.map { JournalDay($0) }, hasParts: hasParts)
    entry.write(to: text.bytes + start)
  }

  /// The pay key in an entry's text: behind the first space of an hledger or ledger entry, the quote of a beancount one.
  static func payKey(_ text: UnsafeBufferPointer<UInt8>, _ format: JournalFormat) -> String {
    let key = text.dropFirst(format == .beancount ? 4 : 1).prefix { $0 != 0x0A && $0 != UInt8(ascii: "\"") }
    return String(decoding: key, as: UTF8.self)
  }

  private static func appendPostings(
    _ assessor: borrowing PaymentAssessor, _ format: JournalFormat, to text: inout TextBuffer
  ) {
    let account = JournalAccount(format: format)
    let posting = JournalPosting(format: format, currency: assessor.currency.unsafelyUnwrapped)
    var paid = assessor.senderAmount
    paid.add(assessor.senderFees)
    paid.negate()
    posting.begin(&text)
    account.append(.sender, assessor.sender.bytes, count: assessor.sender.count, to: &text)
    posting.end(paid, to: &text)
    for place in 0..<assessor.receiverCount {
      let receiver = assessor.receiver(place)
      if receiver.pointee.net.isZero { continue }
      posting.begin(&text)
      account.append(.receiver, receiver.pointee.account, count: receiver.pointee.accountLength, to: &text)
      posting.end(receiver.pointee.net, to: &text)
    }
    if assessor.fees.isZero { return }
    posting.begin(&text)
    account.appendFees(to: &text)
    posting.end(assessor.fees, to: &text)
  }
}

extension JournalEntry {
  private static func isWide(_ assessor: borrowing PaymentAssessor) -> Bool {
    if WideAmount.isWide(assessor.fees) { return true }
    for place in 0..<assessor.receiverCount where WideAmount.isWide(assessor.receiver(place).pointee.net) {
      return true
    }
    return false
  }

  /// Appends postings in parts; the sender's parts are the sums of the others', so that each part balances for itself.
  private static func appendParts(_ assessor: borrowing PaymentAssessor, to text: inout TextBuffer) {
    let account = JournalAccount(format: .beancount)
    let posting = JournalPosting(format: .beancount, currency: assessor.currency.unsafelyUnwrapped)
    var paid = WideAmount()
    paid.add(assessor.fees)
    for place in 0..<assessor.receiverCount { paid.add(assessor.receiver(place).pointee.net) }
    posting.append(paid, isNegative: true, to: &text) { text in
      account.append(.sender, assessor.sender.bytes, count: assessor.sender.count, to: &text)
    }
    for place in 0..<assessor.receiverCount {
      let receiver = assessor.receiver(place)
      var net = WideAmount()
      net.add(receiver.pointee.net)
      posting.append(net, isNegative: false, to: &text) { text in
        account.append(.receiver, receiver.pointee.account, count: receiver.pointee.accountLength, to: &text)
      }
    }
    var fees = WideAmount()
    fees.add(assessor.fees)
    posting.append(fees, isNegative: false, to: &text) { account.appendFees(to: &$0) }
  }
}
