import Failures

/// Makes the rows of a segment from keys in ascending order: block by block, and a filter over them.
struct SegmentWriter {
  private let id: Int64
  private let shard: Int
  private let takeBlock: (_ id: Int64, _ bytes: [UInt8]) throws -> Void
  private var filter: KeyFilter
  private var entries: [KeyEntry] = []
  private var count = 0
  private var lastRun: UInt32 = 0
  private var firstBlock: Int64 = 0

  /// A writer of a segment of at most `keyCount` keys.
  ///
  /// - Parameter takeBlock: called with each row of `keyBlock`.
  init(id: Int64, shard: Int, keyCount: Int, takeBlock: @escaping (_ id: Int64, _ bytes: [UInt8]) throws -> Void) {
    (self.id, self.shard, self.takeBlock) = (id, shard, takeBlock)
    filter = KeyFilter(keyCount: keyCount)
    entries.reserveCapacity(KeyBlock.capacity)
  }

  /// The number of keys it has taken.
  var keyCount: Int { count + entries.count }

  mutating func append(_ entry: KeyEntry) throws {
    if let last = entries.last, !(last.key < entry.key) {
      throw Failure.damagedLedger("pay keys are out of order")
    }
    if entries.count == KeyBlock.capacity { try finishBlock(next: KeyBlock.id(segment: id, key: entry.key)) }
    entries.append(entry)
    filter.insert(entry.key)
    lastRun = max(lastRun, entry.run)
  }

  /// Writes what is left, and returns the segment with the bytes of its filter; nil if it has no key.
  mutating func finish() throws -> (segment: KeySegment, filter: [UInt8])? {
    if !entries.isEmpty { try finishBlock(next: 0) }
    guard count > 0 else { return nil }
    let filter = filter.bytes(id: id)
    let segment = KeySegment(
      id: id, shard: shard, run: Int(lastRun), keyCount: count, firstBlock: firstBlock, filterLength: filter.count)
    return (segment, filter)
  }

  /// - Parameter next: the id of the block after it, or 0.
  private mutating func finishBlock(next: Int64) throws {
    let block = KeyBlock.id(segment: id, key: entries[0].key)
    if count == 0 { firstBlock = block }
    try takeBlock(block, KeyBlock.bytes(of: entries, id: block, next: next))
    count += entries.count
    entries.removeAll(keepingCapacity: true)
  }
}
