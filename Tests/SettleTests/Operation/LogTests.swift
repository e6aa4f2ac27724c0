import Foundation
import Glibc
import Testing

@testable import settle

/// The output on standard error, in both forms.
@Suite("Log lines")
struct LogTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let arguments: String
    let exitCode: Int32
    /// The level and the beginning of the message of each line.
    let lines: [String]
    var testDescription: String { arguments }
  }

  static let cases = [
    Case(
      arguments: "run good.jsonl --output out", exitCode: 0,
      lines: ["info run started", "info batch settled", "info reports written", "info run ended"]),
    Case(
      arguments: "run good.jsonl --output out --log-level notice", exitCode: 0, lines: []),
    Case(
      arguments: "run headed.jsonl --output out", exitCode: 2,
      lines: ["info run started", "error TRAILER_MISSING: headed.jsonl: the batch has a header", "info run ended"]),
    Case(
      arguments: "run wrong.jsonl --output out --control-totals warn", exitCode: 0,
      lines: [
        "info run started", "info batch settled", "info reports written",
        "warning CONTROL_COUNT_MISMATCH: the trailer counts", "info run ended",
      ]),
    Case(
      arguments: "run missing.jsonl --output out --log-level error", exitCode: 66,
      lines: ["error missing.jsonl: cannot open the file"]),
    Case(arguments: "run good.jsonl --output folder --log-level error", exitCode: 73, lines: ["error folder: "]),
    Case(arguments: "run good.jsonl", exitCode: 64, lines: ["error Missing expected argument '--output <dir>'"]),
    Case(arguments: "run good.jsonl --output out --threads x", exitCode: 64, lines: ["error The value 'x' is invalid"]),
    Case(
      arguments: "run good.jsonl --output out --ledger out --log-level error", exitCode: 64,
      lines: ["error --output names the ledger"]),
    Case(
      arguments: "validate bad.jsonl", exitCode: 1,
      lines: ["notice 1 record: 0 valid, 1 rejected with 1 error"]),
    Case(arguments: "verify damaged", exitCode: 1, lines: ["notice damaged: verification failed: 9 findings"]),
    Case(arguments: "verify folder", exitCode: 66, lines: ["error folder: this directory holds no reports"]),
    Case(arguments: "verify nowhere", exitCode: 66, lines: ["error nowhere: cannot open the directory"]),
    Case(
      arguments: "explain good.jsonl --pay-key X", exitCode: 1,
      lines: ["warning no ledger given (--ledger)", "error no payment with the key X"]),
    Case(
      arguments: "generate --payments 1 --seed 1 --output g.jsonl", exitCode: 0, lines: ["notice 1 payment, 0 of them"]
    ),
    Case(arguments: "--log-format=json", exitCode: 64, lines: ["error Unknown option '--log-format'"]),
  ]

  @Test("json: every line on standard error is an object with time, level and message", arguments: cases)
  func everyLine(_ example: Case) throws {
    let folder = try CommandFolder()
    try folder.write("wrong.jsonl", #"{"payKey":"A"}"# + "\n" + #"{"type":"trailer","recordCount":5,"totals":{}}"#)
    try folder.write(
      "wrong.jsonl",
      #"{"payKey":"A","recipient":"a@b.example","subTotal":1}"# + "\n"
        + #"{"type":"trailer","recordCount":5,"totals":{"USD":1}}"#)
    let arguments = example.arguments.split(separator: " ").map(String.init)
    let (exitCode, _, error) = try folder.runApart(
      arguments + (arguments[0] == "--log-format=json" ? [] : ["--log-format", "json"]))
    #expect(exitCode == example.exitCode, "\(error)")
    let lines = try Self.objects(error)
    #expect(lines.count == example.lines.count, "\(error)")
    for (line, expected) in zip(lines, example.lines) {
      #expect("\(line["level"] ?? "") \(line["message"] ?? "")".hasPrefix(expected), "\(error)")
      #expect((line["time"] as? String)?.count == 24)
    }
    if let last = lines.last, last["message"] as? String == "run ended" {
      #expect(last["exitCode"] as? Int32 == exitCode)
      #expect(last["outcome"] as? String == (exitCode <= 1 ? "published" : "nothing published"))
    }
  }

  @Test("a run whose batch is settled already reports what it wrote, in the log and in the metrics")
  func alreadySettled() throws {
    let folder = try CommandFolder()
    let metrics = folder.url.appendingPathComponent("m.prom")
    func end(
      _ output: String, _ more: [String] = [], exitCode expected: Int32 = 0
    ) throws -> (outcome: String?, samples: [String: String]) {
      let (exitCode, _, error) = try folder.runApart(
        [
          "run", "good.jsonl", "--output", output, "--ledger", "ledger", "--metrics", "m.prom", "--log-format", "json",
        ] + more)
      #expect(exitCode == expected, "\(error)")
      let lines = try Self.objects(error)
      if expected == 3 {
        let refused = lines.first { $0["level"] as? String == "error" }
        #expect(refused?["run"] as? Int == 1 && refused?["exitCode"] as? Int == 3)
        #expect((refused?["directory"] as? String)?.hasSuffix("/out") == true)
        #expect((refused?["message"] as? String)?.contains("--republish") == true)
      }
      let last = lines.last
      let samples = try Exposition.samples(of: String(contentsOf: metrics, encoding: .utf8))
      for (name, value) in samples where name.hasPrefix("settle_last_run_outcome") {
        #expect((value == "1") == name.contains("\"\(last?["outcome"] ?? "")\""), "\(name) \(value)")
      }
      #expect(samples["settle_last_run_success"] == (expected == 3 ? "0" : "1"))
      return (last?["outcome"] as? String, samples)
    }
    let first = try end("out")
    #expect(first.outcome == "published" && first.samples["settle_ledger_new"] == "1")
    // Without an earlier file the ledger knows when the reports were published.
    try FileManager.default.removeItem(at: metrics)
    let second = try end("out")
    #expect(second.outcome == "already settled" && second.samples.count == 12)
    #expect(second.samples["settle_ledger_new"] == "0")
    let name = MetricsFile.Kind.run.lastSuccessName
    let times = try [first, second].map { try #require(Int($0.samples[name] ?? "")) }
    #expect(times[1] <= times[0] && times[1] > times[0] - 60)
    try Data("# HELP \(name) x\n\(name) 99999999999\n".utf8).write(to: metrics)
    #expect(try end("out").samples[name] == "99999999999")
    let refused = try end("elsewhere", exitCode: 3)
    #expect(refused.outcome == "settled before" && refused.samples[name] == "99999999999")
    let again = try end("elsewhere", ["--republish"])
    #expect(again.outcome == "published again" && again.samples[name] != "99999999999")
    #expect(try folder.runApart(["run", "good.jsonl", "--output", "out", "--ledger", "ledger"]).error.isEmpty)
  }

  @Test("json: a run that a signal ends reports that, and how it ended, in objects")
  func interrupted() throws {
    let folder = try CommandFolder()
    _ = try folder.makePipe()
    let process = try folder.start(
      "exec \"$SETTLE\" run pipe --output out --log-format json --metrics m.prom 2>standard-error")
    try folder.wait(for: ".out.partial", of: process)
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    let error = try String(contentsOf: folder.url.appendingPathComponent("standard-error"), encoding: .utf8)
    let lines = try Self.objects(error).map { "\($0["level"] ?? "") \($0["message"] ?? "") \($0["exitCode"] ?? "")" }
    #expect(
      lines == ["info run started ", "error ended by SIGTERM before it finished ", "info run ended 143"], "\(error)")
    let metrics = try String(contentsOf: folder.url.appendingPathComponent("m.prom"), encoding: .utf8)
    #expect(metrics.contains("\nsettle_last_run_exit_code 143\n"))
  }

  @Test("a signal ends a run whose standard error no one reads, and its metrics are written")
  func interruptedWithoutReader() throws {
    let folder = try CommandFolder()
    _ = try folder.makePipe()
    // The pipe behind standard error is full and is never read.
    let process = try folder.start(
      "mkfifo full; exec 2<>full; dd if=/dev/zero of=full bs=4096 oflag=nonblock 2>filled; "
        + "\"$SETTLE\" run pipe --output out --log-format json --log-level error --metrics m.prom & "
        + "echo $! >id; wait $!")
    try folder.wait(for: ".out.partial", of: process)
    var id: pid_t?
    try folder.wait(of: process, until: "its number is written") {
      let text = try? String(contentsOf: folder.url.appendingPathComponent("id"), encoding: .utf8)
      id = text.flatMap { $0.hasSuffix("\n") ? pid_t($0.dropLast()) : nil }
      return id != nil
    }
    let begun = Date()
    kill(try #require(id), SIGTERM)
    process.waitUntilExit()
    // The machine may be very busy. A run that is not ended would wait for the pipe for ever.
    #expect(Date().timeIntervalSince(begun) < 60)
    let metrics = try String(contentsOf: folder.url.appendingPathComponent("m.prom"), encoding: .utf8)
    #expect(metrics.contains("\nsettle_last_run_exit_code 143\n"))
  }

  private static func objects(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
  }
}
