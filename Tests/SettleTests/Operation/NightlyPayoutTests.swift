import Foundation
import Testing

@Suite("The payout of the nightly job")
struct NightlyPayoutTests {
  private let job: NightlyJob
  private static let settings =
    "export SETTLE_LEDGER=$PWD/ledger SETTLE_PAYOUTS=$PWD/payouts SETTLE_PAYEES=$PWD/payees.csv "
    + "SETTLE_RETURNED=$PWD/returned;"

  init() throws {
    job = try NightlyJob(["2026-11-20.jsonl": NightlyJob.payment("A")])
    for name in ["payouts", "returned"] {
      try FileManager.default.createDirectory(
        at: job.folder.url.appendingPathComponent(name), withIntermediateDirectories: false)
    }
    try job.folder.write(
      "payees.csv",
      """
      account,currency,name,method,iban,bic,routing,account_number,account_type,holder,hold
      shop@shop.example,USD,Shop,ACH,,,011000015,12345678,CHECKING,PERSON,
      """)
  }

  /// Lets the shop be paid again at the bank account that a payment came back from.
  private func retry(_ reference: String) throws {
    let payees = try job.text("payees.csv")
    try job.folder.write("payees.csv", payees.replacing("PERSON,", with: "PERSON,retry \(reference)"))
  }

