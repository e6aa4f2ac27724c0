import Claims
import TestSupport
import Testing

@Suite("Pay keys claimed so far, against a dictionary")
struct ClaimedKeysTests {
  struct Pair: Hashable {
    var low: UInt64
    var high: UInt64
    var fingerprint: Fingerprint { Fingerprint(low: low, high: high) }
  }

  @Test("what a dictionary says", arguments: [UInt64.max, 0xFF, 0xFFFF, 0x3F << 58])
  func agreesWithDictionary(mask: UInt64) {
    // Narrow masks make fingerprints meet in few shards and few slots.
    var random = SeededGenerator()
    var seen = ClaimedKeys()
    var expected: [Pair: Bool] = [:]
    var wrong = 0
    for _ in 0..<20_000 {
      let key = Fingerprint(low: random.next() & mask & 0xFFF_FFFF, high: random.next() & mask).ofPayKey
      let pair = Pair(low: key.low, high: key.high)
      let isSettled = random.next() & 1 == 0
      if seen.contains(key) != (expected[pair] != nil) { wrong += 1 }
      let isNew = seen.insert(key, isSettled: isSettled)
      if isNew != (expected[pair] == nil) { wrong += 1 }
      // What became of the first counts.
      if isNew { expected[pair] = isSettled }
    }
    for pair in expected.keys {
      let isNew = seen.insert(pair.fingerprint, isSettled: true)
      if isNew { wrong += 1 }
    }
    #expect(wrong == 0, "\(random.reproduction)")
    seen.sortSettled(threads: 2)
    let keys = (0..<Fingerprint.shardCount).map { Self.settled(seen, shard: $0) }
    for (shard, keys) in keys.enumerated() {
      #expect(keys.allSatisfy { $0.shard == shard && $0 == $0.ofPayKey }, "\(random.reproduction)")
      #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }, "\(random.reproduction)")
    }
    let pairs = Set(keys.joined().map { Pair(low: $0.low, high: $0.high) })
    #expect(pairs == Set(expected.filter(\.value).keys), "\(random.reproduction)")
  }

  @Test("the all-zero fingerprint is remembered by its neighbour, marks apart")
  func remembersZero() {
    var seen = ClaimedKeys()
    var answers: [Bool] = []
    for (low, high) in [(0, 0), (0, 0), (0, 2), (2, 0), (0, 1), (0, 3), (1, 1)] {
      answers.append(seen.insert(Fingerprint(low: UInt64(low), high: UInt64(high)).ofPayKey))
    }
    #expect(answers == [true, false, true, true, false, false, false])
  }

  @Test("nothing settled, nothing seen")
  func nothing() {
    var seen = ClaimedKeys()
    seen.sortSettled(threads: 3)
    #expect((0..<Fingerprint.shardCount).allSatisfy { Self.settled(seen, shard: $0).isEmpty })
  }

  private static func settled(_ keys: borrowing ClaimedKeys, shard: Int) -> [Fingerprint] {
    let settled = keys.settled(shard: shard)
    return settled.indices.map { settled[$0] }
  }
}
