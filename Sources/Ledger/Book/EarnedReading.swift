import ExactArithmetic
import Failures
import FileSystem
import Money
import SQLite

/// What some runs gave each account, and what the terms of a payout held, one account and currency after the other.
///
/// Memory grows with the lists, by some 60 KB each, not with the accounts. The ledger must not be written meanwhile.
public final class EarnedReading {
  /// The account and currency whose amounts come next; valid until they are passed on.
  public private(set) var account: [UInt8] = []
  public private(set) var currency = Currency.all[0]
  /// Whether there are no more.
  public var isAtEnd: Bool { merge.next == nil }

  private let database: Database
  private var merge: Merge<AccountStream>

  /// - Parameters:
  ///   - runs: their amounts come from places 0, 1 and so on.
  ///   - payout: one whose lists are kept: what it delayed and reserved comes from the two places after them.
  init(_ database: Database, _ runs: [RunEntry], heldBy payout: PayoutEntry?) throws {
    self.database = database
    var lists = runs.map { (AccountList(kind: .run, number: $0.number), $0.balanceCount ?? 0) }
    if let payout {
      lists += ListKind.held.map { (AccountList(kind: $0, number: payout.number), payout.counts[$0] ?? 0) }
    }
    merge = try Merge(lists.map { try AccountStream(database, $0, count: $1) })
    setNext()
  }

  private func setNext() {
    guard let (_, stream) = merge.next else { return }
    account.replaceSubrange(account.indices, with: stream.account)
    currency = stream.currency
  }

  /// Negative, zero or positive if the next account and currency come before, equal, or come after others.
  public func compare(_ other: Span<UInt8>, _ otherCurrency: Currency) -> Int {
    let account = account
    let order = account.span.compare(other)
    return order == 0 ? Int(currency.index) - Int(otherCurrency.index) : order
  }

  /// Passes on the amounts of the next account and currency, and goes on to the one after it.
  public func pass(_ take: (_ place: Int, _ amount: ExactDecimal) -> Void) throws(Failure) {
    try database.telling {
      let account = account
      while let (place, stream) = merge.next, stream.compare(account.span, currency) == 0 {
        take(place, stream.amount)
        try merge.advance()
      }
      setNext()
    }
  }
}

/// What a run gave some accounts. Ask in ascending order of account and currency: lists are long, and not all is read.
public final class EarnedLookup {
  private let database: Database
  private let lookup: AccountLookup
  /// Where the account was that was asked for last.
  private var stream: AccountStream?

  init(_ database: Database, _ run: RunEntry) throws {
    self.database = database
    lookup = try AccountLookup(database, AccountList(kind: .run, number: run.number), count: run.balanceCount ?? 0)
  }

  /// What it gave an account in a currency; nil for nothing.
  public func amount(of account: Span<UInt8>, _ currency: Currency) throws(Failure) -> ExactDecimal? {
    try database.telling { try lookup.seek(account, currency, in: &stream) ? stream!.amount : nil }
  }
}

extension Ledger {
  /// What a run gave some accounts.
  public func earnedLookup(_ run: RunEntry) throws(Failure) -> EarnedLookup {
    try database.telling { try EarnedLookup(database, run) }
  }

  /// What some runs gave each account.
  ///
  /// - Parameter payout: one that ``lastHolding()`` returned.
  public func earned(in runs: [RunEntry], heldBy payout: PayoutEntry? = nil) throws(Failure) -> EarnedReading {
    try database.telling { try EarnedReading(database, runs, heldBy: payout) }
  }

  /// The last payout, if the ledger keeps what its terms held. It is the last in book order, too: the changes of balances
  /// that are read for the next payout are those since.
  public func lastHolding() throws(Failure) -> PayoutEntry? {
    try read { database in
      let payouts = try PayoutEntry.inBookOrder(database)
      guard let last = payouts.last, last.number == payouts.map(\.number).max() else { return nil }
      let isKept = try ListKind.held.allSatisfy { kind in
        try last.counts[kind].map { try AccountList(kind: kind, number: last.number).isKept(database, count: $0) }
          ?? false
      }
      return isKept ? last : nil
    }
  }
}

extension LedgerReading {
  /// What some runs gave each account.
  public func earned(in runs: [RunEntry]) throws(Failure) -> EarnedReading {
    try database.telling { try EarnedReading(database, runs, heldBy: nil) }
  }
}
