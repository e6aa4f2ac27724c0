import BatchRun
import Failures
import Testing
import TestSupport
import Verification

/// Reports of a night that rejects what an earlier one settled: they also verify without the ledger.
@Suite("Reports of a run with a ledger")
struct LedgerNightsTests {
  private static let first = #"""
    {"payKey":"A","recipient":"a@b.example","subTotal":"10.00"}
    {"payKey":"B","recipient":"a@b.example","subTotal":"20.00"}

    """#
  private static let second = #"""
    {"payKey":"C","recipient":"a@b.example","subTotal":"1.00"}
    {"payKey":"A","recipient":"a@b.example","subTotal":"10.00"}
    {"payKey":"A","recipient":"a@b.example","subTotal":"0.00"}
    {"payKey":"D","recipient":"a@b.example","subTotal":"2.00"}
    {"payKey":"B","status":"STATUS_CREATED","recipient":"a@b.example","subTotal":"3.00"}

    """#

  private static func settle(_ folder: TemporaryFolder) throws {
    for (name, text) in [("one", first), ("two", second)] {
      try folder.write(Array(text.utf8), to: "\(name).jsonl")
      try settle([folder.path("\(name).jsonl")], output: folder.path(name), ledger: folder.path("ledger"))
    }
  }

  /// Settles a batch once the previous run has released the lock.
  private static func settle(
    _ files: [String], output: String, ledger: String, options: RunOptions = RunOptions(threads: 1)
  ) throws {
    _ = try openingWhenFree(isBusy: { $0.exitCode == Failure.busy("").exitCode }) { () throws(Failure) in
      try BatchRun.settle(files, output: output, replace: false, options: options, ledger: ledger)
    }
  }

  /// A batch with lines that repeat keys of their own night and of earlier ones, and that also have errors.
  private static func night(_ random: inout SeededGenerator) -> String {
    (1...300).map { _ in
      let key = "K-\(random.next() % 900)"
      return switch random.next() % 8 {
      case 0: #"{"payKey":"\#(key)","recipient":"a@b.example","subTotal":"-1","feePayer":"X"}"#
      case 1: #"{"payKey":"\#(key)","status":"STATUS_CREATED","recipient":"a@b.example","subTotal":"3.00"}"#
      case 2: #"{"payKey":"\#(key)","status":"STATUS_OTHER","recipient":"a@b.example","subTotal":"4.00"}"#
      case 3: #"{"payKey":"\#(key)","recipient":"a@b.example""#
      default: #"{"payKey":"\#(key)","recipient":"a@b.example","subTotal":"5.00"}"#
      }
    }.joined(separator: "\n")
  }

  @Test("ten nights with overlapping keys, each verified with its batch", arguments: [1, 3])
  func tenNights(threads: Int) throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator()
    var told = 0
    for number in 1...10 {
      let path = try folder.write(Array(Self.night(&random).utf8), to: "night-\(number).jsonl")
      let output = folder.path("night-\(number)")
      try Self.settle(
        [path], output: output, ledger: folder.path("ledger"),
        options: RunOptions(threads: threads, plainChunkLength: 900))
      let options = RunOptions(threads: 4 - threads, plainChunkLength: 500)
      let result = try Verification.verify(output, batch: Verification.SettledBatch(paths: [path], options: options))
      #expect(result.findings.map(\.text) == [], "night \(number), \(random.reproduction)")
      #expect((result.settledEarlier == 0) == (number == 1))
      told += result.settledEarlier
    }
    #expect(told > 300, "\(random.reproduction)")
  }

  private static func verify(_ folder: TemporaryFolder, withBatch: Bool) throws -> [String] {
    let batch = Verification.SettledBatch(paths: [folder.path("two.jsonl")], options: RunOptions(threads: 2))
    return try Verification.verify(folder.path("two"), batch: withBatch ? batch : nil).findings.map(\.text)
  }

  @Test("reports that refund payments of earlier nights are settled again with their ledger only")
  func refundsNeedLedger() throws {
    let folder = try TemporaryFolder()
    for (name, text) in [("one", Self.first), ("two", #"{"type":"refund","refundKey":"R","payKey":"A"}"#)] {
      try folder.write(Array(text.utf8), to: "\(name).jsonl")
      try Self.settle([folder.path("\(name).jsonl")], output: folder.path(name), ledger: folder.path("ledger"))
    }
    #expect(try Self.verify(folder, withBatch: false) == [])
    let failure = #expect(throws: Failure.self) { try Self.verify(folder, withBatch: true) }
    #expect(failure?.exitCode == 64)
  }

  @Test("keys of earlier nights are believed as in the reports")
  func verifies() throws {
    let folder = try TemporaryFolder()
    try Self.settle(folder)
    let exceptions = String(decoding: try folder.bytes(of: "two/exceptions.csv"), as: UTF8.self)
    #expect(exceptions.components(separatedBy: "ALREADY_SETTLED").count == 4)
    #expect(try Self.verify(folder, withBatch: false) == [])
    #expect(try Self.verify(folder, withBatch: true) == [])
  }

  @Test("a row that is removed, or names another run or key, is found")
  func tampered() throws {
    let folder = try TemporaryFolder()
    try Self.settle(folder)
    let original = String(decoding: try folder.bytes(of: "two/exceptions.csv"), as: UTF8.self)
    let rows = original.split(separator: "\n").filter { $0.contains("ALREADY_SETTLED") }
    for row in rows {
      for change in [
        "", row.replacing("run 1", with: "run x") + "\n",
        row.replacing(",B,", with: ",A,").replacing(",A,", with: ",Z,") + "\n",
      ] {
        try folder.write(Array(original.replacing(row + "\n", with: change).utf8), to: "two/exceptions.csv")
        let findings = try Self.verify(folder, withBatch: true)
        #expect(findings.contains { !$0.hasPrefix("SHA256SUMS") }, "\(change)")
      }
    }
  }

  @Test("only the ledger knows which run settled a key")
  func otherRun() throws {
    let folder = try TemporaryFolder()
    try Self.settle(folder)
    let original = String(decoding: try folder.bytes(of: "two/exceptions.csv"), as: UTF8.self)
    try folder.write(Array(original.replacing("run 1", with: "run 23").utf8), to: "two/exceptions.csv")
    #expect(try Self.verify(folder, withBatch: true).allSatisfy { $0.hasPrefix("SHA256SUMS") })
  }

  @Test("a key that is settled cannot have been settled earlier, and an error of the key has one")
  func contradictions() throws {
    let folder = try TemporaryFolder()
    try Self.settle(folder)
    let original = String(decoding: try folder.bytes(of: "two/exceptions.csv"), as: UTF8.self)
    for (key, reason) in [
      ("D", "another payment with the same pay key is not rejected"), ("", "an error of a key has one"),
    ] {
      let forged = original.replacing(",B,REJECTED", with: ",\(key),REJECTED")
      #expect(forged != original)
      try folder.write(Array(forged.utf8), to: "two/exceptions.csv")
      #expect(try Self.verify(folder, withBatch: false).contains { $0.contains("pay_key") && $0.hasSuffix(reason) })
    }
  }

  /// What verify cannot know: see the target's README.
  @Test("a payment that is reported as settled earlier is believed to be, and counted")
  func believed() throws {
    let folder = try TemporaryFolder()
    try Self.settle(folder)
    let batch = Verification.SettledBatch(paths: [folder.path("two.jsonl")], options: RunOptions(threads: 1))
    #expect(try Verification.verify(folder.path("two"), batch: batch).settledEarlier == 3)
    // The other ledger has settled C, too: for the first ledger, the same reports would be a forgery.
    try folder.write(Array(#"{"payKey":"C","recipient":"a@b.example","subTotal":"1.00"}"#.utf8), to: "zero.jsonl")
    for (batch, output) in [("zero", "0"), ("one", "1"), ("two", "forged")] {
      try Self.settle(
        [folder.path("\(batch).jsonl")], output: folder.path(output), ledger: folder.path("other-ledger"))
    }
    let forged = try Verification.verify(folder.path("forged"), batch: batch)
    #expect(forged.isGood && forged.settledEarlier == 4)
  }
}
