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
  private var mayRepeat: Bool { kind.notes == .variable }
  private var keys: [UInt8] = []
  private var amounts: [UInt8] = []
  private var notes: [UInt8] = []
  private var inBlock = 0
  private var limit = TextLimit(24 << 10, rowLength: AccountBlock.length, in: 8 << 10...128 << 10)
  /// The account of the previous entry, and its currency.
  private var last: [UInt8] = []
  private var lastCurrency: Currency?

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
    if keys.count + amounts.count + notes.count > limit.bytes { try writeBlock() }
    var shared = 0
    let most = min(last.count, account.count)
    while shared < most, last[shared] == account[shared] { shared += 1 }
    let isAfter =
      shared < most
      ? last[shared] < account[shared]
      : last.count < account.count || lastCurrency.map { $0 < currency || mayRepeat && $0 == currency } ?? true
    precondition(isAfter, "accounts come in ascending order, each once in a currency")
    last.removeLast(last.count - shared)
    last.append(account.extracting(droppingFirst: shared))
    if inBlock == 0 { shared = 0 }
    keys.append(UInt8(shared))
    keys.append(UInt8(account.count - shared))
    keys.append(account.extracting(droppingFirst: shared))
    keys.append(currency.ledgerNumber)
    append(amount, currency)
    if kind.notes == .variable { notes.append(UInt8(note.count)) }
    notes += note
    lastCurrency = currency
    sums[Int(currency.index)].add(amount)
    (count, inBlock) = (count + 1, inBlock + 1)
  }

  private func append(_ amount: ExactDecimal, _ currency: Currency) {
    precondition(
      amount.exponent == -currency.settlementExponent && !amount.isZero, "an amount with the currency's decimals")
    if let coefficient = amount.inlineCoefficient { return AccountBlock.append(coefficient, to: &amounts) }
    let text = Array(amount.description.utf8)
    amounts += [0, UInt8(text.count & 0xFF), UInt8(text.count >> 8)] + text
  }

  private func writeBlock() throws(Failure) {
    guard inBlock > 0 else { return }
    let length = keys.count + amounts.count + notes.count
    let block = AccountBlock.packed(keys: keys, amounts: amounts, notes: notes, count: inBlock, first: count - inBlock)
    try spool.append(block.span)
    starts.append(spool.count)
    limit.adapt(text: length, row: block.count)
    for part in [\AccountEntries.keys, \.amounts, \.notes] { self[keyPath: part].removeAll(keepingCapacity: true) }
    inBlock = 0
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
      try insert.execute(arguments: [id, [UInt8](row.span)])
    }
  }
}
