import ExactArithmetic
import Money
import SQLite

/// Finds entries in a list without reading all of it.
struct AccountLookup {
  private let database: Database
  let list: AccountList
  private let count: Int
  private let blocks: Int

  init(_ database: Database, _ list: AccountList, count: Int) throws {
    (self.database, self.list, self.count) = (database, list, count)
    let last = try Int64.fetchOne(
      database, sql: "SELECT max(id) FROM accountBlock WHERE id BETWEEN ? AND ?",
      arguments: [list.ids.lowerBound, list.ids.upperBound])
    blocks = last.map { Int($0 - list.id(0)) + 1 } ?? 0
  }

  /// The list from the last block on that does not begin after what is looked for.
  private func stream(_ beginsAfter: (AccountStream) -> Bool) throws -> AccountStream {
    var (lower, upper) = (0, blocks)
    while upper - lower > 1 {
      let middle = (lower + upper) / 2
      let stream = try AccountStream(database, list, count: count, from: middle)
      guard try stream.next() else { throw AccountBlock.damaged }
      if beginsAfter(stream) { upper = middle } else { lower = middle }
    }
    return try AccountStream(database, list, count: count, from: lower)
  }

  /// Gives each entry of an account, in order.
  func forEach(_ account: [UInt8], _ take: (AccountStream) throws -> Void) throws {
    // Entries of one account may begin in the block before.
    let stream = try stream { stream in
      account.withUnsafeBufferPointer { stream.compare($0, Currency.all[0]) >= 0 }
    }
    while try stream.next() {
      if stream.account.elementsEqual(account) {
        try take(stream)
      } else if account.lexicographicallyPrecedes(stream.account) {
        return
      }
    }
  }

  /// Reads on to the entry of a number, counted from 1; false if the list has none.
  ///
  /// - Parameter stream: where the entry before was found, if it was in this list; it is kept where it helps.
  func find(_ number: Int, in stream: inout AccountStream?) throws -> Bool {
    guard number <= count else { return false }
    // Some hundred entries on at most: as soon read as looked for.
    if stream.map({ $0.number > number || number - $0.number > 2_000 }) ?? true {
      stream = try self.stream { $0.number > number }
    }
    while stream!.number < number { guard try stream!.next() else { throw AccountBlock.damaged } }
    return true
  }
}

/// A payment of a payout, by its reference `P<payout>-<number>`.
public struct PaymentReference: Hashable, Comparable, Sendable {
  /// The payout.
  public let payout: Int
  /// The payment's number in it, from 1.
  public let number: Int

  /// A payment's place.
  public init(payout: Int, number: Int) { (self.payout, self.number) = (payout, number) }

  /// In the order of payouts, then numbers.
  public static func < (left: PaymentReference, right: PaymentReference) -> Bool {
    (left.payout, left.number) < (right.payout, right.number)
  }

  /// As reports and bank files have it.
  public var text: String { "P\(payout)-\(number)" }
}

/// What the ledger knows of a payment.
public struct BookedPayment: Sendable {
  /// Its account.
  public let account: [UInt8]
  /// The currency of the amount.
  public let currency: Currency
  /// What was paid.
  public let amount: ExactDecimal
}

/// Looking payments of earlier payouts up.
public final class PaymentLookup {
  private let database: Database
  private let payouts: [NumberedPayout]
  private var lookup: AccountLookup?
  private var stream: AccountStream?

  init(_ database: Database) throws {
    self.database = database
    payouts = try PayoutTable.all(database)
  }

  /// A payment; nil if the ledger has none of that reference. Ask in ascending order: it costs least.
  public func payment(_ reference: PaymentReference) throws(LedgerFailure) -> BookedPayment? {
    try LedgerFailure.telling {
      guard let payout = payouts.first(where: { $0.number == reference.payout }) else { return nil }
      let list = AccountList(kind: .payments, number: reference.payout)
      if lookup?.list != list {
        (lookup, stream) = (try AccountLookup(database, list, count: payout.entry.payments), nil)
      }
      guard reference.number > 0, try lookup!.find(reference.number, in: &stream) else { return nil }
      return BookedPayment(account: Array(stream!.account), currency: stream!.currency, amount: stream!.amount)
    }
  }

  /// Gives each payment that came back, by payout in the order in which these booked them.
  ///
  /// - Parameter last: the last payout that counts.
  public func forEachReturn(
    until last: Int = .max, _ take: (ReturnNote, BookedPayment, _ bookedBy: Int) -> Void
  ) throws(LedgerFailure) {
    try LedgerFailure.telling {
      for payout in payouts where payout.number <= last && payout.entry.returns > 0 {
        let list = AccountList(kind: .returns, number: payout.number)
        let stream = try AccountStream(database, list, count: payout.entry.returns)
        while try stream.next() {
          let payment = BookedPayment(
            account: Array(stream.account), currency: stream.currency, amount: stream.amount)
          take(try ReturnNote(stream.note), payment, payout.number)
        }
      }
    }
  }
}

/// What is noted of a payment that came back.
public struct ReturnNote: Sendable {
  /// The payment.
  public let reference: PaymentReference
  /// Why it came back: 1 to 35 of `A-Z a-z 0-9 . _ -`.
  public let reason: String

  /// A payment that came back.
  public init(reference: PaymentReference, reason: String) { (self.reference, self.reason) = (reference, reason) }

  init(_ bytes: ArraySlice<UInt8>) throws(LedgerFailure) {
    guard bytes.count > 7 else { throw AccountBlock.damaged }
    let (payout, rest) = (bytes.prefix(3), bytes.dropFirst(3))
    func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
    reference = PaymentReference(payout: number(payout), number: number(rest.prefix(4)))
    reason = String(decoding: rest.dropFirst(4), as: UTF8.self)
  }

  /// As the ledger keeps it: in the order of these, so are the references.
  public var bytes: [UInt8] {
    let number = UInt64(reference.payout) << 32 | UInt64(reference.number)
    return (0..<7).map { UInt8(truncatingIfNeeded: number >> (48 - 8 * UInt64($0))) } + reason.utf8
  }
}

extension Ledger {
  /// Looks payments of earlier payouts up; nothing may be written meanwhile.
  public func paymentLookup() throws(LedgerFailure) -> PaymentLookup { try read { try PaymentLookup($0) } }
}

extension LedgerReading {
  /// Looks payments of earlier payouts up.
  public func paymentLookup() throws(LedgerFailure) -> PaymentLookup {
    try LedgerFailure.telling { try PaymentLookup(database) }
  }
}
