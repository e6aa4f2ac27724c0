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

  /// The list, starting at the last block that does not begin after what is searched for.
  private func stream(_ beginsAfter: (AccountBlock.First) -> Bool) throws -> AccountStream {
    var (lower, upper) = (0, blocks)
    while upper - lower > 1 {
      let middle = (lower + upper) / 2
      if beginsAfter(try first(of: middle)) { upper = middle } else { lower = middle }
    }
    return try AccountStream(database, list, count: count, from: lower)
  }

  /// The first entry of a block.
  private func first(of place: Int) throws -> AccountBlock.First {
    let id = list.id(place)
    var first: AccountBlock.First?
    try BlockTable.accounts.between(database).forEach(id, id) { row in
      first = try AccountBlock.first(AccountBlock.content(row.bytes(1), id: id))
      return false
    }
    guard let first else { throw AccountBlock.damaged }
    return first
  }

  /// Passes on each entry of an account, in order.
  func forEach(_ account: [UInt8], _ take: (AccountStream) throws -> Void) throws {
    // Entries of one account may begin in the block before.
    let stream = try stream { $0.compare(account.span, Currency.all[0]) >= 0 }
    while try stream.next() {
      let order = stream.compare(account.span)
      if order > 0 { return }
      if order == 0 { try take(stream) }
    }
  }

  /// Reads on to the first entry of an account and currency; false if the list has none. Call in ascending order.
  ///
  /// - Parameter stream: where the previous one was looked for; nil at the beginning.
  func seek(_ account: Span<UInt8>, _ currency: Currency, in stream: inout AccountStream?) throws -> Bool {
    var steps = 0
    while true {
      // Reading a few hundred entries is as fast as searching.
      if stream == nil || steps == 500 {
        stream = try self.stream { $0.compare(account, currency) >= 0 }
        guard try stream!.next() else { return false }
      }
      let order = stream!.compare(account, currency)
      if order >= 0 { return order == 0 }
      guard stream!.number < count, try stream!.next() else { return false }
      steps += 1
    }
  }

  /// Reads on to the entry with a number, counted from 1; false if the list has no such entry.
  ///
  /// - Parameter stream: where the previous entry was found, if it was in this list; reused if that helps.
  func find(_ number: Int, in stream: inout AccountStream?) throws -> Bool {
    guard number <= count else { return false }
    // At most a few hundred entries further on: reading them is as fast as searching.
    if stream.map({ $0.number > number || number - $0.number > 2_000 }) ?? true {
      stream = try self.stream { $0.number > number }
    }
    while stream!.number < number { guard try stream!.next() else { throw AccountBlock.damaged } }
    return true
  }
}
