import Claims
import Failures
import TestSupport
import Testing

@testable import Ledger

/// What a ledger should contain besides pay keys, kept in dictionaries.
private struct EntryModel {
  var details: [SettledPayment: [UInt8]?] = [:]
  var days: [Int: Int?] = [:]
  var refunds: [RefundOfRun] = []
  var agreements: [String: AgreementEntries] = [:]

  mutating func enter(_ night: Night, run: Int, keys: [Fingerprint]) {
    days[run] = night.entry.day
    for key in keys { details[SettledPayment(run: run, key: key)] = night.details?[key] }
    for (place, refund) in night.refunds.enumerated() {
      refunds.append(RefundOfRun(run: run, place: place, entry: refund))
    }
    for entry in night.agreements {
      agreements[entry.preapprovalKey, default: AgreementEntries()].records += entry.records.map { (run, $0) }
      agreements[entry.preapprovalKey]?.uses += entry.uses.map { (run, $0) }
    }
  }

  mutating func prune(before day: Int) -> (runs: Int, payments: Int) {
    var runs: Set<Int> = []
    var payments = 0
    for (payment, kept) in details where kept != nil {
      guard let runDay = days[payment.run] ?? nil, runDay < day else { continue }
      details[payment] = .some(nil)
      runs.insert(payment.run)
      payments += 1
    }
    return (runs.count, payments)
  }

  func agreement(_ key: String, before run: Int) -> AgreementEntries? {
    guard var agreement = agreements[key] else { return nil }
    agreement.records.removeAll { $0.run >= run }
    agreement.uses.removeAll { $0.run >= run }
    return agreement.records.isEmpty ? nil : agreement
  }

