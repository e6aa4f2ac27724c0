import Foundation
import Testing

/// Commands that read a ledger of several nights and never write to it.
@Suite("A ledger that is read")
struct ReadLedgerTests {
  private let folder: CommandFolder

  /// Two nights: the second repeats a payment of the first. A third batch, not settled yet, also contains it.
  init() throws {
    folder = try CommandFolder()
    for (name, keys) in [("one", ["A", "B"]), ("two", ["B", "C"]), ("three", ["B", "D"])] {
      let header = #"{"type":"header","batchId":"\#(name)","createdAt":"2026-11-20T08:00:00Z"}"#
      let payments = keys.map { #"{"payKey":"\#($0)","recipient":"shop@x.example","subTotal":"10.00"}"# }
      let trailer = #"{"type":"trailer","recordCount":2,"totals":{"USD":20}}"#
      try folder.write("\(name).jsonl", ([header] + payments + [trailer]).joined(separator: "\n"))
    }
    #expect(try folder.run(["run", "one.jsonl", "--output", "out-one", "--ledger", "ledger"]).exitCode == 0)
    #expect(try folder.run(["run", "two.jsonl", "--output", "out-two", "--ledger", "ledger"]).exitCode == 1)
  }

  private func bytes(_ name: String) throws -> Data { try Data(contentsOf: folder.url.appendingPathComponent(name)) }

  static let nights: [(batch: String, ledger: [String], keys: [String])] = [
    ("one", ["--ledger", "ledger"], ["A", "B"]), ("two", ["--ledger", "ledger"], ["C"]),
    ("three", ["--ledger", "ledger"], ["D"]), ("two", [], ["B", "C"]),
  ]

  @Test("statements and journals contain what the batch's own night settled", arguments: nights)
  func settledThen(batch: String, ledger: [String], keys: [String]) throws {
    let before = try bytes("ledger")
    let statement = try folder.run(
      ["statement", "\(batch).jsonl", "--all-accounts", "--format", "csv", "--output", "made"] + ledger)
    #expect(statement.exitCode == (keys.count == 2 ? 0 : 1))
    let rows = String(decoding: try bytes("made/1.csv"), as: UTF8.self).split(separator: "\n").dropFirst()
    #expect(rows.compactMap { $0.split(separator: ",").first.map(String.init) } == keys)
    let journal = try folder.runApart(["journal", "\(batch).jsonl", "--format", "hledger", "--output", "-"] + ledger)
    let days = journal.output.split(separator: "\n").filter { $0.wholeMatch(of: /2026-11-20 [A-Z]/) != nil }
    #expect(days.map { String($0.suffix(1)) } == keys)
    for said in [statement.said, journal.error] {
      #expect(said.contains("settle: warning: no ledger given") == ledger.isEmpty, "\(said)")
    }
    #expect(try bytes("ledger") == before)
    #expect(try folder.names().filter { $0.hasPrefix("ledger") } == ["ledger", "ledger-lock"])
  }

  @Test("a validation reports what a run would reject or refuse", arguments: nights)
  func validated(batch: String, ledger: [String], keys: [String]) throws {
    let before = try bytes("ledger")
    let told = try folder.runApart(["validate", "\(batch).jsonl", "--log-level", "warning"] + ledger)
    let settled = "error: ALREADY_SETTLED at /payKey: payKey is \"B\"; run 1 settled a payment with the same\n"
    #expect(told.output == (keys.count == 2 ? "" : "\(batch).jsonl:2: \(settled)"))
    #expect(told.exitCode == (keys.count == 2 ? 0 : 1))
    #expect(told.error.isEmpty, "\(told.error)")
    let text = String(decoding: try bytes("\(batch).jsonl"), as: UTF8.self)
    try folder.write("other.jsonl", text.replacing("10.00", with: "10.0"))
    let other = try folder.runApart(["validate", "other.jsonl", "--format", "jsonl"] + ledger)
    #expect(other.exitCode == (ledger.isEmpty ? 0 : batch == "three" ? 1 : 2))
    #expect(other.output.contains("BATCH_ID_REUSED") == (other.exitCode == 2), "\(other.output)")
    #expect(try bytes("ledger") == before)
  }

  @Test("an explanation names the earlier night")
  func explained() throws {
    let again = try folder.run(["explain", "two.jsonl", "--pay-key", "B", "--ledger", "ledger"])
    #expect(again.exitCode == 1 && again.said.contains("run 1 settled a payment with the same"), "\(again.said)")
    let first = try folder.run(["explain", "one.jsonl", "--pay-key", "B", "--ledger", "ledger"])
    #expect(first.exitCode == 0 && first.said.hasPrefix("Payment B: SETTLED"), "\(first.said)")
    let unasked = try folder.run(["explain", "two.jsonl", "--pay-key", "B"])
    #expect(unasked.exitCode == 0 && unasked.said.contains("no ledger given"))
  }

  @Test(
    "messages are the same with and without a ledger; a warning says what was not checked",
    arguments: [
      ("two", ["--ledger", "ledger"], ""), ("two", [], "no ledger given"),
      ("three", ["--ledger", "ledger"], "ledger: has no run with these reports: out-three"),
    ])
  func notified(batch: String, ledger: [String], warning: String) throws {
    let before = try bytes("ledger")
    _ = try folder.run(["run", "three.jsonl", "--output", "out-three"])
    let notify = ["notify", "out-\(batch)", "\(batch).jsonl", "--output", "-", "--log-level", "warning"]
    let told = try folder.runApart(notify + ledger)
    #expect(told.exitCode == 0, "\(told.error)")
    #expect(warning.isEmpty ? told.error.isEmpty : told.error.contains(warning), "\(told.error)")
    #expect(try folder.runApart(notify).output == told.output)
    #expect(try folder.runApart(notify + ["--ledger", "none"]).exitCode == 66)
    #expect(try bytes("ledger") == before)
  }

  @Test("verification reads the ledger instead of believing the reports")
  func verified() throws {
    let arguments = ["verify", "out-two", "--batch", "two.jsonl", "--ledger", "ledger"]
    let good = try folder.run(arguments)
    #expect(good.exitCode == 0 && !good.said.contains("only the ledger can confirm"), "\(good.said)")
    // Someone changed which run the reports name; without the ledger that would be believed.
    try folder.write(
      "out-two/exceptions.csv",
      String(
        String(decoding: try bytes("out-two/exceptions.csv"), as: UTF8.self).replacing("run 1 ", with: "run 7 ")
          .dropLast()))
    let forged = try folder.run(arguments)
    #expect(forged.exitCode == 1 && forged.said.contains("settling the batch again gives"), "\(forged.said)")
    #expect(try !folder.run(Array(arguments.dropLast(2))).said.contains("settling the batch again gives"))
  }

  @Test("a missing ledger is not made")
  func missing() throws {
    for command in [["explain", "one.jsonl", "--pay-key", "A"], ["verify", "out-one", "--batch", "one.jsonl"]] {
      let missing = try folder.run(command + ["--ledger", "no-ledger"])
      #expect(missing.exitCode == 66 && missing.said.contains("no-ledger: there is no such ledger"), "\(missing.said)")
    }
    #expect(try !folder.names().contains("no-ledger"))
    let missing = try folder.run(["verify", "out-one", "--ledger", "no-ledger"])
    #expect(missing.exitCode == 66, "\(missing.said)")
  }
}
