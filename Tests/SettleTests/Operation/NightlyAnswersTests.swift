import Foundation
import Testing

/// What went wrong between the job, the bank's answers and the folders that operators move.
@Suite("The nightly job and the bank's answers")
struct NightlyAnswersTests {
  private let job: NightlyJob
  private static let settings =
    "export SETTLE_LEDGER=$PWD/ledger SETTLE_PAYOUTS=$PWD/payouts SETTLE_PAYEES=$PWD/payees.csv SETTLE_FEES=free.json "
    + "SETTLE_DEBTOR=debtor.json SETTLE_ANSWERS=$PWD/answers SETTLE_RETURNED=$PWD/returned;"
  private static let iban = "DE89370400440532013000"

  /// Two nights with a payment of EUR 100.00 to each of two shops, and the payouts 1 (2026-11-21) and 2.
  init() throws {
    job = try NightlyJob()
    for name in ["payouts", "answers", "returned"] {
      try FileManager.default.createDirectory(
        at: job.folder.url.appendingPathComponent(name), withIntermediateDirectories: false)
    }
    try job.folder.write(
      "payees.csv",
      """
      account,currency,name,method,iban,bic,routing,account_number,account_type,holder,hold
      anna@shop.example,EUR,Anna,IBAN,DE65300600100532013001,,,,,,
      bert@shop.example,EUR,Bert,IBAN,FR1420041010050500013M02606,,,,,,
      """)
    try job.folder.write("debtor.json", #"{"EUR":{"IBAN":{"name":"Pay","iban":"\#(Self.iban)","bic":"COBADEFFXXX"}}}"#)
    // Without fees.
    try job.folder.write(
      "free.json", try Self.freeSchedule())
  }

  private static func freeSchedule() throws -> String {
    let root = URL(fileURLWithPath: NightlyJob.script).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(
      contentsOf: root.appending(path: "docs/spec/examples/payouts/fees.json"), encoding: .utf8)
  }

  private func night(of day: Int, _ more: String = "") throws -> (exitCode: Int32, said: String) {
    let payments = ["anna", "bert"].map { shop in
      #"{"payKey":"\#(shop)-\#(day)","paymentCurrency":"EUR","recipient":"\#(shop)@shop.example","subTotal":"100.00"}"#
    }
    try job.folder.write("inbox/2026-11-\(day).jsonl", payments.joined(separator: "\n"))
    return try job.run(on: "2026-11-\(day + 1)", Self.settings + more)
  }

  private func remove(_ name: String) throws {
    try FileManager.default.removeItem(at: job.folder.url.appendingPathComponent(name))
  }

  private func paid(_ day: Int) throws -> [String] {
    try job.text("payouts/2026-11-\(day)/payouts.csv").split(separator: "\n").dropFirst()
      .map { String($0.split(separator: ",")[1].prefix(4)) }
  }

  /// The references that a payout has booked as returned, and why.
  private func returned(_ day: Int) throws -> [String] {
    try job.text("payouts/2026-11-\(day)/returned.csv").split(separator: "\n").dropFirst()
      .map { $0.split(separator: ",").prefix(2).joined(separator: " ") }
  }

  private static func camt(_ reference: String, reason: String = "AC04") -> String {
    """
    <Document><BkToCstmrDbtCdtNtfctn><Ntfctn><Acct><Id><IBAN>\(iban)</IBAN></Id></Acct>
    <Ntry><Amt Ccy="EUR">100.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-24</Dt></BookgDt>
    <NtryDtls><TxDtls><Refs><EndToEndId>\(reference)</EndToEndId></Refs><Amt Ccy="EUR">100.00</Amt>
    <RtrInf><Rsn><Cd>\(reason)</Cd></Rsn></RtrInf></TxDtls></NtryDtls></Ntry></Ntfctn></BkToCstmrDbtCdtNtfctn></Document>
    """
  }

  private static func pain(_ reference: String) -> String {
    """
    <Document><CstmrPmtStsRpt><GrpHdr><CreDtTm>2026-11-24T06:00:00</CreDtTm></GrpHdr><OrgnlGrpInfAndSts></OrgnlGrpInfAndSts>
    <OrgnlPmtInfAndSts><TxInfAndSts><OrgnlEndToEndId>\(reference)</OrgnlEndToEndId><TxSts>RJCT</TxSts>
    <OrgnlTxRef><Amt><InstdAmt Ccy="EUR">100.00</InstdAmt></Amt></OrgnlTxRef></TxInfAndSts></OrgnlPmtInfAndSts>
    </CstmrPmtStsRpt></Document>
    """
  }

  @Test("a list and the bank give two reasons for one return: the bank's counts, and all others are paid")
  func twoReasons() throws {
    #expect(try night(of: 20).exitCode == 0)
    try job.folder.write("answers/a.xml", Self.camt("P1-1"))
    try job.folder.write("returned/list.csv", "reference,reason\nP1-1,by-hand\n")
    #expect(try night(of: 21).exitCode == 1)
    #expect(try returned(22) == ["P1-1 AC04"] && paid(22) == ["bert"])
    // Both stay, and book nothing again.
    #expect(try night(of: 22).exitCode == 1)
    #expect(try returned(23) == [] && paid(23) == ["bert"])
  }

  @Test("one wrong line holds back one file; a refusal that a file left out may contradict waits")
  func leftOut() throws {
    #expect(try night(of: 20).exitCode == 0)
    try job.folder.write("answers/a.xml", Self.camt("P1-1"))
    try job.folder.write("answers/b.xml", Self.pain("P1-2"))
    try job.folder.write("answers/c.xml", Self.camt("P1-2") + "<")
    try job.folder.write("answers/d.csv", "reference,reason\nP9-9,x\n")
    let (exitCode, said) = try night(of: 21)
    #expect(exitCode == 78 && said.contains("files with errors are left out"), "\(said)")
    #expect(try returned(22) == ["P1-1 AC04"] && paid(22) == ["bert"])
    #expect(try job.gauge("returned_unread") == 2)
    #expect(try job.text("reports/answers/2026-11-22/answers.csv").contains(",OPEN,NOT_ALL_READ,"))
    // Started once more, it counts what the day's payout left out.
    #expect(try night(of: 21).exitCode == 78)
    #expect(try job.gauge("returned_unread") == 2)
    for name in ["c.xml", "d.csv"] { try remove("answers/\(name)") }
    #expect(try night(of: 22).exitCode == 1)
    #expect(try returned(23) == ["P1-2 NOT_STATED"] && paid(23) == [])
    #expect(try job.gauge("returned_unread") == 0)
  }

  @Test(
    "archived payouts: answers are read, and --since is not given, because the ledger has payouts",
    arguments: ["", "1"])
  func archived(since: String) throws {
    let settings = "export SETTLE_PAYOUTS_SINCE=\(since);"
    #expect(try night(of: 20, settings).exitCode == 0)
    try job.folder.write("answers/a.xml", Self.camt("P1-1"))
    let (exitCode, said) = try night(of: 21, settings + "mkdir archive; mv payouts/* archive;")
    #expect(exitCode == 1, "\(said)")
    #expect(try returned(22) == ["P1-1 AC04"] && paid(22) == ["bert"])
  }

  @Test(
    "a missing payees or debtor file is 78, with answers too, and nothing is tried again",
    arguments: ["payees.csv", "debtor.json"])
  func missing(_ name: String) throws {
    #expect(try night(of: 20).exitCode == 0)
    try job.folder.write("answers/a.xml", Self.camt("P1-1"))
    let (exitCode, said) = try night(of: 21, "rm \(name); export SETTLE_TRIES=3 SETTLE_PAUSE=0;")
    #expect(exitCode == 78 && said.matches(of: /is missing or cannot be read: nothing is paid/).count == 1, "\(said)")
  }

  @Test(
    "a folder of answers that is gone, or a file that cannot be opened, is in the metrics; the lists are booked",
    arguments: ["mv answers gone", "ln -s none answers/b.xml"])
  func unread(_ change: String) throws {
    #expect(try night(of: 20).exitCode == 0)
    try job.folder.write("answers/a.xml", Self.camt("P1-1"))
    try job.folder.write("returned/list.csv", "reference,reason\nP1-2,by-hand\n")
    let (exitCode, said) = try night(of: 21, change + ";")
    #expect(exitCode == 78 && said.contains("without the answers of the bank"), "\(said)")
    #expect(try returned(22) == ["P1-2 by-hand"])
    #expect(try job.gauge("returned_unread") == 1)
    #expect(try night(of: 22, "rm -f answers/b.xml; [ ! -e gone ] || mv gone answers;").exitCode == 1)
    #expect(try returned(23) == ["P1-1 AC04"])
    #expect(try job.gauge("returned_unread") == 0)
  }

  @Test("with SETTLE_CONFIRM_DAYS the payments of so many days are listed with what the bank says")
  func confirmed() throws {
    #expect(try night(of: 20).exitCode == 0)
    // Answers of later days do not count.
    try job.folder.write("answers/a.xml", Self.camt("P1-1").replacing("2026-11-24", with: "2026-11-21"))
    #expect(try night(of: 21, "export SETTLE_CONFIRM_DAYS=1;").exitCode == 1)
    let rows = try job.text("reports/answers/2026-11-22/payments.csv").split(separator: "\n").dropFirst()
    #expect(
      rows.map { $0.split(separator: ",")[0] + " " + $0.split(separator: ",")[5] } == [
        "P1-1 RETURNED", "P1-2 IN_TRANSIT",
      ])
    #expect(
      try job.text("settle-returns.prom").contains(#"settle_last_returns_payments{currency="EUR",state="RETURNED"} 1"#))
    // The first payout is older than a day, and nothing answers the second.
    #expect(try night(of: 22, "export SETTLE_CONFIRM_DAYS=1;").exitCode == 1)
    #expect(try job.text("reports/answers/2026-11-23/payments.csv").contains("P2-1,bert@shop.example"))
    for wrong in ["x", "-1", "1.5"] {
      #expect(try night(of: 23, "export SETTLE_CONFIRM_DAYS=\(wrong);").exitCode == 64)
    }
  }

  @Test("metrics that cannot be written are a warning, and the payout is made")
  func noMetrics() throws {
    let (exitCode, said) = try night(of: 20, "export SETTLE_METRICS=none/settle.prom;")
    #expect(
      exitCode == 0 && said.contains("cannot write the metrics") && !said.contains(#""level":"error""#), "\(said)")
    #expect(try paid(21) == ["anna", "bert"])
  }

  @Test("a start after the payout is made counts what the day's run and payout ended with")
  func again() throws {
    try job.folder.write("inbox/2026-11-19.jsonl", "")
    #expect(try night(of: 20, "rm inbox/2026-11-19.jsonl; echo {} >>inbox/2026-11-20.jsonl;").exitCode == 1)
    #expect(try job.run(on: "2026-11-21", Self.settings).exitCode == 1)
    try job.folder.write("answers/a.xml", Self.camt("P1-1"))
    #expect(try night(of: 21).exitCode == 1)
    #expect(try job.run(on: "2026-11-22", Self.settings).exitCode == 1)
    // Neither of the last day's did.
    try remove("answers/a.xml")
    try job.folder.write(
      "payees.csv", try job.text("payees.csv").replacing("DE65300600100532013001", with: Self.iban))
    #expect(try night(of: 22).exitCode == 0)
    #expect(try job.run(on: "2026-11-23", Self.settings).exitCode == 0)
  }

  @Test("of several exit codes the one that asks for most counts")
  func severalCodes() throws {
    #expect(try night(of: 20).exitCode == 0)
    try job.folder.write("answers/x", "x")
    try job.folder.write("inbox/2026-11-20-2.jsonl", NightlyJob.payment("late"))
    // 1, 78 and 66.
    #expect(try night(of: 21, "echo {} >>inbox/2026-11-21.jsonl;").exitCode == 66)
    // 78 and 73.
    try remove("inbox/2026-11-20-2.jsonl")
    #expect(try night(of: 22, "export SETTLE_BACKUP=none/backup;").exitCode == 73)
    #expect(try paid(23) == ["anna", "bert"])
    // 66 and 2.
    try job.folder.write("inbox/2026-11-20-2.jsonl", NightlyJob.payment("late"))
    #expect(try night(of: 23, "export SETTLE_OPTIONS=--require-trailer;").exitCode == 2)
  }

  @Test("the ledger is backed up after the payout, and no refused ledger replaces a backup")
  func backup() throws {
    let settings = "export SETTLE_BACKUP=$PWD/saved/backup; mkdir -p saved;"
    #expect(try night(of: 20, settings).exitCode == 0)
    #expect(
      try job.gauge("backup_timestamp_seconds").map { abs($0 - Int(Date().timeIntervalSince1970)) < 600 } ?? false)
    #expect(
      try job.folder.run(["history", "--ledger", "saved/backup", "--payouts", "--format", "jsonl"]).said.contains(
        #"{"payout":1,"#))
    let first = try Data(contentsOf: job.folder.url.appendingPathComponent("saved/backup"))
    #expect(try night(of: 21, settings).exitCode == 0)
    let second = try Data(contentsOf: job.folder.url.appendingPathComponent("saved/backup"))
    #expect(first != second)
    try first.write(to: job.folder.url.appendingPathComponent("ledger"))
    #expect(try night(of: 22, settings).exitCode == 74)
    #expect(try Data(contentsOf: job.folder.url.appendingPathComponent("saved/backup")) == second)
    for wrong in ["$PWD/saved", "$PWD/ledger"] {
      #expect(try night(of: 22, "export SETTLE_BACKUP=\(wrong);").exitCode == 64)
    }
  }

  @Test("only the newer metrics say whether the witness is behind")
  func witness() throws {
    let settings = "export SETTLE_WITNESS=$PWD/disk/witness; mkdir -p disk;"
    for day in 20...21 {
      #expect(try night(of: day, settings).exitCode == 0)
      #expect(try !job.text("settle.prom").contains("settle_witness_behind"))
      #expect(try job.text("settle-payout.prom").contains("\nsettle_witness_behind 0\n"))
    }
    #expect(try night(of: 22, settings + "export SETTLE_PAYOUTS=;").exitCode == 0)
    #expect(try job.text("settle.prom").contains("\nsettle_witness_behind 0\n"))
    #expect(try !job.text("settle-payout.prom").contains("settle_witness_behind"))
  }

  @Test("an unreadable ledger is not taken for a missing batch")
  func unreadableLedger() throws {
    #expect(try night(of: 20).exitCode == 0)
    #expect(try night(of: 21, "rm ledger; mkdir ledger;").exitCode != 66)
  }
}
