import Foundation
import Testing

@testable import settle

/// The file of `--metrics`: its content, its form, and when it is replaced.
@Suite("Metrics")
struct MetricsTests {
  @Test("a run's records, totals, bytes and times; all in the text format of Prometheus and OpenMetrics")
  func ofARun() throws {
    let folder = try CommandFolder()
    try folder.write("mixed.jsonl", Self.batch)
    let begun = Int(Date().timeIntervalSince1970)
    #expect(try folder.run(["run", "mixed.jsonl", "--output", "out", "--metrics", "settle.prom"]).exitCode == 1)
    let samples = try Exposition.samples(of: Self.file("settle.prom", in: folder))
    let expected = [
      #"settle_build_info{version="1.0.0-rc.4"}"#: "1", "settle_last_run_success": "1",
      "settle_last_run_exit_code": "1",
      #"settle_last_run_outcome{outcome="published"}"#: "1",
      #"settle_last_run_outcome{outcome="published again"}"#: "0",
      #"settle_last_run_outcome{outcome="already settled"}"#: "0",
      #"settle_last_run_outcome{outcome="settled before"}"#: "0",
      #"settle_last_run_outcome{outcome="nothing published"}"#: "0",
      #"settle_last_run_records{outcome="settled"}"#: "2", #"settle_last_run_records{outcome="pending"}"#: "1",
      #"settle_last_run_records{outcome="held"}"#: "1", #"settle_last_run_records{outcome="rejected"}"#: "2",
      #"settle_last_run_records{outcome="refunded"}"#: "0", #"settle_last_run_records{outcome="agreed"}"#: "0",
      #"settle_last_run_control_totals{state="absent"}"#: "1",
      #"settle_last_run_control_totals{state="mismatch"}"#: "0",
      #"settle_last_run_control_totals{state="verified"}"#: "0", "settle_last_run_receivers": "2",
      #"settle_last_run_errors{code="AMOUNT_NOT_POSITIVE"}"#: "1",
      #"settle_last_run_errors{code="MALFORMED_JSON"}"#: "1",
      #"settle_last_run_notices{code="UNKNOWN_FIELD"}"#: "1", "settle_ledger_new": "0",
      "settle_last_run_stored_bytes": "\(Self.batch.utf8.count + 1)",
      "settle_last_run_text_bytes": "\(Self.batch.utf8.count + 1)",
      #"settle_last_run_payments{currency="JPY"}"#: "1", #"settle_last_run_payments{currency="USD"}"#: "1",
      #"settle_last_run_settled_amount{currency="JPY",figure="sender_amount"}"#: "1000",
      #"settle_last_run_settled_amount{currency="JPY",figure="sender_fees"}"#: "0",
      #"settle_last_run_settled_amount{currency="JPY",figure="receiver_net"}"#: "931",
      #"settle_last_run_settled_amount{currency="JPY",figure="fees"}"#: "69",
      #"settle_last_run_settled_amount{currency="USD",figure="sender_amount"}"#: "10.00",
      #"settle_last_run_settled_amount{currency="USD",figure="sender_fees"}"#: "0.00",
      #"settle_last_run_settled_amount{currency="USD",figure="receiver_net"}"#: "9.41",
      #"settle_last_run_settled_amount{currency="USD",figure="fees"}"#: "0.59",
      #"settle_last_run_control_amount{currency="JPY",outcome="settled"}"#: "1000",
      #"settle_last_run_control_amount{currency="JPY",outcome="pending"}"#: "0",
      #"settle_last_run_control_amount{currency="JPY",outcome="held"}"#: "0",
      #"settle_last_run_control_amount{currency="JPY",outcome="rejected"}"#: "0",
      #"settle_last_run_control_amount{currency="USD",outcome="settled"}"#: "10.00",
      #"settle_last_run_control_amount{currency="USD",outcome="pending"}"#: "2.00",
      #"settle_last_run_control_amount{currency="USD",outcome="held"}"#: "3.00",
      #"settle_last_run_control_amount{currency="USD",outcome="rejected"}"#: "0.00",
    ]
    for (name, value) in expected { #expect(samples[name] == value, "\(name)") }
    let timed = [
      "settle_last_run_timestamp_seconds", "settle_last_success_timestamp_seconds", "settle_last_run_duration_seconds",
    ]
    #expect(Set(samples.keys) == Set(expected.keys).union(timed))
    for name in timed.prefix(2) { #expect((begun...begun + 600).contains(try #require(Int(samples[name] ?? "")))) }
    #expect((0..<600).contains(try #require(Double(samples[timed[2]] ?? ""))))
  }

  @Test(
    "after a failed run the last success stays, and there are no figures of records",
    arguments: [
      ("run good.jsonl --output folder", 73), ("run headed.jsonl --output new", 2),
      ("run missing.jsonl --output new", 66),
      ("run good.jsonl --output new --fees fees.json", 78),
    ])
  func afterAFailure(_ example: (arguments: String, exitCode: Int)) throws {
    let folder = try CommandFolder()
    let metrics = folder.url.appendingPathComponent("settle.prom")
    try Data("# HELP settle_old y\nsettle_last_success_timestamp_seconds 1234567890\nx 1\n".utf8).write(to: metrics)
    let arguments = example.arguments.split(separator: " ").map(String.init) + ["--metrics", "settle.prom"]
    #expect(try folder.run(arguments).exitCode == Int32(example.exitCode))
    let samples = try Exposition.samples(of: Self.file("settle.prom", in: folder))
    #expect(samples["settle_last_success_timestamp_seconds"] == "1234567890")
    #expect(samples["settle_last_run_exit_code"] == "\(example.exitCode)")
    #expect(samples["settle_last_run_success"] == "0")
    #expect(samples[#"settle_last_run_outcome{outcome="nothing published"}"#] == "1")
    #expect(samples.count == 12)
  }

  @Test("a verification reports what it found, in a file that is never a run's, and the other way round")
  func ofAVerification() throws {
    let folder = try CommandFolder()
    #expect(try folder.run(["run", "good.jsonl", "--output", "out", "--metrics", "run.prom"]).exitCode == 0)
    func verify(_ directory: String, in file: String = "verify.prom") throws -> (exitCode: Int32, [String: String]) {
      let exitCode = try folder.run(["verify", directory, "--metrics", file]).exitCode
      var samples = try Exposition.samples(of: Self.file(file, in: folder))
      #expect(samples.removeValue(forKey: "settle_last_verify_timestamp_seconds") != nil || file == "run.prom")
      return (exitCode, samples)
    }
    let good = [
      "settle_last_verify_success": "1", "settle_last_verify_exit_code": "0", "settle_last_verify_findings": "0",
      "settle_last_verify_payments": "1",
    ]
    #expect(try verify("out") == (0, good))
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("out/control.csv"))
    let (exitCode, bad) = try verify("out")
    #expect(exitCode == 1 && bad["settle_last_verify_success"] == "0" && bad["settle_last_verify_findings"] != "0")
    #expect(
      try verify("missing") == (66, ["settle_last_verify_success": "0", "settle_last_verify_exit_code": "66"]))
    #expect(try verify("out", in: "run.prom").exitCode == 73)
    #expect(try folder.run(["run", "good.jsonl", "--output", "new", "--metrics", "verify.prom"]).exitCode == 73)
    #expect(try folder.run(["verify", "out", "--metrics", "out/settle.prom"]).exitCode == 64)
  }

