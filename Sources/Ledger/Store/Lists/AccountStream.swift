import ExactArithmetic
import FileSystem
import Money
import SQLite
import Text

/// Reads the entries of a list in order, block by block; throws if a block is missing or is not what was written.
final class AccountStream {
  /// Passes on the bytes of a block, by its place; false after the last.
  typealias Blocks = (_ place: Int, _ take: (Span<UInt8>, AccountBlock.Head) throws -> Void) throws -> Bool

  /// The account of the current entry; valid until the next one.
  private(set) var account: [UInt8] = []
  private(set) var currency = Currency.all[0]
  private(set) var amount = ExactDecimal.zero
  /// The number of entries up to and including the current one.
  private(set) var number = 0

  private let blocks: Blocks
  private let expected: Int
  /// The kind of the list, and the notes of the current block.
  let kind: ListKind
  private var notes = ListKind.Notes.none
  private var text: [UInt8] = []
  /// The next block.
  private var place = 0
  /// The number of blocks read.
  private(set) var blocksRead = 0
  private var left = 0
  private var (key, figure, noteEnd) = (0, 0, 0)
  private var noteRange = 0..<0

  /// A list in the ledger.
  ///
  /// - Parameters:
  ///   - count: the number of entries that it must have.
  ///   - place: the block to begin with.
  init(_ database: Database, _ list: AccountList, count: Int, from place: Int = 0) throws {
    let find = try BlockTable.accounts.between(database)
    blocks = { place, take in
      let id = list.id(place)
      var isThere = false
      try find.forEach(id, id) { row in
        let content = try AccountBlock.content(row.bytes(1), id: id)
        try take(content, AccountBlock.head(content))
        isThere = true
        return false
      }
      return isThere
    }
    expected = count
    kind = list.kind
    self.place = place
  }

  /// Entries that are not in the ledger yet.
  init(_ entries: AccountEntries) {
    var bytes: [UInt8] = []
    blocks = { place, take in
      guard place < entries.starts.count - 1 else { return false }
      try entries.read(place, into: &bytes)
      try take(bytes.span, AccountBlock.head(bytes.span))
      return true
    }
    expected = entries.count
    kind = entries.kind
  }

  /// What the current entry adds to a balance; negative if it takes something.
  var change: ExactDecimal { kind.effect == .takes ? -amount : amount }
  /// The note of the current entry.
  var note: ArraySlice<UInt8> { text[noteRange] }

  /// Goes to the next entry; false after the last.
  func next() throws -> Bool {
    if left == 0, try !readBlock() { return false }
    left -= 1
    number += 1
    let (shared, rest) = (Int(text[key]), Int(text[key + 1]))
    guard shared <= account.count, key + 2 + rest < text.count else { throw AccountBlock.damaged }
    let code = text[key + 2 + rest]
    // Most entries have the currency of the one before.
    guard let found = code == currency.ledgerNumber ? currency : Currency(ledgerNumber: code) else {
      throw AccountBlock.damaged
    }
    account.removeLast(account.count - shared)
    account.append(text.span.extracting(key + 2..<key + 2 + rest))
    currency = found
    key += rest + 3
    try readAmount()
    try readNote()
    return true
  }

  private func readBlock() throws -> Bool {
    var count = 0
    let isThere = try blocks(place) { bytes, head in
      // Reading may begin at any block.
      if number == 0 { number = Int(head.first) }
      let packed = bytes.extracting(droppingFirst: AccountBlock.headLength)
      guard head.first == number, head.keys + head.amounts <= head.text,
        PackedText.read(packed, length: head.text, into: &text)
      else { throw AccountBlock.damaged }
      (key, figure, noteEnd) = (0, Int(head.keys), Int(head.keys + head.amounts))
      // Payments of earlier versions have no notes.
      notes = noteEnd == text.count ? .none : kind.notes
      count = Int(head.count)
    }
    guard isThere else {
      guard number == expected else { throw AccountBlock.damaged }
      return false
    }
    place += 1
    blocksRead += 1
    left = count
    return count > 0
  }

  private func readNote() throws {
    switch notes {
    case .none: noteRange = 0..<0
    case .fixed(let length): noteRange = noteEnd..<noteEnd + length
    case .variable:
      guard noteEnd < text.count else { throw AccountBlock.damaged }
      noteRange = noteEnd + 1..<noteEnd + 1 + Int(text[noteEnd])
    }
    guard noteRange.upperBound <= text.count else { throw AccountBlock.damaged }
    if notes != .none { noteEnd = noteRange.upperBound }
  }

  private func readAmount() throws {
    let number = Varint.read { () -> UInt8? in
      guard figure < text.count else { return nil }
      defer { figure += 1 }
      return text[figure]
    }
    guard let number else { throw AccountBlock.damaged }
    if number > 0 {
      let zigzag = number - 1
      return amount.set(
        ExactDecimal(Int(bitPattern: UInt(zigzag >> 1)) ^ -Int(zigzag & 1), exponent: -currency.settlementExponent))
    }
    guard figure + 2 <= text.count else { throw AccountBlock.damaged }
    let end = figure + 2 + Int(text[figure]) + Int(text[figure + 1]) << 8
    guard end <= text.count, let large = ExactDecimal(String(decoding: text[figure + 2..<end], as: UTF8.self)) else {
      throw AccountBlock.damaged
    }
    amount = large
    figure = end
  }

  /// Negative, zero or positive if its account comes before another one, is it, or comes after it.
  @inline(__always)
  func compare(_ other: Span<UInt8>) -> Int {
    let account = account
    return account.span.compare(other)
  }

  /// The same for its account and currency.
  @inline(__always)
  func compare(_ other: Span<UInt8>, _ otherCurrency: Currency) -> Int {
    let order = compare(other)
    return order == 0 ? Int(currency.index) - Int(otherCurrency.index) : order
  }
}

extension AccountStream: MergeSource {
  var prefix: UInt128 {
    let account = account
    return account.span.prefix
  }

  /// Compares its entry with another's, by account and currency.
  func compare(_ other: AccountStream) -> Int {
    let account = other.account
    return compare(account.span, other.currency)
  }
}
