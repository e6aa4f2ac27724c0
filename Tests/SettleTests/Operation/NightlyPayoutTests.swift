import Foundation
import Testing

@Suite("The payout of the nightly job")
struct NightlyPayoutTests {
  private let job: NightlyJob
  private static let settings =
    "export SETTLE_LEDGER=$PWD/ledger SETTLE_PAYOUTS=$PWD/payouts SETTLE_PAYEES=$PWD/payees.csv SETTLE_RETURNED=$PWD;"

  init() throws {
    job = try NightlyJob(["2026-11-20.jsonl": NightlyJob.payment("A")])
    try FileManager.default.createDirectory(
      at: job.folder.url.appendingPathComponent("payouts"), withIntermediateDirectories: false)
    try job.folder.write(
      "payees.csv",
      """
      account,currency,name,method,iban,bic,routing,account_number,account_type,holder,hold
      shop@shop.example,USD,Shop,ACH,,,011000015,12345678,CHECKING,PERSON,
      """)
  }

  private func payouts() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: job.folder.url.appendingPathComponent("payouts").path).sorted()
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
    try job.folder.write("inbox/2026-11-21.jsonl", NightlyJob.payment("B"))
    try job.folder.write("2026-11-22.csv", "reference,reason\nP1-1,R03\n")
    // The account is not paid in the payout that books its return, and someone must act.
    #expect(try job.run(on: "2026-11-22", Self.settings).exitCode == 1)
    #expect(try job.text("payouts/2026-11-22/carried.csv").contains(",RETURNED,"))
  }

  @Test("with a given day there is no payout, and a failure shows in the exit code")
  func failures() throws {
    #expect(try job.run(Self.settings, "2026-11-20").exitCode == 0)
    #expect(try payouts() == [])
    #expect(try job.run(on: "2026-11-21", "export SETTLE_PAYOUTS=$PWD/payouts;").exitCode == 64)
    #expect(
      try job.run(on: "2026-11-21", Self.settings + "export SETTLE_PAYOUT_OPTIONS='--minimum x';").exitCode == 64)
    try job.folder.write("payees.csv", "x")
    #expect(try job.run(on: "2026-11-21", Self.settings).exitCode == 78)
    #expect(try payouts() == [])
  }

  @Test("a payout that does not verify ends the job with 70")
  func unverified() throws {
    #expect(try job.run(on: "2026-11-21", Self.settings).exitCode == 0)
    try job.folder.write("payouts/2026-11-21/carried.csv", "x")
    let (exitCode, said) = try job.run(on: "2026-11-21", Self.settings)
    #expect(exitCode == 70 && said.contains("the payout of 2026-11-21 does not verify"), "\(said)")
  }
}