  @Test(
    "what an earlier file says about the last success",
    arguments: [
      ("", nil), ("settle_last_success_timestamp_seconds 17\n", 17), ("settle_last_success_timestamp_seconds 17", 17),
      ("settle_last_success_timestamp_seconds -17\n", nil), ("settle_last_success_timestamp_seconds 1.5\n", nil),
      ("settle_last_success_timestamp_seconds 99999999999999999999\n", nil), ("\u{0}\u{FFFD}", nil),
      ("# settle_last_success_timestamp_seconds 17\n", nil),
    ] as [(String, Int?)])
  func lastSuccess(text: String, time: Int?) {
    #expect(MetricsFile.lastSuccess(in: text) == time)
  }

  @Test("the file is replaced, never overwritten; what a killed run left behind is reused")
  func replaced() throws {
    let folder = try CommandFolder()
    let metrics = folder.url.appendingPathComponent("settle.prom")
    let leftover = folder.url.appendingPathComponent(".settle.prom.partial")
    try Data("half a fi".utf8).write(to: leftover)
    #expect(try folder.run(["run", "good.jsonl", "--output", "out", "--metrics", "settle.prom"]).exitCode == 0)
    let kept = try FileHandle(forReadingFrom: metrics)
    let first = try Data(contentsOf: metrics)
    #expect(try folder.run(["run", "good.jsonl", "--output", "out", "--metrics", "settle.prom"]).exitCode == 73)
    #expect(kept.readDataToEndOfFile() == first)
    #expect(try Data(contentsOf: metrics) != first)
    #expect(!FileManager.default.fileExists(atPath: leftover.path))
  }

  @Test("metrics that cannot be written are a warning, and everything else is done", arguments: ["none", "good.jsonl"])
  func noFolder(_ name: String) throws {
    let folder = try CommandFolder()
    for arguments in [["run", "good.jsonl", "--output", "out"], ["verify", "out"]] {
      let said = try folder.run(arguments + ["--metrics", "\(name)/settle.prom"])
      #expect(said.exitCode == 0 && said.said.contains("warning: the metrics are not written: \(name)"), "\(said)")
    }
  }

