import Text

/// The rows of payees in memory, one after the other: each a head and its texts. A row is named by its place.
struct PayeeRows: ~Copyable {
  private var bytes = TextBuffer(capacity: 1 << 16)

  /// The place after the last row.
  var end: Int { bytes.count }

  /// - Parameter head: its lengths are set here.
  mutating func append(_ head: Payees.Head, _ texts: borrowing PayeeTexts) {
    var head = head
    head.lengths = [
      texts.account.count, texts.name.count, texts.number.count, texts.bank.count, texts.address.count,
      texts.retry.count, texts.language.count,
    ]
    .reversed().reduce(0) { $0 << 8 | UInt64(UInt8($1)) }
    bytes.append(littleEndian: head.lengths)
    bytes.append(littleEndian: head.line)
    bytes.append(head.currency)
    bytes.append(head.method)
    bytes.append(head.flags)
    bytes.append(texts.account)
    bytes.append(texts.name.span)
    bytes.append(texts.number.span)
    bytes.append(texts.bank.span)
    bytes.append(texts.address.span)
    bytes.append(texts.retry.span)
    bytes.append(texts.language.span)
  }

  func head(_ row: Int) -> Payees.Head {
    let head = bytes.span.extracting(row..<row + Payees.Head.length)
    return Payees.Head(
      lengths: head.littleEndian(at: 0, as: UInt64.self), line: head.littleEndian(at: 8, as: UInt32.self),
      currency: head[12], method: head[13], flags: head[14])
  }

  @_lifetime(borrow self)
  func text(_ text: Payees.Text, _ row: Int) -> Span<UInt8> {
    let head = head(row)
    let start = row + head.start(of: text.rawValue)
    return bytes.span.extracting(start..<start + head.length(of: text.rawValue))
  }

  /// Calls `body` with a text: for rows that an object holds.
  func with<Result>(_ text: Payees.Text, of row: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    body(self.text(text, row))
  }

  // MARK: Order

  /// Negative, zero or positive if a row's account and currency come before, equal, or come after the others.
  func compare(_ row: Int, _ account: Span<UInt8>, _ currency: UInt8) -> Int {
    let order = text(.account, row).compare(account)
    return order == 0 ? Int(head(row).currency) - Int(currency) : order
  }

  /// The same for two rows.
  func compare(_ left: Int, _ right: Int) -> Int { compare(left, text(.account, right), head(right).currency) }

  /// The rows, each with eight bytes of its account: those after the beginning that all accounts share, which order most
  /// rows.
  func withWords(count: Int) -> [(word: UInt64, row: Int)] {
    var rows: [(word: UInt64, row: Int)] = []
    rows.reserveCapacity(count)
    var (row, shared) = (0, Int.max)
    let first = text(.account, 0)
    while row < end {
      let account = text(.account, row)
      shared = min(shared, account.count)
      for place in 0..<min(shared, first.count) where account[place] != first[place] {
        shared = place
        break
      }
      rows.append((0, row))
      row += head(row).rowLength
    }
    for place in rows.indices {
      rows[place].word = text(.account, rows[place].row).word(at: min(shared, first.count))
    }
    return rows
  }
}
