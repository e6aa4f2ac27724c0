import Documents
import Failures
import FileSystem
import Money

/// Takes the rows of accounts out of `settlement.csv`, in blocks of whole payments and refunds.
///
/// A row that is not one of a report is left out: the digest of the file, and the sums of its rows, are compared later.
struct SettlementBlock {
  private typealias Column = SettlementReport.Column
  private static let (comma, lineFeed) = (UInt8(ascii: ","), UInt8(ascii: "\n"))
  private static let senderField: StaticString = "SENDER,"
  private static let columns = Column.allCases.count

  private let asked: AskedAccounts
  private let place: Int
  /// The accounts within commas, if they are looked for by their bytes.
  private let needles: [[UInt8]]?
  /// Where each field of the current row ends, and those of another row of its payment.
  private var ends: [Int] = []
  private var otherEnds: [Int] = []
  /// The payment whose parties are known, and their accounts.
  private var known = -1
  private var sender = 0..<0
  private var primary = 0..<0

  /// - Parameter place: that of the night.
  init(_ asked: AskedAccounts, place: Int) {
    (self.asked, self.place) = (asked, place)
    needles = asked.few.map { accounts in accounts.map { [Self.comma] + $0 + [Self.comma] } }
  }

  /// Where the last payment or refund of a text begins, which may not be complete; nil without one.
  static func lastEntry(of text: Span<UInt8>) -> Int? {
    var (start, end) = (text.count, text.count)
    while start > 0 {
      start -= 1
      while start > 0, text[start - 1] != lineFeed { start -= 1 }
      if isSender(text.extracting(start..<end)) { return start }
      end = start
    }
    return nil
  }

  /// Whether a text begins with a row of the sender, the first of each payment and refund.
  private static func isSender(_ text: Span<UInt8>) -> Bool {
    guard let kind = text.place(of: comma), let role = text.place(of: comma, from: kind + 1) else { return false }
    let rest = text.extracting(droppingFirst: role + 1)
    return rest.starts(with: senderField.bytes)
  }

  /// Passes the rows of a block to a sorter.
  mutating func take(_ text: Span<UInt8>, to sorter: ExternalSorter) throws(Failure) {
    known = -1
    guard let needles else { return try takeEach(text, to: sorter) }
    for needle in needles {
      var at = 0
      while let hit = text.place(of: needle.span, from: at) {
        let start = Self.lineStart(text, hit)
        var entry = start
        while entry > 0, !Self.isSender(text.extracting(droppingFirst: entry)) {
          entry = Self.lineStart(text, entry - 1)
        }
        if Self.split(text, start, into: &ends), ends[Column.role.place] == hit {
          try add(text, start, of: entry, to: sorter)
        }
        at = hit + needle.count - 1
      }
    }
  }

  private static func lineStart(_ text: Span<UInt8>, _ place: Int) -> Int {
    var start = place
    while start > 0, text[start - 1] != lineFeed { start -= 1 }
    return start
  }

  private mutating func takeEach(_ text: Span<UInt8>, to sorter: ExternalSorter) throws(Failure) {
    var (start, entry) = (0, 0)
    while start < text.count {
      let isRow = Self.split(text, start, into: &ends)
      if isRow {
        if Self.isRole("SENDER", text, ends) {
          entry = start
        } else if asked.contains(text.extracting(Self.field(.account, start, ends))) {
          try add(text, start, of: entry, to: sorter)
        }
      }
      start = (ends.last ?? text.count) + 1
    }
  }

  /// Adds the row whose fields are in `ends`, of the payment or refund that begins at `entry`.
  private mutating func add(_ text: Span<UInt8>, _ start: Int, of entry: Int, to sorter: ExternalSorter) throws(Failure)
  {
    if Self.isRole("SENDER", text, ends) { return }
    if known != entry { findParties(text, entry) }
    let account = text.extracting(Self.field(.account, start, ends))
    let counterparty = Self.isRole("SECONDARY", text, ends) ? primary : sender
    guard let currency = Currency.find(text.extracting(Self.field(.currency, start, ends))),
      account.count <= PaymentLine.longestAccount
    else { return }
    let ends = ends
    let place = place
    try sorter.append { buffer in
      PaymentLine.begin(account, currency, place: place, in: &buffer)
      buffer.append(text.extracting(ends[Column.currency.place] + 1..<ends[Column.net.place] + 1))
      buffer.append(text.extracting(start..<ends[Column.payKey.place] + 1))
      buffer.append(text.extracting(Self.field(.refundKey, start, ends)))
      buffer.append(Self.comma)
      buffer.append(text.extracting(Self.field(.role, start, ends)))
      buffer.append(Self.comma)
      buffer.append(text.extracting(counterparty))
    }
  }

  /// Finds the sender and the primary of the payment or refund that begins at a place.
  private mutating func findParties(_ text: Span<UInt8>, _ entry: Int) {
    (known, sender, primary) = (entry, 0..<0, 0..<0)
    var start = entry
    while start < text.count {
      let isRow = Self.split(text, start, into: &otherEnds)
      if isRow {
        let account = Self.field(.account, start, otherEnds)
        if Self.isRole("SENDER", text, otherEnds) {
          if start > entry { return }
          sender = account
        } else if Self.isRole("PRIMARY", text, otherEnds) {
          primary = account
        }
      }
      start = (otherEnds.last ?? text.count) + 1
    }
  }

  /// Finds the ends of the fields of a row; false if it is not a whole row of the report.
  private static func split(_ text: Span<UInt8>, _ start: Int, into ends: inout [Int]) -> Bool {
    ends.removeAll(keepingCapacity: true)
    for place in start..<text.count where text[place] == comma || text[place] == lineFeed {
      ends.append(place)
      if text[place] == lineFeed { return ends.count == columns }
    }
    ends.append(text.count)
    return false
  }

  private static func field(_ column: Column, _ start: Int, _ ends: [Int]) -> Range<Int> {
    (column.place == 0 ? start : ends[column.place - 1] + 1)..<ends[column.place]
  }

  private static func isRole(_ role: StaticString, _ text: Span<UInt8>, _ ends: [Int]) -> Bool {
    role.matches(text.extracting(ends[Column.role.place - 1] + 1..<ends[Column.role.place]))
  }
}
