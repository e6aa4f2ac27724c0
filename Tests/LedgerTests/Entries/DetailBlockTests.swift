import Claims
import Failures
import FileSystem
@testable import SQLite
import TestSupport
import Testing

@testable import Ledger

@Suite struct DetailBlockTests {
  @Test("what was written is read, and a changed byte is detected")
  func roundTrip() throws {
    let texts = [[], Array("payee@example.com".utf8), Array(repeating: 7, count: 300)] as [[UInt8]]
    let text: [UInt8] = [0] + [17] + texts[1] + [0xAC, 0x02] + texts[2]
    let row = DetailBlock.bytes(lows: [9, 3, .max], text: text.span, id: 77)
    var block = DetailBlock()
    try block.read(row.span, id: 77)
    for (low, text) in zip([9, 3, UInt64.max], texts) {
      #expect(block.withDetails(low: low) { [UInt8]($0) } == text)
    }
    #expect(block.withDetails(low: 4) { _ in true } == nil)
    #expect(throws: Failure.self) { try block.read(row.span, id: 78) }
    for place in row.indices {
      var changed = row
      changed[place] ^= 0x10
      #expect(throws: Failure.self) { try block.read(changed.span, id: 77) }
    }
    #expect(throws: Failure.self) { try block.read(Span(), id: 77) }
  }

  @Test("payments whose fingerprints begin with the same bits, at the ends of blocks")
  func crowded() throws {
    let folder = try TemporaryFolder()
    let prefixes: [UInt64] = [0, 1 << 24, 5 << 40, 0xFFFF_FFFF_FF00_0000]
    var night = Night(1, keys: [])
    var details: [Fingerprint: [UInt8]] = [:]
    for (place, prefix) in prefixes.enumerated() {
      for number in 1...UInt64(50) {
        let key = Fingerprint(low: number << 20 | UInt64(place), high: prefix | (number % 7) << 1)
        details[key] = Array(repeating: UInt8(place * 50) + UInt8(number), count: 100)
      }
    }
    night = Night(1, keys: details.keys)
    night.details = details
    try night.enter(folder.ledger())
    let entries = try folder.ledger().entryLookup()
    var wrong = 0
    let keys = Array(details.keys)
    try entries.details(of: keys.map { SettledPayment(run: 1, key: $0) }) { place, found in
      let expected = details[keys[place]]!
      guard let found, found.isEqual(to: expected.span) else { return wrong += 1 }
    }
    #expect(wrong == 0)
    func damage(_ what: String) -> Failure {
      .damaged("the ledger is damaged: \(what)").ofLedger(folder.path("ledger"))
    }
    #expect(throws: damage("it has lost details of payments that run 1 settled")) {
      try entries.details(of: SettledPayment(run: 1, key: Fingerprint(low: 1, high: 1 << 24)))
    }
    #expect(throws: damage("run 2 is gone")) {
      try entries.details(of: SettledPayment(run: 2, key: Fingerprint(low: 1, high: 1 << 24)))
    }
  }
}

@Suite struct SettledPaymentSorterTests {
  @Test("payments come in order, those in memory and those in the file", arguments: [0, 1, 300, 200_000])
  func sorts(count: Int) throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator()
    let sorter = SettledPaymentSorter(beside: try OutputPlace(path: folder.path("output")))
    var known: [Fingerprint: UInt64] = [:]
    for _ in 0..<count {
      // A third of the keys is in one part.
      var key = Fingerprint.random(&random)
      if key.low % 3 == 0 { key.high &= 0x003F_FFFF_FFFF_FFFE }
      let number = random.next()
      known[key] = number
      let details = Array("\(number)".utf8) + Array(repeating: 0, count: Int(number % 100))
      try sorter.append(key, details.span)
    }
    #expect(sorter.count == count)
    for _ in 0..<2 {
      var last = Fingerprint.none
      var (given, wrong) = (0, 0)
      try sorter.forEach { key, bytes in
        let number = known[key] ?? 0
        if last >= key || [UInt8](bytes) != Array("\(number)".utf8) + Array(repeating: 0, count: Int(number % 100)) {
          wrong += 1
        }
        (last, given) = (key, given + 1)
      }
      #expect(given == count && wrong == 0, "\(random.reproduction)")
    }
    #expect(try folder.names() == [])
    let groups = try sorter.groups()
    #expect(groups.first?.lowerBound == 0 && groups.last?.upperBound == 256)
    #expect(zip(groups, groups.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    #expect(groups.count == (count < 1000 ? 1 : groups.count) && (count < 1000 || groups.count > 5))
  }

  @Test("the ledger has the same blocks for any number of threads")
  func sameBlocks() throws {
    var random = SeededGenerator()
    var details: [Fingerprint: [UInt8]] = [:]
    for _ in 0..<60_000 {
      details[Fingerprint.random(&random).ofPayKey] = Array(repeating: UInt8(random.next() % 9), count: 60)
    }
    var blocks: [[[UInt8]]] = []
    for threads in [1, 2, 7, 64] {
      let folder = try TemporaryFolder()
      var night = Night(1, keys: details.keys)
      (night.details, night.threads) = (details, threads)
      try night.enter(folder.ledger())
      #expect(try LedgerCheck(ledger: folder.path("ledger")).findings == [], "\(threads) threads")
      let database = try Database(path: folder.path("ledger"), isReadOnly: true)
      blocks.append(
        try ["keyBlock", "detailBlock"].flatMap { table in
          try Row.fetchAll(database, sql: "SELECT id, entries FROM \(table) ORDER BY id").map {
            try $0.bytes("entries")
          }
        })
      database.close()
    }
    #expect(blocks.allSatisfy { $0 == blocks[0] } && blocks[0].count > 300, "\(random.reproduction)")
  }
}