  @Test("a dash is a file's name like any other")
  func dash() throws {
    let folder = try CommandFolder()
    for (output, exitCode) in [("out", 0), ("folder", 73)] as [(String, Int32)] {
      #expect(try folder.run(["run", "good.jsonl", "--output", output, "--metrics", "-"]).exitCode == exitCode)
      let samples = try Exposition.samples(of: Self.file("-", in: folder))
      #expect(samples["settle_last_run_exit_code"] == "\(exitCode)")
      #expect(samples[MetricsFile.Kind.run.lastSuccessName] != nil)
    }
  }

  @Test("eight runs at once leave a complete file")
  func together() throws {
    let folder = try CommandFolder()
    let processes = try (0..<8).map { number in
      try folder.start("exec \"$SETTLE\" run good.jsonl --output out\(number) --metrics settle.prom")
    }
    for process in processes {
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
    #expect(try Exposition.samples(of: Self.file("settle.prom", in: folder))["settle_last_run_success"] == "1")
    #expect(try folder.names().filter { $0.hasSuffix(".partial") } == [])
  }

  @Test(
    "a disk without room for metrics changes no exit code",
    .disabled(
      if: ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil,
      "ThreadSanitizer maps a file of its own, which is longer than the limit"))
  func fullDisk() throws {
    let folder = try CommandFolder()
    // The reports fit into the limit of a file's size, the metrics do not.
    let metrics = folder.url.appendingPathComponent("settle.prom")
    let process = try folder.start(
      "ulimit -f 2; exec \"$SETTLE\" run good.jsonl --output out --metrics settle.prom 2>said")
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(!FileManager.default.fileExists(atPath: metrics.path))
    let said = try String(contentsOf: folder.url.appendingPathComponent("said"), encoding: .utf8)
    #expect(said == "settle: warning: the metrics are not written: settle.prom: cannot be written: File too large\n")
  }

  private static let batch = """
    {"payKey":"A","recipient":"a@b.example","subTotal":"10.00","colour":1}
    {"payKey":"B","recipient":"a@b.example","subTotal":"1000","paymentCurrency":"JPY"}
    {"payKey":"C","recipient":"a@b.example","subTotal":"2.00","status":"STATUS_CREATED"}
    {"payKey":"D","recipient":"a@b.example","subTotal":"3.00","status":"STATUS_OTHER"}
    {"payKey":"E","recipient":"a@b.example","subTotal":"0.00"}
    nonsense
    """

  private static func file(_ name: String, in folder: CommandFolder) throws -> String {
    try String(contentsOf: folder.url.appendingPathComponent(name), encoding: .utf8)
  }
}

/// A strict reader of the text format that Prometheus takes (Prometheus, *Exposition formats*, text version 0.0.4).
enum Exposition {
  struct Malformed: Error {
    let line: String
  }

  /// The samples by name and labels. Throws if a family has no help and type before its samples, occurs in two places,
  /// or has a sample twice; if a name, label or value is invalid; and if the last line is not `# EOF`.
  static func samples(of text: String) throws -> [String: String] {
    var samples: [String: String] = [:]
    var families: Set<String> = []
    var family = ""
    var isTyped = false
    guard text.hasSuffix("\n# EOF\n") else { throw Malformed(line: "the last one") }
    for line in text.dropLast(7).split(separator: "\n", omittingEmptySubsequences: false) {
      if let help = line.wholeMatch(of: /# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) [^\n\\]+/) {
        family = String(help.1)
        isTyped = false
        guard families.insert(family).inserted else { throw Malformed(line: String(line)) }
      } else if let type = line.wholeMatch(of: /# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (gauge|counter)/) {
        guard type.1 == family, !isTyped else { throw Malformed(line: String(line)) }
        isTyped = true
      } else if let sample = line.wholeMatch(
        of:
          /([a-zA-Z_:][a-zA-Z0-9_:]*)({[a-zA-Z_][a-zA-Z0-9_]*="[^"\\\n]*"(,[a-zA-Z_][a-zA-Z0-9_]*="[^"\\\n]*")*})? (-?[0-9]+(\.[0-9]+)?)/
      ) {
        guard sample.1 == family, isTyped else { throw Malformed(line: String(line)) }
        let old = samples.updateValue(String(sample.4), forKey: "\(sample.1)\(sample.2 ?? "")")
        guard old == nil else { throw Malformed(line: String(line)) }
      } else {
        throw Malformed(line: String(line))
      }
    }
    return samples
  }
}
