import Input
import Foundation
import SampleBatch
import Records
import Testing

@Suite struct SampleBatchTests {
  @Test(arguments: [false, true])
  func threadsDoNotChangeTheBytes(isLZ4: Bool) throws {
    func bytes(threads: Int) throws -> [UInt8] {
      let options = SampleBatchOptions(payments: 9000, seed: 4, defectsPerMillion: 5000, threads: threads)
      return try batch(options, isLZ4: isLZ4).bytes
    }
    let one = try bytes(threads: 1)
    #expect(try bytes(threads: 2) == one)
    #expect(try bytes(threads: 7) == one)
  }

  @Test func seedsMakeDifferentBatches() throws {
    let one = try lines(SampleBatchOptions(payments: 50, seed: 1))
    let two = try lines(SampleBatchOptions(payments: 50, seed: 2))
    #expect(one[1] != two[1])
    #expect(Set(one[1...50]).count == 50)
  }

  @Test("another first day moves every day and changes no amount; the batch has another identifier")
  func firstDay() throws {
    var options = SampleBatchOptions(payments: 200, seed: 5, features: [.cards, .preapprovals, .refunds])
    (options.night, options.nights) = (2, 3)
    let usual = try lines(options).map { String(decoding: $0, as: UTF8.self) }
    options.firstDay = CalendarDay("2028-02-28")!
    let moved = try lines(options).map { String(decoding: $0, as: UTF8.self) }
    #expect(usual[0].contains(#""createdAt":"2026-11-21T00:00:00Z""#))
    #expect(moved[0].contains(#""batchId":"sample-5-200-f28-2of3-t21242","createdAt":"2028-03-01T00:00:00Z""#))
    #expect(moved.count == usual.count && moved.last == usual.last)
    #expect(moved.contains { $0.contains(#""createdAt":"2028-02-29T"#) })
  }

