import Claims
import Text

/// Makes the rows with what refunds need from a run's settled payments, block by block. Payments come in ascending
/// order of their fingerprints.
struct DetailWriter: ~Copyable {
  private let run: Int
  /// The finished rows of `detailBlock`.
  private(set) var rows: [(id: Int64, bytes: [UInt8])] = []
  private var first = Fingerprint.none
  private var last = Fingerprint.none
  private var lows: [UInt64] = []
  private var text = TextBuffer(capacity: 8 << 10)
  private var limit = TextLimit(6 << 10, rowLength: DetailBlock.length, in: 1 << 10...16 << 10)

  init(run: Int) { self.run = run }

  mutating func append(_ key: Fingerprint, _ details: Span<UInt8>) {
    precondition(last < key, "settled payments come in ascending order of their fingerprints, each once")
    if text.count + details.count > limit.bytes { finish() }
    if lows.isEmpty { first = key }
    last = key
    lows.append(key.low)
    Varint.write(UInt64(details.count)) { text.append($0) }
    text.append(details)
  }

  /// Makes a row of the remaining payments.
  mutating func finish() {
    guard !lows.isEmpty else { return }
    let id = DetailBlock.id(run: run, key: first)
    let row = DetailBlock.bytes(lows: lows, text: text.span, id: id)
    rows.append((id, row))
    limit.adapt(text: text.count, row: row.count)
    lows.removeAll(keepingCapacity: true)
    text.removeAll()
  }
}
