import TestSupport
import Testing

@testable import BatchRun

@Suite("Pay keys seen so far, against a set")
struct SeenPayKeysTests {
  struct Pair: Hashable {
    var low: UInt64
    var high: UInt64
  }

  @Test("what a set says", arguments: [UInt64.max, 0xFF, 0xFFFF, 0x3F << 58])
  func agreesWithSet(mask: UInt64) {
    // Narrow masks make fingerprints meet in few shards and few slots.
    var random = SeededGenerator()
    var seen = SeenPayKeys()
    var expected: Set<Pair> = []
    for _ in 0..<20_000 {
      var pair = Pair(low: random.next() & mask & 0xFFF_FFFF, high: random.next() & mask)
      // The all-zero fingerprint shares its place with this one.
      if pair == Pair(low: 0, high: 0) { pair.low = 1 }
      let isNew = seen.insert(Fingerprint(low: pair.low, high: pair.high))
      #expect(isNew == expected.insert(pair).inserted, "\(random.reproduction)")
    }
    for pair in expected {
      let isNew = seen.insert(Fingerprint(low: pair.low, high: pair.high))
      #expect(!isNew, "\(random.reproduction)")
    }
  }

  @Test("the all-zero fingerprint is remembered, too")
  func remembersZero() {
    var seen = SeenPayKeys()
    let keys = [(0, 0), (0, 0), (0, 1), (2, 0), (0, 0), (0, 1)]
    var answers: [Bool] = []
    for (low, high) in keys { answers.append(seen.insert(Fingerprint(low: UInt64(low), high: UInt64(high)))) }
    #expect(answers == [true, false, true, true, false, false])
  }
}
