import Claims
import Postings
import Rules
import Text

/// A row of `exceptions.csv`, or a line of a validation: its text without its place.
package struct RowPlace: Sendable {
  /// The index of the record's line among the stretch's lines.
  package let number: Int
  /// The offset of the record's line in the stretch's text.
  package let line: Int
  /// The length of the row's text.
  package let length: Int
}

/// The result of any stretch of a batch: counts, control totals, sums of accounts, claims, texts, header and trailer.
///
/// Places in it count from the stretch's beginning. A worker fills one from each chunk. The commit merges them in batch
/// order (`StretchMerge`), and passes their texts on at once.
package struct StretchResult: ~Copyable {
  /// Rows of `settlement.csv`, or entries of settled payments.
  package var settled = TextBuffer(capacity: 1 << 20)
  /// The texts of the rows, one after the other.
  package var rowTexts = TextBuffer(capacity: 1 << 12)
  package var rows: [RowPlace] = []
  package var claims: [RecordClaim] = []
  /// The claims of later steps, in the order of the claims that they belong to.
  var laterClaims: [LaterClaim] = []
  /// The refund data of the settled payments (`RefundablePayments`).
  package var refundables = TextBuffer(capacity: 1 << 18)
  /// The rows of `fees.csv` of the settled payments, and where those of each claim's record end; empty unless the night
  /// shows names.
  package var fees = TextBuffer()
  package var feeEnds: [Int] = []
  package var envelope: [EnvelopeLine] = []
  package var totals = ControlTotals()
  /// The receivers' and senders' postings that are not in their accounts' totals yet. Workers of one run share the
  /// totals, since sums commute.
  private var queue: PostingQueue
  package var recordCount = 0
  /// The line index of the first record, if no header or trailer comes before it.
  package var firstRecord: Int?
  /// The most bytes of rows or settled text: a stretch with more is committed before it takes another record.
  package let textBudget: Int
  /// The budget of a stretch without a limit.
  package static let noBudget = 1 << 40

  package init(accounts: AccountTotals, textBudget: Int = noBudget) {
    queue = PostingQueue(for: accounts)
    self.textBudget = textBudget
  }

  /// Whether to commit the stretch before it takes another record.
  package var isFull: Bool {
    rowTexts.count > textBudget || settled.count > textBudget || fees.count > textBudget || queue.keyBytes > textBudget
      || rows.count > 1 << 16 || claims.count > 1 << 15
  }

  /// Whether so many rows of an ordinary length fit.
  func hasRoom(forRows count: Int) -> Bool { count &* Self.ordinaryRow <= textBudget &- rowTexts.count }

  /// The most bytes that most rows take.
  private static let ordinaryRow = 256

  /// Counts a record, and keeps its line index if it is the first, or the first after a header or trailer.
  mutating func count(_ judge: inout RecordJudge, number: Int) {
    totals.count(&judge)
    recordCount += 1
    if envelope.isEmpty {
      if firstRecord == nil { firstRecord = number }
    } else if envelope[envelope.count - 1].recordBehind == nil {
      envelope[envelope.count - 1].recordBehind = number
    }
  }

  /// The ends of the texts and rows, where a record's begin.
  struct Marks {
    fileprivate let settled, rows, refundable: Int
  }

  var marks: Marks { Marks(settled: settled.count, rows: rows.count, refundable: refundables.count) }

  /// Adds the claim of the record whose texts and rows are those since `marks`.
  @inline(__always)
  mutating func addClaim(_ claim: Claim, isRefused: Bool, line: Int, length: Int, number: Int, since marks: Marks) {
    claims.append(
      RecordClaim(
        claim, isRefused: isRefused, line: line, length: length, number: number,
        settled: marks.settled..<settled.count, rows: marks.rows..<rows.count,
        refundable: marks.refundable..<refundables.count))
  }

  /// The range of the rows of `fees.csv` of the record with a claim, by the claim's index; empty without fees.
  package func fees(ofClaim index: Int) -> Range<Int> {
    feeEnds.isEmpty ? 0..<0 : (index == 0 ? 0 : feeEnds[index - 1])..<feeEnds[index]
  }

  @inline(__always)
  package mutating func add(_ entry: SettledEntry, _ side: AccountSide) { queue.add(entry, side) }

  /// Adds the waiting postings to the account totals.
  package mutating func post() { queue.post() }

  /// Sends later postings to other totals.
  package mutating func post(to accounts: AccountTotals) { queue = PostingQueue(for: accounts) }

  /// Empties the stretch for more records of the same text.
  package mutating func clear() {
    let kept = min(2 * textBudget, 1 << 25)
    settled.removeAll(keeping: kept)
    rowTexts.removeAll(keeping: kept)
    rows.removeAll(keepingCapacity: rows.count <= 1 << 17)
    claims.removeAll(keepingCapacity: true)
    if !laterClaims.isEmpty { laterClaims.removeAll() }
    fees.removeAll(keeping: kept)
    feeEnds.removeAll(keepingCapacity: true)
    refundables.removeAll(keeping: kept)
    envelope.removeAll()
    if recordCount > 0 { totals = ControlTotals() }
    recordCount = 0
    firstRecord = nil
  }
}
