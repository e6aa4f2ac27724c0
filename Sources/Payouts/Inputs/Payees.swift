import Ledger
import Money
import Reports
import Text

/// The payees, in the order of account and currency: about 80 bytes each, and 16 more if the file has another order.
final class Payees {
  /// The texts of a row, in their order.
  enum Text: Int, CaseIterable {
    case account, name
    /// The IBAN, or the account number.
    case number
    /// The BIC, which may be empty, or the routing number.
    case bank
    /// Its parts, with `PostalAddress.separator` between; empty without one.
    case address
    /// The reference of the payment that may be paid again; empty without one.
    case retry
  }

  /// A payee's row in memory: the head, then its texts.
  struct Head: BitwiseCopyable {
    /// The lengths of the texts.
    var lengths = SIMD8<UInt8>()
    var line: UInt32 = 0
    var currency: UInt8 = 0
    /// The place of the method; `noMethod` if the payee has none.
    var method = noMethod
    var flags: UInt8 = 0

    static let noMethod = UInt8.max
    static let (isOnHold, isSEPA, isSavings, isCompany) = (UInt8(1), UInt8(2), UInt8(4), UInt8(8))
    static let length = MemoryLayout<Head>.size
    var length: Int { start(of: Text.allCases.count) }

    var payoutMethod: PayoutMethod? { method == Self.noMethod ? nil : PayoutMethod.all[Int(method)] }

    /// Where a text begins in the row.
    func start(of text: Int) -> Int { (0..<text).reduce(Self.length) { $0 + Int(lengths[$1]) } }
  }

  private var rows = TextBuffer(capacity: 1 << 16)
  private(set) var count = 0
  /// Whether the rows came in ascending order.
  private var isSorted = true
  private var last: Int?
  /// Where the rows are, in ascending order; not used if they came in that order.
  private var order: [(word: UInt64, offset: Int)] = []
  /// The next row, by its place among all.
  private var next = 0
  /// Where it is, if the rows came in order.
  private var offset = 0

  /// Adds a payee; only account and currency if it is faulty.
  ///
  /// - Parameters:
  ///   - head: its lengths are set here.
  ///   - texts: in their order.
  /// - Returns: where its row is.
  func append(_ head: Head, _ texts: [UnsafeBufferPointer<UInt8>]) -> Int {
    var head = head
    for (place, text) in texts.enumerated() { head.lengths[place] = UInt8(text.count) }
    let start = rows.count
    let place = UnsafeMutableRawPointer(rows.reserve(head.length))
    place.storeBytes(of: head, as: Head.self)
    rows.advance(by: Head.length)
    for text in texts where !text.isEmpty { rows.append(text.baseAddress!, count: text.count) }
    if let last, !precedes(last, start) { isSorted = false }
    last = start
    count += 1
    return start
  }

  // MARK: Rows

  func head(_ offset: Int) -> Head { UnsafeRawPointer(rows.bytes + offset).loadUnaligned(as: Head.self) }

  private func text(_ text: Text, _ offset: Int) -> UnsafeBufferPointer<UInt8> {
    let head = head(offset)
    return UnsafeBufferPointer(
      start: rows.bytes + offset + head.start(of: text.rawValue), count: Int(head.lengths[text.rawValue]))
  }

  func account(_ offset: Int) -> UnsafeBufferPointer<UInt8> { text(.account, offset) }
  func name(_ offset: Int) -> UnsafeBufferPointer<UInt8> { text(.name, offset) }
  func number(_ offset: Int) -> UnsafeBufferPointer<UInt8> { text(.number, offset) }
  func bank(_ offset: Int) -> UnsafeBufferPointer<UInt8> { text(.bank, offset) }
  func address(_ offset: Int) -> UnsafeBufferPointer<UInt8> { text(.address, offset) }

  /// The payment that may be paid to the same bank account again.
  func retry(_ offset: Int) -> PaymentReference? { PaymentReference(text(.retry, offset)) }

  /// The bank account as the ledger keeps it; nil if the payee has none.
  func bankAccount(_ offset: Int) -> BankAccountDigest? {
    head(offset).payoutMethod.map { method in
      let fields = BankFormats.of(method).accountFields(number: Array(number(offset)), bank: Array(bank(offset)))
      let text = ([Array(method.name.utf8)] + fields).joined(separator: [UInt8(ascii: ",")])
      return BankAccountDigest(text.map { $0 &- 0x61 < 26 ? $0 & 0xDF : $0 })
    }
  }

  /// Negative, zero or positive if a row's account and currency come before, equal, or come after the others.
  private func compare(_ offset: Int, _ other: UnsafeBufferPointer<UInt8>, _ currency: UInt8) -> Int {
    let order = account(offset).span.compare(other.span)
    return order == 0 ? Int(head(offset).currency) - Int(currency) : order
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool { compare(left, account(right), head(right).currency) < 0 }

  // MARK: Order

  /// Sorts the rows, once all are added.
  ///
  /// - Parameter isRepeated: called with each line that repeats the account and currency of an earlier line.
  func sort(isRepeated: (Int) -> Void) {
    guard !isSorted else { return }
    order.reserveCapacity(count)
    var (offset, shared) = (0, Int.max)
    let first = account(0)
    while offset < rows.count {
      let account = account(offset)
      shared = min(shared, account.count)
      for place in 0..<min(shared, first.count) where account[place] != first[place] {
        shared = place
        break
      }
      order.append((0, offset))
      offset += head(offset).length
    }
    // Eight bytes after the beginning that all accounts share order most of them.
    for place in order.indices {
      order[place].word = account(order[place].offset).span.word(at: min(shared, first.count))
    }
    order.sort { left, right in
      if left.word != right.word { return left.word < right.word }
      let order = compare(left.offset, account(right.offset), head(right.offset).currency)
      return order == 0 ? left.offset < right.offset : order < 0
    }
    for (left, right) in zip(order, order.dropFirst())
    where left.word == right.word && !precedes(left.offset, right.offset) { isRepeated(Int(head(right.offset).line)) }
  }

  /// Makes `find` begin with the first row again.
  func startAgain() { (next, offset) = (0, 0) }

  /// The row of an account and currency, or nil. Call in ascending order.
  func find(_ account: UnsafeBufferPointer<UInt8>, _ currency: Currency) -> Int? {
    while next < count {
      let offset = isSorted ? offset : order[next].offset
      let order = compare(offset, account, currency.index)
      if order > 0 { return nil }
      if order == 0 { return offset }
      next += 1
      self.offset += isSorted ? head(offset).length : 0
    }
    return nil
  }
}
