import Failures
import Money
import SQLite

/// The last payment of each account and currency, by the number of its payout. Ask in ascending order of account and
/// currency: then the newest lists are read once, side by side, and older ones only for those that are not in them.
public final class LastPayments {
  /// Where the last payment of an account and currency went.
  public enum Destination: Equatable {
    /// Nothing was paid yet.
    case none
    /// The ledger does not know the bank account.
    case unknown
    case known(BankAccountDigest)
  }

  private let database: Database
  /// The lists of payments, the newest first; those of payouts that were given up are adjustments.
  private let lists: [AccountLookup]
  /// Where reading is in the newest of them.
  private var streams: [AccountStream?]

  /// How many lists are read side by side: each takes some 100 KB.
  private static let mostStreams = 32

  init(_ database: Database, before end: Int) throws {
    self.database = database
    let payments = try PayoutEntry.inBookOrder(database).map {
      (list: AccountList(kind: .payments, number: $0.number), count: $0.payments)
    }
    let givenUp = try GivenUpPayout.all(database).map {
      (list: AccountList(kind: .adjustments, number: $0.number), count: $0.adjustments)
    }
    lists = try (payments + givenUp).filter { $0.count > 0 && $0.list.number < end }
      .sorted { $0.list.number > $1.list.number }
      .map { try AccountLookup(database, $0.list, count: $0.count) }
    streams = Array(repeating: nil, count: min(lists.count, Self.mostStreams))
  }

  /// Where the last payment of an account and currency went.
  ///
  /// - Parameter account: in lower case.
  public func destination(_ account: Span<UInt8>, _ currency: Currency) throws(Failure) -> Destination {
    try database.telling {
      for place in lists.indices {
        if let found = try find(account, currency, place) { return found }
      }
      return .none
    }
  }

  private func find(_ account: Span<UInt8>, _ currency: Currency, _ place: Int) throws -> Destination? {
    guard place < streams.count else {
      var stream: AccountStream?
      return try lists[place].seek(account, currency, in: &stream) ? Self.destination(stream!, lists[place]) : nil
    }
    return try lists[place].seek(account, currency, in: &streams[place])
      ? Self.destination(streams[place]!, lists[place]) : nil
  }

  private static func destination(_ stream: AccountStream, _ lookup: AccountLookup) -> Destination {
    guard lookup.list.kind == .payments else { return .unknown }
    return BankAccountDigest(note: stream.note).map(Destination.known) ?? .unknown
  }
}
