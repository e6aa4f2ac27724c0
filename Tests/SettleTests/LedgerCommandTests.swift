import Foundation
import Testing

/// `settle history` and `settle ledger` over a ledger of three runs.
@Suite("Ledgers and their commands")
struct LedgerCommandTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    for (name, keys) in [("one", ["A", "B"]), ("two", ["B", "C"]), ("three", ["D", "E"])] {
      let header = #"{"type":"header","batchId":"id-\#(name)"}"#
      let payments = keys.map { #"{"payKey":"\#($0)","recipient":"shop@x.example","subTotal":"1250.00"}"# }
      let trailer = #"{"type":"trailer","recordCount":2,"totals":{"USD":2500}}"#
      try folder.write("\(name).jsonl", ([header] + payments + [trailer]).joined(separator: "\n"))
      #expect(
        try folder.run(["run", "\(name).jsonl", "--output", "out-\(name)", "--ledger", "ledger"]).exitCode <= 1)
    }
  }

  private func remove(_ name: String) throws {
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent(name))
  }

  private func copy(_ name: String, to other: String) throws {
    let (from, to) = (folder.url.appendingPathComponent(name), folder.url.appendingPathComponent(other))
    try? FileManager.default.removeItem(at: to)
    try FileManager.default.copyItem(at: from, to: to)
  }

  @Test("the lines of a run fit 80 columns and show all of it; a directory that is gone is marked")
  func listed() throws {
    try remove("out-two")
    let (exitCode, said) = try folder.run(["history", "--ledger", "ledger"])
    #expect(exitCode == 0)
    let runs = said.components(separatedBy: "\n\n").map { $0.split(separator: "\n").map(String.init) }
    #expect(runs.count == 3)
    #expect(runs[1][0].hasPrefix("run 2  2") && runs[1][0].hasSuffix("Z  batch id id-two"), "\(runs[1])")
    #expect(runs[1][1].contains(/^  settlement day (20\d\d-\d\d-\d\d), booked on \1$/), "\(runs[1])")
    #expect(
      runs[1].dropFirst(2).dropLast() == [
        "  2 records: 1 settled, 1 rejected, 0 pending, 0 held",
        "  0 refunded, 0 preapprovals", "  files: two.jsonl",
        "  currency  payments      sent  fees on top  all fees  to receivers",
        "  USD              1  1 250.00         0.00     36.55      1 213.45",
      ])
    #expect(runs.map { $0.last?.hasSuffix(" (gone)") } == [false, true, false])
    #expect(runs.joined().filter { !$0.contains("reports:") }.allSatisfy { $0.count <= 80 })
    let objects = try folder.run(["history", "--ledger", "ledger", "--format", "jsonl"]).said.split(separator: "\n")
    #expect(objects.map { $0.hasSuffix(#""directoryGone":true}"#) } == [false, true, false])
  }

  @Test(
    "the list can be narrowed",
    arguments: [
      (["--batch-id", "id-two"], [2]), (["--batch-id", "id"], []), (["--last", "2"], [2, 3]),
      (["--last", "9"], [1, 2, 3]),
      (["--since", "2026-01-01"], [1, 2, 3]), (["--since", "9999-12-31"], []),
      (["--since", "2026-01-01", "--batch-id", "id-one", "--last", "1"], [1]),
    ] as [([String], [Int])])
  func narrowed(options: [String], numbers: [Int]) throws {
    let table = try folder.run(["history", "--ledger", "ledger"] + options)
    #expect(table.exitCode == 0)
    #expect(table.said.matches(of: /(?m)^run (\d)/).compactMap { Int($0.1) } == numbers, "\(table.said)")
    let objects = try folder.run(["history", "--ledger", "ledger", "--format", "jsonl"] + options).said
    #expect(objects.matches(of: /"run":(\d)/).compactMap { Int($0.1) } == numbers, "\(objects)")
  }

  @Test("what refunds need from old payments is dropped, and the amount is reported; pay keys stay")
  func pruned() throws {
    let pruned = try folder.run(["prune", "--ledger", "ledger", "--before", "2026-05-25"])
    #expect(pruned.exitCode == 0 && pruned.said == "ledger: dropped what refunds need of 0 payments of 0 runs\n")
    #expect(try folder.run(["run", "two.jsonl", "--output", "again", "--ledger", "ledger"]).exitCode == 3)
    #expect(try folder.run(["prune", "--ledger", "ledger", "--before", "2026-02-30"]).exitCode == 64)
    #expect(try folder.run(["prune", "--ledger", "none", "--before", "2026-05-25"]).exitCode == 66)
    #expect(try folder.run(["prune", "--ledger", "one.jsonl", "--before", "2026-05-25"]).exitCode == 78)
  }

  @Test("options with an invalid value", arguments: [["--since", "2026-02-30"], ["--last", "0"]])
  func wrongOptions(options: [String]) throws {
    #expect(try folder.run(["history", "--ledger", "ledger"] + options).exitCode == 64)
  }

  @Test("a copy has no lock file, and counts once it is adopted; nothing is overwritten")
  func backedUp() throws {
    #expect(try folder.run(["ledger", "backup", "ledger", "copy"]).exitCode == 0)
    #expect(try folder.names().filter { $0.contains("copy") } == ["copy"])
    let mode = try FileManager.default.attributesOfItem(atPath: folder.url.appendingPathComponent("copy").path)
    #expect(mode[.posixPermissions] as? Int == 0o600)
    let verified = try folder.run(["ledger", "verify", "copy"])
    #expect(verified.exitCode == 0)
    #expect(
      verified.said.hasPrefix("settle: warning: copy: the ledger has runs, and no valid lock file says")
        && verified.said.hasSuffix("copy: verified: 3 runs, 5 pay keys; all of the runs' directories unchanged\n"),
      "\(verified.said)")
    let refused = try folder.run(["run", "three.jsonl", "--output", "out-three", "--ledger", "copy"])
    #expect(
      refused.exitCode == 74 && refused.said.contains("\n  settle ledger adopt copy --last-payout N"), "\(refused.said)"
    )
    #expect(try folder.run(["ledger", "adopt", "copy"]).exitCode == 64)
    #expect(try folder.run(["ledger", "adopt", "copy", "--last-payout", "0"]).exitCode == 0)
    let again = try folder.run(["run", "three.jsonl", "--output", "out-three", "--ledger", "copy"])
    #expect(again.exitCode == 0 && again.said.hasPrefix("already settled by run 3"), "\(again.said)")
    for name in ["copy", "copy-lock"] {
      #expect(try folder.run(["ledger", "backup", "ledger", "copy"]).exitCode == 73)
      try remove(name)
    }
    #expect(try folder.run(["ledger", "backup", "none", "copy"]).exitCode == 66)
    #expect(try folder.run(["ledger", "backup", "one.jsonl", "copy"]).exitCode == 78)
    #expect(try folder.run(["ledger", "backup", "ledger", "none/copy"]).exitCode == 73)
    #expect(try folder.names().filter { $0.contains("copy") } == [])
  }

  @Test("a check names what is damaged, including directories, and ends with 1")
  func verified() throws {
    try remove("out-one")
    try folder.write("out-two/totals.csv", "x")
    let (exitCode, said) = try folder.run(["ledger", "verify", "ledger"])
    #expect(exitCode == 1)
    #expect(said.contains("/out-two: differs from what run 2 published\n") && said.contains("1 finding\n"), "\(said)")
    try remove("out-two")
    #expect(
      try folder.run(["ledger", "verify", "ledger"]).said == """
        ledger: directories that are gone: run 1 (\(folder.url.path)/out-one), run 2 (\(folder.url.path)/out-two)
        ledger: verified: 3 runs, 5 pay keys; 1 of the runs' directories unchanged

        """)
    var bytes = try Data(contentsOf: folder.url.appendingPathComponent("ledger"))
    let place = try #require(bytes.range(of: Data("1213.45".utf8))).lowerBound
    bytes[place] = UInt8(ascii: "9")
    try bytes.write(to: folder.url.appendingPathComponent("ledger"))
    let damaged = try folder.run(["ledger", "verify", "ledger"])
    #expect(damaged.exitCode == 1)
    #expect(damaged.said.contains("ledger: the ledger is damaged: its entry of run "), "\(damaged.said)")
    #expect(try folder.run(["history", "--ledger", "ledger"]).exitCode == 74)
    #expect(try folder.run(["ledger", "verify", "none"]).exitCode == 66)
    #expect(try folder.run(["ledger", "verify", "one.jsonl"]).exitCode == 78)
  }

  @Test("an older copy is refused (74) until it is adopted; then the batches that it lacks are settled again")
  func adopted() throws {
    #expect(try folder.run(["ledger", "backup", "ledger", "older"]).exitCode == 0)
    try folder.write("four.jsonl", #"{"payKey":"F","recipient":"shop@x.example","subTotal":"10.00"}"#)
    let four = ["run", "four.jsonl", "--output", "out-four", "--ledger", "ledger"]
    #expect(try folder.run(four).exitCode == 0)
    try copy("older", to: "ledger")
    let refused = try folder.run(four)
    #expect(refused.exitCode == 74)
    #expect(
      refused.said == """
        settle: error: ledger: the ledger has runs up to 3 only; its lock file says run 4 was entered last. Put the newest copy back, \
        together with its lock file. If it is lost, let this copy count; the command says what it lacks:
          settle ledger adopt ledger

        """)
    #expect(try folder.run(["ledger", "verify", "ledger"]).exitCode == 1)
    let adopted = try folder.run(["ledger", "adopt", "ledger"])
    #expect(adopted.exitCode == 0)
    #expect(adopted.said == "ledger: counts from now on, under a new id; it lacks run 4\n")
    let again = try folder.run(["run", "four.jsonl", "--output", "again-four", "--ledger", "ledger"])
    #expect(again.exitCode == 0 && again.said.hasSuffix("Entered in the ledger as run 4.\n"))
    #expect(try folder.run(["ledger", "verify", "ledger"]).exitCode == 0)
    try remove("ledger")
    let gone = try folder.run(four)
    #expect(
      gone.exitCode == 74 && gone.said.hasPrefix("settle: error: ledger: the ledger is gone; its lock file says run 4"))
    #expect(try !folder.names().contains("ledger"))
  }

  @Test("--republish is for a ledger")
  func republishes() throws {
    #expect(try folder.run(["run", "one.jsonl", "--output", "x", "--republish"]).exitCode == 64)
    let refused = try folder.run(["run", "one.jsonl", "--output", "x", "--ledger", "ledger"])
    #expect(refused.exitCode == 3 && refused.said.contains("; its reports are in /"), "\(refused.said)")
    try remove("out-one")
    let gone = try folder.run(["run", "one.jsonl", "--output", "x", "--ledger", "ledger"])
    #expect(gone.exitCode == 3 && gone.said.contains("; its reports are gone from /"), "\(gone.said)")
    #expect(
      try folder.run(["run", "one.jsonl", "--output", "x", "--ledger", "ledger", "--republish"]).exitCode == 0)
    let history = try folder.run(["history", "--ledger", "ledger", "--last", "3", "--format", "jsonl"])
    #expect(history.said.matches(of: /"run":/).count == 3)
  }

  @Test(
    "--adopt and --existing-ledger need a ledger, and --adopt does not change the output",
    arguments: [
      ["--adopt"], ["--existing-ledger"], ["--adopt", "--ledger", "ledger", "--replace"],
      ["--adopt", "--ledger", "ledger", "--republish"],
    ])
  func usage(options: [String]) throws {
    #expect(try folder.run(["run", "one.jsonl", "--output", "out-one"] + options).exitCode == 64)
  }

  @Test("a ledger that is lost is made again from the nights' directories, and a misspelt one is refused")
  func madeAgain() throws {
    for name in ["ledger", "ledger-lock"] { try remove(name) }
    func run(_ name: String, _ options: [String]) throws -> (exitCode: Int32, said: String) {
      try folder.run(["run", "\(name).jsonl", "--output", "out-\(name)", "--ledger", "ledger"] + options)
    }
    let refused = try run("one", ["--existing-ledger", "--adopt"])
    #expect(
      refused.exitCode == 74
        && refused.said == "settle: error: ledger: there is no such ledger, and --existing-ledger makes none; "
          + "name the ledger with the earlier runs\n"
    )
    #expect(try run("two", ["--adopt"]).exitCode == 73, "night one comes first")
    #expect(try folder.names().filter { $0.hasPrefix("ledger") } == [])
    for (number, name) in ["one", "two", "three"].enumerated() {
      let adopted = try run(name, number == 0 ? ["--adopt"] : ["--adopt", "--existing-ledger"])
      #expect(adopted.exitCode == (name == "two" ? 1 : 0) && adopted.said.contains("as run \(number + 1).\n"))
      #expect(adopted.said.contains("warning: new ledger ledger: no earlier run is known\n") == (number == 0))
    }
    #expect(
      try folder.run(["ledger", "verify", "ledger"]).said
        == "ledger: verified: 3 runs, 5 pay keys; all of the runs' directories unchanged\n")
  }

  @Test("a plan makes a ledger and says so, or refuses; a merge that fails leaves it to the next merge")
  func planned() throws {
    let plan = ["shard", "plan", "one.jsonl", "--work", "work", "--ledger", "planned"]
    #expect(try folder.run(plan + ["--existing-ledger"]).exitCode == 74)
    #expect(try !folder.names().contains("planned"))
    #expect(try folder.run(plan).said.contains("warning: new ledger planned: no earlier run is known\n"))
    #expect(try folder.run(plan + ["--existing-ledger"]).exitCode == 74)
    for arguments in [["hash", "0"], ["run", "0"]] {
      #expect(try folder.run(["shard"] + arguments + ["--work", "work"]).exitCode == 0)
    }
    #expect(try folder.run(["merge", "work", "--output", "out-one"]).exitCode == 73)
    #expect(try folder.run(["merge", "work", "--output", "merged"]).exitCode == 0)
    #expect(
      try folder.run(["shard", "plan", "two.jsonl", "--work", "2", "--ledger", "planned", "--existing-ledger"]).exitCode
        == 0)
    #expect(try folder.run(["shard", "plan", "two.jsonl", "--work", "3", "--existing-ledger"]).exitCode == 64)
  }
}
