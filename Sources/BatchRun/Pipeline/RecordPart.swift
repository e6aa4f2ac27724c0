import BatchFile
import Glibc
import Ledger
import Settlement

/// A header or trailer line, met among records.
struct FrameLine {
  let isHeader: Bool
  let offset: Int
  let length: Int
  let number: Int
  /// The records of the part before it.
  let recordsBefore: Int
  let hasDuplicateField: Bool
  /// The line number of the first record behind it.
  var recordBehind: Int?
}

/// A row of `exceptions.csv`, or a line of a validation: its text without its place.
struct RowPlace {
  /// The number of the record's line among the part's lines.
  let number: Int
  /// The offset of the record's line in the part's text.
  let line: Int
  /// The length of the row's text.
  let length: Int
}

/// A record with a valid pay key: whether the key is the first of its kind is decided in batch order.
struct KeyedRecord {
  let fingerprint: Fingerprint
  let line: Int
  let length: Int
  let number: Int
  /// What the record gave to the settlement text.
  let settlement: Range<Int>
  /// The rows it gave; none where they are committed already, as it was known then whether the key is repeated.
  let rows: Range<Int>
  /// Whether the record is settled, unless its key turns out to be repeated.
  let isSettled: Bool
  /// Whether it was known already, when the record was taken, that its key came before.
  let isRepeated: Bool
  /// The earlier run that settled a payment with the key; 0 where none did.
  let earlierRun: UInt32
}

/// What a run of records in a row became, on its way to the reports: filled by a worker, committed in batch order.
final class RecordPart: @unchecked Sendable {
  // Every record touches most of these. Nothing here is reached twice at a time: one worker fills a part, and hands it
  // on under the commit order's lock; checking that at run time for each access would cost more than the work.

  /// The text whose lines the part holds; offsets refer to it.
  @exclusivity(unchecked) var text: UnsafePointer<UInt8>
  @exclusivity(unchecked) var settlement = TextBuffer(capacity: 1 << 12)
  /// The accounts and currencies that postings name, where the settlement text is entries: those need not hold them.
  @exclusivity(unchecked) var accountTexts = TextBuffer(capacity: 1 << 8)
  @exclusivity(unchecked) var rowTexts = TextBuffer(capacity: 1 << 12)
  @exclusivity(unchecked) var rows: [RowPlace] = []
  @exclusivity(unchecked) var keys: [KeyedRecord] = []
  @exclusivity(unchecked) var frames: [FrameLine] = []
  @exclusivity(unchecked) var totals = ControlTotals()
  @exclusivity(unchecked) var postings: [[AccountPosting]] = Array(repeating: [], count: AccountTotals.shardCount)
  @exclusivity(unchecked) private(set) var recordCount = 0
  /// The line number of the first record, where no frame line stands before it.
  @exclusivity(unchecked) private(set) var firstRecord: Int?
  /// The bytes of rows or settlement text beyond which a part is committed before it takes more.
  let textBudget: Int

  init(textBudget: Int) {
    self.textBudget = textBudget
    // No text yet: the place of an empty one.
    text = ("" as StaticString).utf8Start
  }

  /// Whether the part should be committed before it takes another record.
  var isFull: Bool {
    rowTexts.count > textBudget || settlement.count > textBudget || accountTexts.count > textBudget
      || rows.count > 1 << 16 || keys.count > 1 << 15
  }

  /// Counts a record, and keeps its line number where it is the first, or the first behind a header or trailer.
  func countRecord(number: Int) {
    recordCount += 1
    if frames.isEmpty {
      if firstRecord == nil { firstRecord = number }
    } else if frames[frames.count - 1].recordBehind == nil {
      frames[frames.count - 1].recordBehind = number
    }
  }

  /// Takes back the last rows.
  func removeRows(from row: Int, text: Int) {
    rows.removeLast(rows.count - row)
    rowTexts.truncate(to: text)
  }

  /// Empties the part for more records of the same text.
  func clear() {
    let kept = min(2 * textBudget, 1 << 25)
    settlement.removeAll(keeping: kept)
    accountTexts.removeAll(keeping: kept)
    rowTexts.removeAll(keeping: kept)
    rows.removeAll(keepingCapacity: rows.count <= 1 << 17)
    keys.removeAll(keepingCapacity: true)
    frames.removeAll()
    if recordCount > 0 { totals.reset() }
    recordCount = 0
    firstRecord = nil
    for shard in postings.indices { postings[shard].removeAll(keepingCapacity: true) }
  }

  /// Posts the receivers' figures; their texts stand in the account texts or, where there are none, in the settlement
  /// text.
  func post(to accounts: AccountTotals) {
    let text = accountTexts.count > 0 ? accountTexts.bytes : settlement.bytes
    for shard in postings.indices where !postings[shard].isEmpty {
      accounts.post(postings[shard], shard: shard, text: text)
      postings[shard].removeAll(keepingCapacity: true)
    }
    accountTexts.removeAll(keeping: min(2 * textBudget, 1 << 25))
  }
}
