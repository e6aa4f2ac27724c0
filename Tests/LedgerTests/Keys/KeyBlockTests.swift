import Claims
import Failures
import TestSupport
import Testing

@testable import Ledger

@Suite("Blocks and filters of pay keys, as they are stored")
struct KeyBlockTests {
  private static func entries(_ count: Int, _ random: inout SeededGenerator) -> [KeyEntry] {
    (0..<count).map { _ in Fingerprint.random(&random) }.sorted().map { key in
      KeyEntry(key: key, run: UInt32(truncatingIfNeeded: random.next()))
    }
  }

  @Test("what is written is read", arguments: [1, 2, 3, 100, 201, 202])
  func roundTrip(count: Int) throws {
    var random = SeededGenerator()
    let entries = Self.entries(count, &random)
    let bytes = KeyBlock.bytes(of: entries, id: 77, next: 79)
    // One page of 4,096 bytes holds the row.
    #expect(bytes.count <= 4057)
    let block = try KeyBlock(bytes.span, id: 77)
    let (found, next) = (block.count, block.next)
    #expect(found == count && next == 79)
    for (place, entry) in entries.enumerated() {
      let (key, run, foundRun) = (block.key(place), block.run(place), block.run(of: entry.key))
      #expect(key == entry.key && run == entry.run && foundRun == entry.run)
      let other = block.run(of: Fingerprint(low: entry.key.low ^ 4, high: entry.key.high))
      #expect(other == nil)
    }
  }

  @Test("a byte that differs from what was written is detected, and so is another row's content")
  func tellsDamage() throws {
    var random = SeededGenerator()
    let good = KeyBlock.bytes(of: Self.entries(20, &random), id: 5, next: 0)
    func isRefused(_ bytes: [UInt8], id: Int64 = 5) -> Bool {
      do { _ = try KeyBlock(bytes.span, id: id) } catch { return true }
      return false
    }
    #expect(!isRefused(good))
    for place in good.indices {
      var bad = good
      bad[place] ^= 1 << UInt8(random.next() % 8)
      #expect(isRefused(bad), "byte \(place), \(random.reproduction)")
    }
    #expect(isRefused(good, id: 6))
    for length in 0..<good.count { #expect(isRefused(Array(good.prefix(length)))) }
  }

  @Test("ids sort like segments and keys")
  func ids() {
    let keys = [
      Fingerprint(low: 9, high: 0), Fingerprint(low: 0, high: 1 << 20), Fingerprint(low: 0, high: 1 << 57),
      Fingerprint(low: .max, high: (1 << 58) - 2),
    ]
    let segments: [Int64] = [1, 2, (1 << 23) - 1]
    let ids = segments.flatMap { segment in keys.map { KeyBlock.id(segment: segment, key: $0) } }
    #expect(ids == ids.sorted() && Set(ids).count == ids.count)
    for (place, id) in ids.enumerated() {
      let segment = segments[place / keys.count]
      #expect(BlockTable.keys.ids(of: segment).contains(id))
    }
  }

  @Test("a filter never says no to a key it has, folded or not, and seldom yes to others", arguments: [1, 2, 4, 8, 16])
  func filters(fold: Int) throws {
    var random = SeededGenerator()
    // Keys of one shard, as in a segment.
    func key() -> Fingerprint {
      let key = Fingerprint.random(&random)
      return Fingerprint(low: key.low, high: key.high >> 6 & ~1)
    }
    let keys = (0..<20_000).map { _ in key() }
    var filter = KeyFilter(keyCount: keys.count)
    for key in keys { filter.insert(key) }
    let bytes = filter.bytes(id: 3)
    let blocks = filter.blockCount / fold
    let folded = FilterMemory(count: blocks * KeyFilter.blockWords)
    try folded.change(0..<blocks * KeyFilter.blockWords) {
      KeyFilter.fold(try KeyFilter.words(in: bytes.span, id: 3), by: fold, into: &$0)
    }
    func mayHold(_ key: Fingerprint) -> Bool {
      let block = KeyFilter.block(of: key, among: blocks) * KeyFilter.blockWords
      return KeyFilter.mayHold(key, block: folded.block(at: block))
    }
    #expect(keys.allSatisfy(mayHold), "\(random.reproduction)")
    let strangers = (0..<20_000).filter { _ in mayHold(key()) }.count
    // 1.2 % at ten bits a key, 9 % at five, 41 % at two and a half.
    let most = [1: 400, 2: 2400, 4: 9400, 8: 17_500, 16: 20_000][fold] ?? 0
    #expect(strangers <= most, "\(strangers) of 20000, \(random.reproduction)")
  }

  @Test("damage to a filter is detected")
  func tellsFilterDamage() throws {
    var filter = KeyFilter(keyCount: 100)
    filter.insert(Fingerprint(low: 1, high: 2))
    var bytes = filter.bytes(id: 3)
    #expect(throws: Failure.self) { _ = try KeyFilter.words(in: bytes.span, id: 4) }
    bytes[7] ^= 1
    #expect(throws: Failure.self) { _ = try KeyFilter.words(in: bytes.span, id: 3) }
    #expect(throws: Failure.self) { _ = try KeyFilter.words(in: Span(), id: 3) }
  }

  @Test(
    "filters are folded as much as needed and no more",
    arguments: [
      // Lengths in bytes, the limit, what each is divided by.
      ([1024, 1024], 4096, [1, 1]),
      ([1024, 1024], 2048, [1, 1]),
      ([1024, 1024], 2047, [1, 2]),
      ([1024, 1024], 1024, [2, 2]),
      ([4096, 1024, 1024], 3072, [2, 2, 2]),
      ([4096, 1024, 1024], 2048, [4, 2, 2]),
      ([1024, 1024, 64], 300, [8, 16, 1]),
      ([1024, 1024, 1024], 130, [0, 16, 16]),
      ([1024, 1024], 0, [0, 0]),
      ([], 0, []),
    ])
  func foldFactors(lengths: [Int], limit: Int, folds: [Int]) {
    #expect(FilterFolds.folds(lengths: lengths, limit: limit) == folds)
  }
}
