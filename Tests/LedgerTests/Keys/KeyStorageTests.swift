import Claims
import TestSupport
import Testing

@testable import Ledger

@Suite("Pay keys over many nights, compared with a dictionary")
struct KeyStorageTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("each key is found with its run, and no other key", arguments: [0, 1, 2, 3])
  func agreesWithDictionary(course: Int) throws {
    var random = SeededGenerator()
    for _ in 0..<course { _ = random.next() }
    var known: [Fingerprint: Int] = [:]
    // Nights of every size, many of them small: segments are merged again and again.
    for night in 1...40 {
      let ledger = try folder.ledger()
      let size = [0, 1, 5, 100, 700, 3000][Int(random.next() % 6)]
      let keys = Set((0..<size).map { _ in Fingerprint.random(&random) })
      let run = try Night(night, keys: keys).enter(ledger)
      #expect(run == night)
      for key in keys { known[key] = run }
      if night % 5 == 0 { try check(ledger, known, &random) }
    }
  }

  private func check(_ ledger: Ledger, _ known: [Fingerprint: Int], _ random: inout SeededGenerator) throws {
    let earlier = try ledger.keyLookup(readers: 2)
    var wrong = 0
    for (number, (key, run)) in known.enumerated() where try earlier.run(of: key, reader: number) != run { wrong += 1 }
    for _ in 0..<500 {
      let key = Fingerprint.random(&random)
      if try earlier.run(of: key, reader: 0) != known[key] { wrong += 1 }
    }
    // Neighbours of known keys, which differ in one bit.
    let neighbours = known.keys.prefix(500).map {
      Fingerprint(low: $0.low ^ 1 << UInt64(random.next() % 64), high: $0.high)
    }
    for key in neighbours where try earlier.run(of: key, reader: 1) != known[key] { wrong += 1 }
    for key in (Array(known.keys) + neighbours).sorted()
    where try earlier.run(of: key, reader: 0, isAscending: true) != known[key] { wrong += 1 }
    #expect(wrong == 0, "\(random.reproduction)")
    earlier.close()
  }

  @Test("keys that begin with the same bits, at the ends of blocks and segments")
  func findsCrowdedKeys() throws {
    // 400 keys of each of a few prefixes would fill a block with one prefix; 150 do not, but share its ends.
    let ledger = try folder.ledger()
    var known: [Fingerprint: Int] = [:]
    var wrong = 0
    for night in 1...9 {
      let prefixes: [UInt64] = [0, 1 << 18, 5 << 40, 0x03FF_FFFF_FFFC_0000, 0xFFFF_FFFF_FFFC_0000]
      var keys: [Fingerprint] = []
      for prefix in prefixes {
        for number in 1...UInt64(150) {
          let low = (number * 9 + UInt64(night)) << 20
          keys.append(Fingerprint(low: low, high: prefix | (number % 50) << 1))
        }
      }
      let run = try Night(night, keys: keys).enter(ledger)
      for key in keys { known[key] = run }
      let earlier = try ledger.keyLookup(readers: 1)
      for (key, run) in known where try earlier.run(of: key, reader: 0) != run { wrong += 1 }
      for key in keys where try earlier.run(of: Fingerprint(low: key.low + 1, high: key.high), reader: 0) != nil {
        wrong += 1
      }
      let others = keys.map { Fingerprint(low: $0.low + 1, high: $0.high) }
      for key in (Array(known.keys) + others).sorted()
      where try earlier.run(of: key, reader: 0, isAscending: true) != known[key] { wrong += 1 }
      earlier.close()
      #expect(wrong == 0)
    }
  }

  @Test("a run that is withdrawn leaves nothing behind")
  func withdraws() throws {
    var random = SeededGenerator()
    let ledger = try folder.ledger()
    let first = (0..<2000).map { _ in Fingerprint.random(&random) }
    let second = (0..<2000).map { _ in Fingerprint.random(&random) }
    try Night(1, keys: first).enter(ledger)
    try ledger.begin(directory: [], replaces: false)
    #expect(try Night(2, keys: second).enterOnly(ledger) == 2)
    try ledger.withdraw(.run(2))
    #expect(try ledger.attempt()?.entered == nil)
    try ledger.end()
    #expect(try ledger.run(number: 2) == nil)
    var known = Dictionary(uniqueKeysWithValues: first.map { ($0, 1) })
    try check(ledger, known, &random)
    // The same keys again, by a run of the same number.
    #expect(try Night(3, keys: second).enter(ledger) == 2)
    for key in second { known[key] = 2 }
    try check(ledger, known, &random)
  }

  @Test(
    "filters that are folded or left out do not change an answer", arguments: [0, 1 << 11, 1 << 13, 1 << 15, 1 << 20])
  func folds(limit: Int) throws {
    var random = SeededGenerator()
    let ledger = try folder.ledger()
    var known: [Fingerprint: Int] = [:]
    for night in 1...3 {
      let keys = (0..<10_000).map { _ in Fingerprint.random(&random) }
      try Night(night, keys: keys).enter(ledger)
      for key in keys { known[key] = night }
    }
    let earlier = try KeyLookup(ledger: ledger.place, readers: 1, limit: limit)
    var wrong = 0
    for (key, run) in known where try earlier.run(of: key, reader: 0) != run { wrong += 1 }
    for _ in 0..<5000 where try earlier.run(of: Fingerprint.random(&random), reader: 0) != nil { wrong += 1 }
    #expect(wrong == 0, "\(random.reproduction)")
    earlier.close()
  }

  @Test("the ledger takes at most 40 bytes a key, during the nights and at the end")
  func bytesPerKey() throws {
    var random = SeededGenerator()
    for night in 1...17 {
      let ledger = try folder.ledger()
      try Night(night, keys: (0..<20_000).map { _ in Fingerprint.random(&random) }).enter(ledger)
      let size = try folder.bytes(of: "ledger").count
      #expect(size <= 40 * 20_000 * night, "night \(night): \(size / (20_000 * night)) bytes a key")
    }
  }
}
