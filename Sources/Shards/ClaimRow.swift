import BatchRun
import Bytes
import Text

/// A claim at a later level, as a row: its key, its kind, its shard and place there, and what its judge needs.
struct ClaimRow {
  static let shardDigits = 5
  private static let offsetDigits = 18
  /// Whether a record claims the key. If not, the row is a payment that the batch settles and a refund names.
  let isRecord: Bool
  let shard: Int
  /// Where the record's line begins in the shard's text.
  let offset: Int
  /// The number of line feeds before it in the shard's text.
  let line: Int
  /// A record's `LaterClaim`, or a payment's `RefundablePayment`.
  let content: [UInt8]

  static func padded(_ number: Int, to digits: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  /// Appends the row of a record's claim.
  static func append(_ later: LaterClaim, _ shard: Int, _ entry: ClaimEntry, to text: inout TextBuffer) {
    if later.keyText.isEmpty { text.append(key: later.key) }
    text.append(later.keyText)
    var writer = ByteWriter()
    writer.laterClaim(later)
    append(",1,", shard, entry, writer.bytes, to: &text)
  }

  /// Appends the row of a payment, which sorts before the rows of its refunds.
  static func append(payment: [UInt8], _ shard: Int, _ entry: ClaimEntry, to text: inout TextBuffer) {
    text.append(key: entry.key)
    append(",0,", shard, entry, payment, to: &text)
  }

  private static func append(
    _ kind: StaticString, _ shard: Int, _ entry: ClaimEntry, _ content: [UInt8], to text: inout TextBuffer
  ) {
    text.append(kind)
    text.append("\(padded(shard, to: shardDigits)),\(padded(entry.line, to: offsetDigits)),\(entry.number),")
    text.append(Hexadecimal.text(content))
  }

  /// Reads a row; nil if it is malformed.
  init?(_ row: SortedRow) {
    let fields = row.fields
    func number(_ place: Int) -> Int? { Int(String(decoding: fields[place], as: UTF8.self)) }
    guard fields.count == 6, let kind = number(1), let shard = number(2), let offset = number(3),
      let line = number(4), let content = Hexadecimal.bytes(fields[5])
    else { return nil }
    (isRecord, self.shard, self.offset, self.line, self.content) = (kind == 1, shard, offset, line, content)
  }
}