  private func payouts() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: job.folder.url.appendingPathComponent("payouts").path).sorted()
  }

  /// Settles the batch of a day in the night after it.
  private func night(of day: Int, _ settings: String = settings) throws -> (exitCode: Int32, said: String) {
    try job.folder.write("inbox/2026-11-\(day).jsonl", NightlyJob.payment("K-\(day)"))
    return try job.run(on: "2026-11-\(day + 1)", settings)
  }

  /// The references that a payout has booked as returned.
  private func returned(_ day: Int) throws -> [String] {
    try job.text("payouts/2026-11-\(day)/returned.csv").split(separator: "\n").dropFirst()
      .map { String($0.prefix { $0 != "," }) }
  }

  @Test("it takes the terms, and is not made if their file is missing")
  func terms() throws {
    let settings = Self.settings + " export SETTLE_TERMS=$PWD/terms.csv;"
    let missing = try job.run(on: "2026-11-21", settings)
    #expect(missing.exitCode == 78 && missing.said.contains("SETTLE_TERMS, "), "\(missing.said)")
    #expect(try payouts() == [])
    try job.folder.write(
      "terms.csv",
      """
      account,currency,from,delay_days,reserve_percent,reserve_days,minimum_balance
      *,USD,2000-01-01,,50,30,
      """)
    let made = try job.run(on: "2026-11-21", settings)
    #expect(made.exitCode == 0, "\(made.said)")
    #expect(try job.text("payouts/2026-11-21/carried.csv").contains(",NOT_FREE,1,0.00,"))
    #expect(try job.text("settle-payout.prom").contains("{currency=\"USD\",figure=\"reserved\"} "))
    #expect(!(try job.text("settle-payout.prom").contains("NOT_PAID")))
  }

  @Test("it is made once a day after every day is settled, and books that day's returns")
  func daily() throws {
    let first = try job.run(on: "2026-11-21", Self.settings)
    #expect(first.exitCode == 0 && first.said.contains("balances are those of the ledger"), "\(first.said)")
    let again = try job.run(on: "2026-11-21", Self.settings)
    #expect(again.exitCode == 0 && again.said.contains("the payout of 2026-11-21 is made"), "\(again.said)")
    #expect(try payouts() == ["2026-11-21"])
    #expect(try job.text("settle-payout.prom").contains("\nsettle_last_payout_number 1\n"))
    // Yesterday's batch has not come: nothing is paid.
    #expect(try job.run(on: "2026-11-22", Self.settings).exitCode == 66)
    #expect(try payouts() == ["2026-11-21"])
    try job.folder.write("returned/bank.csv", "reference,reason\nP1-1,R03\n")
    // The account is not paid in the payout that books its return, and someone must act.
    #expect(try night(of: 21).exitCode == 1)
    #expect(try job.text("payouts/2026-11-22/carried.csv").contains(",RETURNED,"))
  }

  @Test("with a given day there is no payout, and a failure shows in the exit code")
  func failures() throws {
    #expect(try job.run(Self.settings, "2026-11-20").exitCode == 0)
    #expect(try payouts() == [])
    #expect(try job.run(on: "2026-11-21", "export SETTLE_PAYOUTS=$PWD/payouts;").exitCode == 64)
    #expect(
      try job.run(on: "2026-11-21", Self.settings + "export SETTLE_PAYOUT_OPTIONS='--minimum x';").exitCode == 64)
    // Waiting does not help, so nothing is tried again.
    for missing in ["PAYEES", "DEBTOR"] {
      let (exitCode, said) = try job.run(
        on: "2026-11-21", Self.settings + "export SETTLE_\(missing)=$PWD/none SETTLE_TRIES=3 SETTLE_PAUSE=0;")
      #expect(exitCode == 78 && said.matches(of: /nothing is paid/).count == 1, "\(said)")
    }
    try job.folder.write("payees.csv", "x")
    #expect(try job.run(on: "2026-11-21", Self.settings).exitCode == 78)
    #expect(try payouts() == [])
  }

  @Test("a payout that does not verify ends the job with 70, and no other is made until it is repaired or moved away")
  func unverified() throws {
    #expect(try job.run(on: "2026-11-21", Self.settings).exitCode == 0)
    #expect(try job.gauge("payouts_unverified") == 0)
    let carried = try job.text("payouts/2026-11-21/carried.csv")
    try job.folder.write("payouts/2026-11-21/carried.csv", "x")
    let (exitCode, said) = try job.run(on: "2026-11-21", Self.settings)
    #expect(exitCode == 70 && said.contains("the payout of 2026-11-21 does not verify"), "\(said)")
    for _ in 1...2 {
      #expect(try night(of: 21).exitCode == 70)
      #expect(try payouts() == [".2026-11-21.unverified", "2026-11-21"])
      #expect(try job.gauge("payouts_unverified") == 1)
    }
    try Data(carried.utf8).write(to: job.folder.url.appendingPathComponent("payouts/2026-11-21/carried.csv"))
    #expect(try job.run(on: "2026-11-22", Self.settings).exitCode == 0)
    #expect(try payouts() == ["2026-11-21", "2026-11-22"])
    #expect(try job.gauge("payouts_unverified") == 0)
    try job.folder.write("payouts/2026-11-22/SHA256SUMS", "x")
    #expect(try night(of: 22).exitCode == 70)
    try FileManager.default.moveItem(
      at: job.folder.url.appendingPathComponent("payouts/2026-11-22"),
      to: job.folder.url.appendingPathComponent("moved"))
    #expect(try night(of: 22).exitCode == 0)
    #expect(try payouts() == ["2026-11-21", "2026-11-23"])
  }

  @Test("a payout that the job could not verify, because it was killed, is verified before another is made")
  func killed() throws {
    try job.folder.write(
      "killing", "#!/bin/sh\n\"$REAL\" \"$@\" || exit\n[ \"$1\" != payout ] || kill -KILL $PPID")
    let killing = "export REAL=\"$SETTLE\" SETTLE=$PWD/killing; chmod +x killing;"
    #expect(try job.run(on: "2026-11-21", Self.settings + killing).exitCode == SIGKILL)
    #expect(try payouts() == [".2026-11-21.unverified", "2026-11-21"])
    let (exitCode, said) = try job.run(on: "2026-11-21", Self.settings)
    #expect(exitCode == 0 && said.contains("payouts/2026-11-21: verified"), "\(said)")
    #expect(try payouts() == ["2026-11-21"])
  }

  private static let answers = settings + "export SETTLE_ANSWERS=$PWD/answers;"

  /// A return of the payment of USD 9.41 that the first night makes, in a NACHA file.
  private static func answer(_ reason: String, cents: String = "0000000941") -> String {
    "621011000015" + String(repeating: " ", count: 17) + cents + "P1-1\n799" + reason + "\n"
  }

  @Test("the bank's answers are read before each payout, which books what came back")
  func bankAnswers() throws {
    try FileManager.default.createDirectory(
      at: job.folder.url.appendingPathComponent("answers"), withIntermediateDirectories: false)
    try job.folder.write("answers/bank.ach", Self.answer("R03"))
    try job.folder.write("answers/.hidden", "x")
    // Before the first payout there is nothing to answer.
    #expect(try job.run(on: "2026-11-21", Self.answers).exitCode == 0)
    let amount = try job.text("payouts/2026-11-21/payouts.csv").split(separator: "\n")[1].split(separator: ",")[3]
    try job.folder.write(
      "answers/bank.ach",
      Self.answer("R03", cents: String(repeating: "0", count: 11 - amount.count) + amount.filter { $0 != "." }))
    #expect(try night(of: 21, Self.answers).exitCode == 1)
    #expect(try returned(22) == ["P1-1"])
    #expect(try job.text("settle-returns.prom").contains("settle_last_returns_answers{result=\"RETURN\"} 1\n"))
    // The same file stays, and books nothing again.
    #expect(try night(of: 22, Self.answers).exitCode == 1)
    #expect(try returned(23) == [])
    // A file with errors is left out.
    try job.folder.write("answers/other", "x")
    #expect(try night(of: 23, Self.answers).exitCode == 78)
    #expect(try payouts().last == "2026-11-24")
    #expect(try job.gauge("returned_unread") == 1)
  }

  @Test("lists of returned payments are booked whenever they come, and once")
  func lists() throws {
    #expect(try job.run(on: "2026-11-21", Self.settings).exitCode == 0)
    // Comes after the payout of its day.
    try job.folder.write("returned/2026-11-21.csv", "reference,reason\nP1-1,AC04\n")
    try job.folder.write("returned/.hidden.csv", "x")
    try job.folder.write("returned/notes.txt", "x")
    #expect(try night(of: 21).exitCode == 1)
    #expect(try returned(22) == ["P1-1"])
    // Comes on a night that fails.
    try job.folder.write("returned/2026-11-23.csv", "reference,reason\nP2-1,AC04\n")
    #expect(try job.run(on: "2026-11-23", Self.settings).exitCode == 66)
    try job.folder.write("inbox/2026-11-22.jsonl", NightlyJob.payment("K-22"))
    // One wrong line holds back its list, and nothing else.
    try retry("P1-1")
    let paid = try night(of: 23)
    #expect(paid.exitCode == 78 && paid.said.contains("UNKNOWN_REFERENCE"), "\(paid.said)")
    #expect(try payouts() == ["2026-11-21", "2026-11-22", "2026-11-24"])
    #expect(try returned(24) == [])
    #expect(try job.gauge("returned_unread") == 1)
    // Corrected during the day.
    try job.folder.write("returned/2026-11-23.csv", "reference,reason\n")
    #expect(try night(of: 24).exitCode == 0)
    #expect(try returned(25) == [])
    #expect(try job.gauge("returned_unread") == 0)
    try job.folder.write("returned/2026-11-23.csv", "reference,reason\nP3-1,AC04\n")
    #expect(try night(of: 25).exitCode == 1)
    #expect(try returned(26) == ["P3-1"])
  }

  @Test(
    "if a list or the folder cannot be read, the payout is made without it, and the job ends with 78",
    arguments: [
      ("ln -s none returned/b.csv", ["P1-1"]), ("mkdir returned/b.csv", ["P1-1"]), ("mv returned moved", []),
      ("mv returned x; touch returned", []),
    ])
  func unread(_ change: String, booked: [String]) throws {
    #expect(try job.run(on: "2026-11-21", Self.settings).exitCode == 0)
    #expect(try job.gauge("returned_unread") == 0)
    try job.folder.write("returned/a.csv", "reference,reason\nP1-1,AC04\n")
    let (exitCode, said) = try night(of: 21, Self.settings + change + ";")
    #expect(exitCode == 78 && said.contains("cannot be read"), "\(said)")
    #expect(try returned(22) == booked)
    #expect(try job.gauge("returned_unread") == 1)
    let restore =
      "rm -rf returned/b.csv; [ ! -e moved ] || mv moved returned; [ ! -e x ] || { rm returned; mv x returned; };"
    #expect(try night(of: 22, Self.settings + restore).exitCode == 1)
    #expect(try returned(23) == (booked.isEmpty ? ["P1-1"] : []))
    #expect(try job.gauge("returned_unread") == 0)
  }

  @Test("the first run that is not paid by hand is given to the first payout alone")
  func since() throws {
    #expect(try job.run("export SETTLE_LEDGER=$PWD/ledger;", "2026-11-20").exitCode == 0)
    // Which nights were paid by hand?
    #expect(try night(of: 21).exitCode == 64)
    #expect(try payouts() == [])
    let settings = Self.settings + "export SETTLE_PAYOUTS_SINCE=2;"
    #expect(try job.run(on: "2026-11-22", settings).exitCode == 0)
    #expect(try job.text("payouts/2026-11-22/payouts.json").contains(#""since":2,"until":2"#))
    #expect(try night(of: 22, settings).exitCode == 0)
    #expect(try payouts() == ["2026-11-22", "2026-11-23"])
  }
}
