import Foundation
import Testing

/// Commands that settle a batch again use the rules of its run from the ledger.
@Suite("Rules that a ledger keeps")
struct KeptRulesTests {
  private let folder: CommandFolder

  /// The rules of the second night, with another value for each.
  static let rules: [(flag: String, value: String?, other: String?)] = [
    ("--fees", "cheap.json", "dear.json"), ("--splits", "splits.json", "other-splits.json"),
    ("--taxes", "taxes.json", "other-taxes.json"), ("--refund-window", "400", "180"),
    ("--unknown-fields", "note", "suspect"),
  ]
  private static let given = rules.flatMap { [$0.flag, $0.value].compactMap(\.self) }

  /// Commands for the second night's batch; each that makes a file makes `made`.
  private static let commands: [[String]] = [
    ["statement", "two.jsonl", "--all-accounts", "--format", "csv", "--output", "made"],
    ["journal", "two.jsonl", "--format", "ledger", "--output", "made"],
    ["explain", "two.jsonl", "--pay-key", "S", "--pay-key", "T", "--pay-key", "U", "--refund-key", "R"],
    ["validate", "two.jsonl"], ["verify", "out-two", "--batch", "two.jsonl"],
  ]

  /// A night whose payments are refunded in the second. Each of that night's rules changes a figure or an outcome.
  init() throws {
    folder = try CommandFolder()
    func schedule(_ rate: String) -> String {
      String(decoding: try! Data(contentsOf: Self.project.appendingPathComponent("data/fees.json")), as: UTF8.self)
        .replacing("\"0.029\"", with: "\"\(rate)\"")
    }
    try folder.write("cheap.json", schedule("0.01"))
    try folder.write("dear.json", schedule("0.05"))
    for (name, percent) in [("splits", "10"), ("other-splits", "20")] {
      try folder.write(
        "\(name).json",
        #"{"market":{"receiverPaymentDetails":[{"recipient":"m@x.example","isPrimary":true,"keep":{"percent":"\#(percent)"}},{"recipient":"s@x.example","split":{"share":"1"}}]}}"#
      )
    }
    for (name, percent) in [("taxes", "8"), ("other-taxes", "9")] {
      try folder.write(
        "\(name).json", #"{"rounding":"HALF_UP","rates":[{"country":"US","percent":"\#(percent)"}]}"#)
    }
    try folder.write(
      "one.jsonl",
      """
      {"type":"header","batchId":"one","createdAt":"2026-01-01T08:00:00Z"}
      {"payKey":"A","recipient":"shop@x.example","subTotal":"10.00"}
      {"type":"trailer","recordCount":1,"totals":{"USD":10}}
      """)
    try folder.write(
      "two.jsonl",
      """
      {"type":"header","batchId":"two","createdAt":"2026-11-20T08:00:00Z"}
      {"payKey":"S","recipient":"shop@x.example","subTotal":"100.00"}
      {"payKey":"T","splitTotal":"50.00","splitProfile":"market"}
      {"payKey":"U","recipient":"shop@x.example","subTotal":"50.00","invoiceData":{"totalTax":"4.00","totalShipping":"0"},"shippingAddress":{"countrycode":"US"}}
      {"payKey":"V","recipient":"shop@x.example","subTotal":"7.00","paymentCurency":"EUR"}
      {"type":"refund","refundKey":"R","payKey":"A","amount":"4.00","currencyCode":"USD"}
      """ + "\n" + #"{"type":"trailer","recordCount":5,"totals":{"USD":211},"refundTotals":{"USD":4}}"#)
    try folder.write(
      "strict.jsonl",
      #"{"payKey":"W","recipient":"shop@x.example","subTotal":"9.00","invoiceData":{"totalTax":"0","totalShipping":"0","invoiceItems":[{"name":"x","itemPrice":"10.00","itemCount":"1","totalPrice":"9.00"}]}}"#
    )
    let ledger = ["--ledger", "ledger"]
    #expect(try folder.run(["run", "one.jsonl", "--output", "out-one"] + ledger).exitCode == 0)
    let second = try folder.run(["run", "two.jsonl", "--output", "out-two"] + ledger + Self.given)
    #expect(second.exitCode == 0 && second.said.contains("5 records: 4 settled, 0 rejected"), "\(second.said)")
    #expect(try folder.run(["run", "strict.jsonl", "--output", "out-strict", "--strict-items"] + ledger).exitCode == 1)
  }

  private static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private var made: URL { folder.url.appendingPathComponent("made") }

  /// What a command prints and makes.
  private func outcome(_ arguments: [String]) throws -> (exitCode: Int32, said: String, files: [String: Data]) {
    try? FileManager.default.removeItem(at: made)
    let (exitCode, said) = try folder.run(arguments)
    var files: [String: Data] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) where path.hasPrefix("made") {
      files[path] = try? Data(contentsOf: folder.url.appendingPathComponent(path))
    }
    return (exitCode, said, files)
  }

  @Test("rules that are not given are the run's, and given rules may equal the run's", arguments: commands)
  func taken(command: [String]) throws {
    let before = try Data(contentsOf: folder.url.appendingPathComponent("ledger"))
    let all = try outcome(command + ["--ledger", "ledger"] + Self.given)
    #expect(all.exitCode == 0, "\(all.said)")
    #expect(command[0] != "verify" || all.said.contains("settled again, every byte is the same"))
    for left in Self.rules.map(\.flag) + [nil] {
      let given = Self.rules.filter { left != nil && $0.flag != left }.flatMap { [$0.flag, $0.value ?? ""] }
      let some = try outcome(command + ["--ledger", "ledger"] + given)
      #expect(some == all, "\(given): \(some.said)")
    }
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("ledger")) == before)
  }

  @Test("a given rule that differs from the run's is refused (78); the message names both", arguments: commands)
  func refused(command: [String]) throws {
    for rule in Self.rules {
      let other = try outcome(command + ["--ledger", "ledger", rule.flag, rule.other ?? ""])
      let values = [rule.value, rule.other].compactMap(\.self).filter { !$0.hasSuffix(".json") }
      #expect(other.exitCode == 78 && other.files.isEmpty, "\(other.said)")
      #expect(other.said.contains("ledger: run 2 settled this batch by other rules: \(rule.flag) "), "\(other.said)")
      #expect(values.allSatisfy(other.said.contains) && other.said.contains("(given: "), "\(other.said)")
    }
    let strict = try outcome(command + ["--ledger", "ledger", "--strict-items"])
    #expect(strict.exitCode == 78 && strict.said.contains("--strict-items no (given: yes)"), "\(strict.said)")
  }

  @Test("strict items are taken from the run, too")
  func strict() throws {
    let told = try folder.run(["validate", "strict.jsonl", "--ledger", "ledger"])
    #expect(told.exitCode == 1 && told.said.contains("ITEM_TOTAL_MISMATCH"), "\(told.said)")
    #expect(try folder.run(["validate", "strict.jsonl"]).exitCode == 0)
  }

  @Test("a run takes no rules from the ledger; the same batch with other rules is refused, whatever they are")
  func changed() throws {
    let before = try folder.names()
    for rule in Self.rules {
      let given = Self.rules.flatMap { [$0.flag, ($0.flag == rule.flag ? $0.other : $0.value) ?? ""] }
      let refused = try folder.run(["run", "two.jsonl", "--output", "out", "--ledger", "ledger"] + given)
      #expect(refused.exitCode == 2, "\(refused.said)")
      #expect(
        refused.said.hasPrefix(
          "two.jsonl:1: error: BATCH_RULES_CHANGED: run 2 settled this batch by other rules: \(rule.flag) "),
        "\(refused.said)"
      )
      #expect(refused.said.contains("(now ") && !refused.said.contains(", --"), "\(refused.said)")
    }
    #expect(try folder.run(["run", "two.jsonl", "--output", "out", "--ledger", "ledger"]).exitCode == 2)
    #expect(try folder.names() == before)
    let again = try folder.run(["run", "two.jsonl", "--output", "out-two", "--ledger", "ledger"] + Self.given)
    #expect(again.exitCode == 0 && again.said.hasPrefix("already settled by run 2"))
    let republished = ["run", "two.jsonl", "--output", "made", "--ledger", "ledger", "--republish"] + Self.given
    try FileManager.default.moveItem(
      at: folder.url.appendingPathComponent("out-two"), to: folder.url.appendingPathComponent("moved"))
    #expect(try folder.run(republished).exitCode == 0)
    for name in try FileManager.default.contentsOfDirectory(atPath: made.path) {
      #expect(
        try Data(contentsOf: made.appendingPathComponent(name))
          == Data(contentsOf: folder.url.appendingPathComponent("moved/\(name)")), "\(name)")
    }
  }

  @Test("history shows a run's rules, and writes their files")
  func history() throws {
    let table = try folder.run(["history", "--ledger", "ledger", "--run", "2", "--rules", "made"])
    #expect(table.exitCode == 0)
    let lines = table.said.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
    for line in ["--strict-items no", "--refund-window 400", "--unknown-fields note"] {
      #expect(lines.contains { $0 == line }, "\(table.said)")
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: made.path).sorted() == [
        "fees.json", "splits.json", "taxes.json",
      ])
    for (name, file) in [("fees", "cheap"), ("splits", "splits"), ("taxes", "taxes")] {
      #expect(
        try Data(contentsOf: made.appendingPathComponent("\(name).json"))
          == Data(contentsOf: folder.url.appendingPathComponent("\(file).json")))
    }
    #expect(try folder.run(["history", "--ledger", "ledger", "--run", "2", "--rules", "made"]).exitCode == 73)
    let object = try folder.run(["history", "--ledger", "ledger", "--run", "2", "--format", "jsonl"]).said
    let summary = String(
      decoding: try Data(contentsOf: folder.url.appendingPathComponent("out-two/summary.json")), as: UTF8.self)
    let rules = try #require(summary.firstMatch(of: /"rules":\{[^}]*\}/)).output
    #expect(object.hasSuffix(",\(rules),\"rulesKept\":true}\n"), "\(object)")
    let first = try folder.run(["history", "--ledger", "ledger", "--run", "1", "--rules", "first"])
    #expect(first.said.contains("--fees built in, SHA-256 "), "\(first.said)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.appendingPathComponent("first").path)
        == ["fees.json"])
    let none = try folder.run(["history", "--ledger", "ledger", "--run", "9"])
    #expect(none.exitCode == 1 && none.said == "settle: error: the ledger has no run 9\n")
    for wrong in [
      ["--run", "0"], ["--rules", "x"], ["--run", "1", "--last", "1"], ["--run", "1", "--batch-id", "A"],
    ] {
      #expect(try folder.run(["history", "--ledger", "ledger"] + wrong).exitCode == 64)
    }
  }

  @Test("if a refund needs details that were pruned since, the message says so (74)", arguments: commands)
  func pruned(command: [String]) throws {
    #expect(try folder.run(["prune", "--ledger", "ledger", "--before", "2026-02-01"]).exitCode == 0)
    let refused = try outcome(command + ["--ledger", "ledger"])
    #expect(refused.exitCode == 74 && refused.files.isEmpty, "\(refused.said)")
    #expect(
      refused.said.contains(
        "ledger: the batch of run 2 has refunds of payments of run 1, whose details were pruned since; it cannot be settled again"
      ), "\(refused.said)")
    // What was pruned at the time of a run is refused then and now.
    try folder.write(
      "late.jsonl",
      """
      {"type":"header","createdAt":"2026-02-02T08:00:00Z"}
      {"type":"refund","refundKey":"L","payKey":"A","amount":"1.00","currencyCode":"USD"}
      {"type":"trailer","recordCount":1,"totals":{},"refundTotals":{"USD":1}}
      """)
    #expect(try folder.run(["run", "late.jsonl", "--output", "late", "--ledger", "ledger"]).exitCode == 1)
    let late = command.map { ["two.jsonl": "late.jsonl", "out-two": "late", "R": "L"][$0] ?? $0 }
    let again = try outcome(late + ["--ledger", "ledger"])
    #expect(again.exitCode == (late[0] == "verify" ? 0 : 1), "\(again.said)")
  }
}