  func check(_ entries: EntryLookup, before run: Int, _ random: inout SeededGenerator) throws {
    var asked = details.keys.filter { $0.run < run }
    if random.next() % 2 == 0 { asked.sort() }
    var (next, wrong) = (0, 0)
    try entries.details(of: asked) { place, found in
      var bytes: [UInt8]?
      if let found { bytes = [UInt8](found) }
      if place != next || bytes != details[asked[place]] ?? nil { wrong += 1 }
      next += 1
    }
    #expect(wrong == 0 && next == asked.count, "\(random.reproduction)")
    if let payment = asked.first { #expect(try entries.details(of: payment) == details[payment] ?? nil) }
    for (number, day) in days where number < run { #expect(try entries.day(ofRun: number) == day) }

    for refund in refunds {
      let made = try entries.run(ofRefund: refund.entry.refundKey)
      #expect(made == (refund.run < run ? refund.run : nil), "\(random.reproduction)")
    }
    #expect(try entries.run(ofRefund: "no-such-refund") == nil)
    // Besides refunded ones, another payment, and one that is found by the same hash.
    let payments =
      Array(Set(refunds.map(\.entry.payment))) + [Fingerprint.random(&random)]
      + refunds.prefix(1).map { Fingerprint(low: ~$0.entry.payment.low, high: $0.entry.payment.high) }
    var found: [[RefundOfRun]] = payments.map { _ in [] }
    try entries.refunds(ofPayments: payments) { found[$0].append($1) }
    for (payment, found) in zip(payments, found) {
      #expect(found == refunds.filter { $0.entry.payment == payment && $0.run < run }, "\(random.reproduction)")
    }

    for key in agreements.keys {
      #expect(try entries.agreement(key) == agreement(key, before: run), "\(random.reproduction)")
    }
    #expect(try entries.agreement("no-such-agreement") == nil)
  }
}

@Suite("Details, refunds and agreements over many nights, compared with dictionaries")
struct EntryStorageTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func bytes(_ random: inout SeededGenerator, upTo limit: UInt64) -> [UInt8] {
    (0..<random.next() % limit).map { _ in UInt8(random.next() % 9) }
  }

  private func night(
    _ number: Int, _ model: EntryModel, _ random: inout SeededGenerator
  ) -> (night: Night, keys: [Fingerprint]) {
    let keys = (0..<[0, 1, 40, 300][Int(random.next() % 4)]).map { _ in Fingerprint.random(&random) }
    var night = Night(number, keys: keys)
    night.entry.day = random.next() % 8 == 0 ? nil : 20_000 + number
    if random.next() % 8 > 0 {
      night.details = [:]
      for key in keys { night.details?[key] = bytes(&random, upTo: random.next() % 50 == 0 ? 9000 : 120) }
    }
    let payments = keys + model.details.keys.map(\.key) + model.refunds.map(\.entry.payment)
    if !payments.isEmpty {
      night.refunds = (0..<random.next() % 40).map { place in
        let payment = payments[Int(random.next() % UInt64(payments.count))]
        return RefundEntry(refundKey: "refund-\(number)-\(place)", payment: payment, taken: bytes(&random, upTo: 30))
      }
    }
    let new = (0..<random.next() % 9).map { "agreement-\(number)-\($0)" }
    let known = model.agreements.keys.filter { _ in random.next() % 3 == 0 }
    night.agreements = (known + new).map { key in
      let isNew = model.agreements[key] == nil
      return AgreementEntry(
        preapprovalKey: key,
        records: (0..<random.next() % 3 + (isNew ? 1 : 0)).map { _ in bytes(&random, upTo: 200) },
        uses: (0..<random.next() % 4).map {
          AgreementEntry.Use(
            period: Int64($0) * 1000 - 500, payments: Int(random.next() % 5), amount: "\(random.next() % 10_000).00")
        })
    }
    return (night, keys)
  }

  @Test(
    "everything is found as it was before any run, even after runs were withdrawn and pruned", arguments: [0, 1, 2])
  func agreesWithDictionaries(course: Int) throws {
    var random = SeededGenerator()
    for _ in 0..<course { _ = random.next() }
    var model = EntryModel()
    for number in 1...15 {
      let ledger = try folder.ledger()
      let (night, keys) = night(number, model, &random)
      try ledger.begin(directory: night.entry.directory, replaces: false)
      let run = try night.enterOnly(ledger)
      if random.next() % 4 == 0 {
        try ledger.withdraw(.run(run))
      } else {
        model.enter(night, run: run, keys: keys)
      }
      try ledger.end(newKeys: keys.count)
      if random.next() % 6 == 0 {
        let day = 20_000 + number - Int(random.next() % 9)
        let pruned = try ledger.prune(before: day)
        #expect(pruned == model.prune(before: day), "\(random.reproduction)")
      }
      if number % 5 == 0 { try check(ledger, model, &random) }
    }
    #expect(try LedgerCheck(ledger: folder.path("ledger")).findings == [], "\(random.reproduction)")
  }

  private func check(_ ledger: Ledger, _ model: EntryModel, _ random: inout SeededGenerator) throws {
    let last = model.days.keys.max() ?? 0
    for end in [last + 1, .max, Int(random.next() % UInt64(last + 1)) + 1] {
      let entries = try ledger.entryLookup(before: end)
      try model.check(entries, before: end, &random)
      entries.close()
      let reading = try LedgerReading(path: ledger.path)
      try model.check(try reading.entryLookup(before: end), before: end, &random)
    }
  }

  @Test("a run whose entries cannot be entered leaves nothing")
  func allOrNothing() throws {
    var random = SeededGenerator()
    let ledger = try folder.ledger()
    let key = Fingerprint.random(&random)
    let use = AgreementEntry.Use(period: 0, payments: 1, amount: "1.00")
    var night = Night(1, keys: [key])
    night.details = [key: [1, 2]]
    night.refunds = [RefundEntry(refundKey: "r", payment: key, taken: [3])]
    // A repeated period, which comes last.
    night.agreements = [AgreementEntry(preapprovalKey: "a", records: [[4]], uses: [use, use])]
    try ledger.begin(directory: [1], replaces: false)
    #expect(throws: Failure.self) { try night.enterOnly(ledger) }
    #expect(try ledger.run(number: 1) == nil)
    let entries = try ledger.entryLookup()
    #expect(try entries.run(ofRefund: "r") == nil)
    #expect(try entries.agreement("a") == nil)
    entries.close()
    night.agreements[0].uses = [use]
    #expect(try night.enterOnly(ledger) == 1)
    try ledger.end(newKeys: 1)
    let now = try ledger.entryLookup()
    #expect(try now.run(ofRefund: "r") == 1)
    #expect(try now.details(of: SettledPayment(run: 1, key: key)) == [1, 2])
    now.close()
  }

  @Test("what is pruned does not stay in the file")
  func pruneOverwrites() throws {
    var random = SeededGenerator()
    let keys = (0..<300).map { _ in Fingerprint.random(&random) }
    var night = Night(1, keys: keys)
    night.entry.day = 9
    // Nothing in it is repeated, so it is in the file uncompressed.
    night.details = Dictionary(
      uniqueKeysWithValues: keys.map { ($0, (0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) }) })
    try night.enter(folder.ledger())
    let text = try #require(night.details?[keys[7]])
    #expect(try folder.bytes(of: "ledger").contains(text))
    let pruned = try folder.ledger().prune(before: 10)
    #expect(pruned == (1, 300))
    #expect(try !folder.bytes(of: "ledger").contains(text))
  }

