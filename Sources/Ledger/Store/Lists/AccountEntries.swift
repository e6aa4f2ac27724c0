import ExactArithmetic
import Failures
import FileSystem
import Money
import SQLite
import Text

/// Amounts of accounts in ascending order of account and currency, packed as the ledger stores them: what a run or a
/// payout adds to balances. Blocks go to a file without a name, so memory does not grow with the accounts.
public final class AccountEntries {
  /// The entries taken.
  public private(set) var count = 0
  /// The sum of the amounts in each currency, in the order of the codes.
  public private(set) var sums = Currency.all.map { ExactDecimal.zero(at: -$0.settlementExponent) }

  private let spool: SpoolFile
  /// Where each block begins in the file, and where the last one ends.
  private(set) var starts = [0]
  let kind: ListKind
  private var block = Pending()
  private var limit = TextLimit(24 << 10, rowLength: AccountBlock.length, in: 8 << 10...128 << 10)

  /// The block that is being made, and the entry before the next one.
  private struct Pending: ~Copyable {
    var keys = TextBuffer()
    var amounts = TextBuffer()
    var notes = TextBuffer()
    var count = 0
    /// The account of the previous entry, and its currency.
    private var last = TextBuffer()
    private var lastCurrency: Currency?

    var length: Int { keys.count + amounts.count + notes.count }

    mutating func append(_ account: Span<UInt8>, _ currency: Currency, mayRepeat: Bool) {
      let most = min(last.count, account.count)
      var shared = 0
      while shared < most, last.span[shared] == account[shared] { shared += 1 }
      let isAfter =
        shared < most
        ? last[shared] < account[shared]
        : last.count < account.count || lastCurrency.map { $0 < currency || mayRepeat && $0 == currency } ?? true
      precondition(isAfter, "accounts come in ascending order, each once in a currency")
      last.truncate(to: shared)
      last.append(account.extracting(droppingFirst: shared))
      if count == 0 { shared = 0 }
      keys.append(UInt8(shared))
      keys.append(UInt8(account.count - shared))
      keys.append(account.extracting(droppingFirst: shared))
      keys.append(currency.ledgerNumber)
      lastCurrency = currency
      count += 1
    }

    mutating func append(_ amount: ExactDecimal, _ currency: Currency) {
      precondition(
        amount.exponent == -currency.settlementExponent && !amount.isZero, "an amount with the currency's decimals")
      if let coefficient = amount.inlineCoefficient { return AccountBlock.append(coefficient, to: &amounts) }
      let text = Array(amount.description.utf8)
      amounts.append(0)
      amounts.append(littleEndian: UInt16(text.count))
      amounts.append(text.span)
    }

    mutating func removeAll() {
      keys.removeAll()
      amounts.removeAll()
      notes.removeAll()
      count = 0
    }
  }

  /// - Parameter place: the output next to which the file is made.
  public convenience init(beside place: OutputPlace) throws(Failure) { try self.init(.run, beside: place) }

  /// - Parameters:
  ///   - kind: of which list they are the entries.
  ///   - place: the output next to which the file is made.
  package init(_ kind: ListKind, beside place: OutputPlace) throws(Failure) {
    spool = try SpoolFile(beside: place)
    self.kind = kind
  }

  /// Appends the next entry.
  ///
  /// - Parameters:
  ///   - account: in lower case, as in reports; at most 255 bytes.
  ///   - amount: not zero, with exactly the currency's decimals.
  ///   - note: at most 255 bytes; entries of one account and currency come in the order of their notes. Payments have
  ///     8 bytes, or all of them none.
  public func append(
    _ account: Span<UInt8>, _ currency: Currency, _ amount: ExactDecimal, note: [UInt8] = []
  ) throws(Failure) {
    if block.length > limit.bytes { try writeBlock() }
    let hasVariableNotes = kind.notes == .variable
    Self.append(account, currency, amount, note, hasVariableNotes: hasVariableNotes, to: &block)
    sums[Int(currency.index)].add(amount)
    count += 1
  }

  private static func append(
    _ account: Span<UInt8>, _ currency: Currency, _ amount: ExactDecimal, _ note: [UInt8], hasVariableNotes: Bool,
    to block: inout Pending
  ) {
    block.append(account, currency, mayRepeat: hasVariableNotes)
    block.append(amount, currency)
    if hasVariableNotes { block.notes.append(UInt8(note.count)) }
    block.notes.append(note.span)
  }

  private func writeBlock() throws(Failure) {
    guard block.count > 0 else { return }
    let length = block.length
    let row = AccountBlock.packed(
      keys: block.keys.span, amounts: block.amounts.span, notes: block.notes.span, count: block.count,
      first: count - block.count)
    try spool.append(row.span)
    starts.append(spool.count)
    limit.adapt(text: length, row: row.count)
    block.removeAll()
  }

  /// Writes what is left. Call it once, after the last entry.
  public func finish() throws(Failure) {
    try writeBlock()
    try spool.flush()
  }

  /// Reads a block into a buffer that is reused.
  func read(_ place: Int, into bytes: inout [UInt8]) throws(Failure) {
    let range = starts[place]..<starts[place + 1]
    bytes.removeAll(keepingCapacity: true)
    try bytes.append(addingCapacity: range.count) { room throws(Failure) in try spool.read(range, into: &room) }
  }

  /// Enters all blocks as a list of the ledger.
  func insert(_ database: Database, as list: AccountList) throws {
    let insert = try BlockTable.accounts.insert(database)
    var row = TextBuffer(capacity: AccountBlock.length)
    for (place, (start, end)) in zip(starts, starts.dropFirst()).enumerated() {
      row.removeAll()
      try row.append(atMost: end - start) { room throws(Failure) in try spool.read(start..<end, into: &room) }
      let id = list.id(place)
      BlockTable.seal(&row, id: id)
      try insert.execute(id, row.span)
    }
  }
}