  /// The hashes are in `golden.txt`; `SETTLE_RECORD=1` writes them again.
  @Test func bytesStayAsRecorded() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "golden.txt")
    let hashes = try [UInt32(0), 20_000, 1_000_000].map { rate in
      let bytes = try batch(SampleBatchOptions(payments: 5000, seed: 42, defectsPerMillion: rate, threads: 2)).bytes
      return "\(rate) \(bytes.count) \(String(fowlerNollVo(bytes), radix: 16))\n"
    }
    if ProcessInfo.processInfo.environment["SETTLE_RECORD"] == "1" {
      try Data(hashes.joined().utf8).write(to: file)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == hashes.joined())
  }

  private func fowlerNollVo(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  @Test func recordsAreAsLongAsAsked() throws {
    let options = SampleBatchOptions(payments: 20_000, seed: 3, threads: 2)
    let plain = try batch(options).summary
    let stored = try batch(options, isLZ4: true).summary
    #expect((1435...1495).contains(plain.bytes / 20_000))
    #expect(stored.bytes == plain.bytes)
    #expect((38...48).contains(10 * stored.bytes / stored.storedBytes))
  }

  @Test(arguments: [UInt32(0), 20_000])
  func compressedTextIsThePlainText(rate: UInt32) throws {
    let options = SampleBatchOptions(payments: 6000, seed: 8, defectsPerMillion: rate, threads: 2)
    let plain = try batch(options)
    let stored = try batch(options, isLZ4: true)
    #expect(plain.summary.storedBytes == UInt64(plain.bytes.count))
    #expect(stored.summary.storedBytes == UInt64(stored.bytes.count))
    #expect(try expanded(stored.bytes) == plain.bytes)
  }

  private func expanded(_ stored: [UInt8]) throws -> [UInt8] {
    let path = FileManager.default.temporaryDirectory.appending(path: "sample-\(UUID().uuidString).lz4").path()
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(stored).write(to: URL(filePath: path))
    let file = try StoredBatchFile(path: path)
    let chunk = TextChunk()
    let verifier = ContentVerifier()
    var text: [UInt8] = []
    while try file.readNext(into: chunk) {
      chunk.expand()
      #expect(verifier.verify(chunk) == nil)
      text.append(chunk.span)
    }
    return text
  }

  @Test func headerAndTrailerFrameTheBatch() throws {
    let records = try lines(SampleBatchOptions(payments: 3, seed: 5))
    #expect(records.count == 5)
    let header = try #require(json(records[0]) as? [String: Any])
    #expect(header["type"] as? String == "header")
    #expect(header["batchId"] as? String == "sample-5-3")
    let trailer = try #require(json(records[4]) as? [String: Any])
    #expect(trailer["type"] as? String == "trailer")
    #expect(trailer["recordCount"] as? Int == 3)
  }

  @Test func theBatchIDNamesWhatNightsShare() throws {
    func id(_ change: (inout SampleBatchOptions) -> Void = { _ in }, accounts: Int? = 500) throws -> String {
      var options = SampleBatchOptions(payments: 1, seed: 7, accounts: accounts, features: .refunds)
      (options.night, options.nights) = (2, 3)
      change(&options)
      let header = try #require(json(try lines(options)[0]) as? [String: Any])
      return try #require(header["batchId"] as? String)
    }
    #expect(try id() == "sample-7-1-a500-f8-2of3")
    #expect(try id(accounts: nil) == "sample-7-1-f8-2of3")
    #expect(try id(accounts: 100) == "sample-7-1-f8-2of3")
    #expect(try id { $0.seed = 8 } == "sample-8-1-a500-f8-2of3")
    #expect(try id { $0.payments = 2 } == "sample-7-2-a500-f8-2of3")
    #expect(try id { $0.defectsPerMillion = 300 } == "sample-7-1-a500-d300-f8-2of3")
    #expect(try id { $0.features = [.splits, .refunds] } == "sample-7-1-a500-f9-2of3")
    #expect(try id { $0.nights = 4 } == "sample-7-1-a500-f8-2of4")
    #expect(try id { $0.threads = 2 } == id())
    // The longest batch id; no test can wait for such a batch.
    var options = SampleBatchOptions(
      payments: 1_000_000_000, seed: .max, defectsPerMillion: 1_000_000, accounts: 100_000_000,
      features: [.refunds, .preapprovals])
    (options.night, options.nights) = (300, 300)
    let longest = try firstLine(options)
    #expect(longest.contains(#""batchId":"18446744073709551615-1000000000-a100000000-d1000000-f24-300of300""#))
  }

  private func firstLine(_ options: SampleBatchOptions) throws -> String {
    struct Enough: Error {}
    var line = ""
    do {
      _ = try SampleBatch.write(options, isLZ4: false) { bytes in
        line = String(decoding: bytes.extracting(first: bytes.place(of: UInt8(ascii: "\n"))!))
        throw Enough()
      }
    } catch is Enough {}
    return line
  }

  @Test func emptyBatchHasHeaderAndTrailer() throws {
    let (bytes, summary) = try batch(SampleBatchOptions(payments: 0, seed: 5, defectsPerMillion: 10))
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasSuffix("\n" + #"{"type":"trailer","recordCount":0,"totals":{}}"# + "\n"))
    #expect(summary.payments == 0)
    #expect(summary.defects == 0)
  }

  @Test func totalsAreThoseOfThePayments() throws {
    let options = SampleBatchOptions(payments: 4000, seed: 6)
    let trailer = try #require((json(try lines(options)[4001]) as? [String: Any]).map(Payment.init))
    let totals = try #require(trailer.object("totals"))
    var sums: [String: Decimal] = [:]
    for payment in try payments(options) { sums[payment.currency, default: 0] += payment.controlAmount }
    #expect(sums.count == 24)
    #expect(Set(totals.fields.keys) == Set(sums.keys))
    for (currency, sum) in sums { #expect(totals.decimal(currency) == sum, "\(currency)") }
  }

  @Test func failuresOfTheOutputEndTheRun() {
    struct Full: Error {}
    var calls = 0
    #expect(throws: Full.self) {
      _ = try SampleBatch.write(SampleBatchOptions(payments: 20_000, seed: 1, threads: 2), isLZ4: true) { _ in
        calls += 1
        if calls == 3 { throw Full() }
      }
    }
    #expect(calls == 3)
  }
}