  @Test(
    "the ledger takes a limited number of bytes for each payment, refund and agreement",
    arguments: [("payment", 120), ("refund", 150), ("agreement", 400)])
  func sizes(entry: String, limit: Int) throws {
    var random = SeededGenerator()
    let count = 5000
    func text(_ length: Int) -> String {
      String((0..<length).map { _ in Character(Unicode.Scalar(UInt8(97 + random.next() % 26))) })
    }
    func bytes(_ length: Int) -> [UInt8] { (0..<length).map { _ in UInt8(random.next() % 256) } }
    let keys = (0..<count).map { _ in Fingerprint.random(&random) }
    var night = Night(1, keys: entry == "payment" ? keys : [])
    switch entry {
    case "payment":
      night.details = [:]
      for key in keys {
        let accounts = Array("\(text(12))@mail.example \(text(4))@\(text(8)).example ".utf8)
        night.details?[key] = accounts + bytes(20)
      }
    case "refund":
      night.refunds = keys.map { RefundEntry(refundKey: text(36), payment: $0, taken: bytes(20)) }
    default:
      night.agreements = keys.map { _ in
        AgreementEntry(
          preapprovalKey: text(36), records: [bytes(110), bytes(30)],
          uses: (0..<2).map { AgreementEntry.Use(period: Int64($0), payments: 1, amount: "1250.00") })
      }
    }
    _ = try folder.ledger()
    let before = try folder.bytes(of: "ledger").count
    try night.enter(folder.ledger())
    let taken = (try folder.bytes(of: "ledger").count - before) / count
    #expect(taken <= limit, "\(taken) bytes a \(entry)")
  }

  @Test("each refund is found, even after so many look-ups that a filter is used", arguments: [0, 1, 70])
  func manyLookUps(refunds: Int) throws {
    var random = SeededGenerator()
    let key = Fingerprint.random(&random)
    for number in 1...2 {
      var night = Night(number, keys: number == 1 ? [key] : [])
      night.refunds = (0..<refunds).map { RefundEntry(refundKey: "r\(number)-\($0)", payment: key, taken: []) }
      try night.enter(folder.ledger())
    }
    let entries = try LedgerReading(path: folder.path("ledger")).entryLookup(before: 2)
    for number in 0..<600 {
      #expect(try entries.run(ofRefund: "r1-\(number)") == (number < refunds ? 1 : nil))
      #expect(try entries.run(ofRefund: "r2-\(number)") == nil)
      #expect(try entries.run(ofRefund: "x\(random.next())") == nil, "\(random.reproduction)")
    }
    for number in 0..<refunds { #expect(try entries.run(ofRefund: "r1-\(number)") == 1) }
  }

  @Test("a ledger that is being read lets a run write, and reports that one did")
  func readsMeanwhile() throws {
    var random = SeededGenerator()
    let keys = (0..<3).map { _ in Fingerprint.random(&random) }
    func night(_ number: Int) -> Night {
      var night = Night(number, keys: [keys[number]])
      night.details = [keys[number]: [UInt8(number)]]
      night.refunds = [RefundEntry(refundKey: "r\(number)", payment: keys[1], taken: [])]
      return night
    }
    try night(1).enter(folder.ledger())
    let reading = try LedgerReading(path: folder.path("ledger"))
    let entries = try reading.entryLookup(before: 2)
    #expect(try entries.run(ofRefund: "r1") == 1)
    try night(2).enter(folder.ledger())
    #expect(try entries.run(ofRefund: "r2") == nil)
    #expect(try entries.details(of: SettledPayment(run: 1, key: keys[1])) == [1])
    #expect(throws: Failure.self) { try reading.expectUnchanged() }
  }
}
