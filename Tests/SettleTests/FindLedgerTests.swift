import Foundation
import Testing

/// `settle find` over a night under an agreement, and one that refunds part of it.
@Suite("What a ledger alone has of a key or an account")
struct FindLedgerTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.write(
      "agreed.jsonl",
      #"""
      {"type":"preapproval","preapprovalKey":"PA","createdAt":"2026-11-20T08:00:00Z","startingDate":"2026-11-20Z","endingDate":"2026-12-20Z","currencyCode":"USD","maxTotalAmountOfAllPayments":"100","maxNumberOfPayments":3,"paymentPeriod":"WEEKLY"}
      {"type":"preapproval","preapprovalKey":"PA","action":"CONFIRM","createdAt":"2026-11-20T09:00:00Z","senderEmail":"Ann@mail.example"}
      {"payKey":"F","preapprovalKey":"PA","createdAt":"2026-11-20T10:00:00Z","sender":"ann@mail.example","receiverPaymentDetails":[{"recipient":"a@x.example","subtotal":"30","isPrimary":true},{"recipient":"b@x.example","subtotal":"20"}]}
      {"payKey":"B","recipient":"shop@x.example","subTotal":"1250.00"}
      {"payKey":"W","status":"STATUS_CREATED","recipient":"shop@x.example","subTotal":"1.00"}
      """#)
    try folder.write(
      "refund.jsonl", #"{"type":"refund","refundKey":"RF","payKey":"F","amount":"12","currencyCode":"USD"}"#)
    for name in ["agreed", "refund"] {
      #expect(
        try folder.run(["run", "\(name).jsonl", "--output", "out-\(name)", "--ledger", "ledger"]).exitCode == 0)
    }
  }

  private func find(_ arguments: [String]) throws -> (exitCode: Int32, output: String, error: String) {
    let found = try folder.runApart(["find"] + arguments + ["--ledger", "ledger"])
    return (found.exitCode, found.output, found.error)
  }

  /// The parts of an answer that reports have no part in.
  private func known(_ output: String) -> [String] {
    output.split(separator: "\n").compactMap { line in
      line.hasPrefix(#"{"account""#)
        ? String(line) : line.firstMatch(of: /"ledger":(\{.*\}),"paidOut":/).map { String($0.1) }
    }
  }

  static let objects: [(what: String, objects: [String])] = [
    (
      "F",
      [
        #"{"payKey":"F","run":1,"kind":"CHAINED","currency":"USD","sender":"ann@mail.example","preapprovalKey":"PA","#
          + #""senderAmount":"30.00","refunded":"12.00","remaining":"18.00","receivers":["#
          + #"{"account":"a@x.example","role":"PRIMARY","refundable":"10.00","refunded":"4.00"},"#
          + #"{"account":"b@x.example","role":"SECONDARY","refundable":"20.00","refunded":"8.00"}],"#
          + #""refunds":[{"refundKey":"RF","run":2,"amount":"12.00","feesReturned":"0.00"}]}"#,
        #"{"refundKey":"RF","run":2,"amount":"12.00","feesReturned":"0.00"}"#,
      ]
    ),
    ("RF", [#"{"refundKey":"RF","run":2,"amount":"12.00","feesReturned":"0.00"}"#]),
    (
      "B",
      [
        #"{"payKey":"B","run":1,"kind":"SIMPLE","currency":"USD","sender":null,"preapprovalKey":null,"#
          + #""senderAmount":"1250.00","refunded":"0.00","remaining":"1250.00","receivers":["#
          + #"{"account":"shop@x.example","role":"RECEIVER","refundable":"1250.00","refunded":"0.00"}],"refunds":[]}"#
      ]
    ),
    (
      "PA",
      [
        #"{"preapprovalKey":"PA","status":"ACTIVE","sender":"ann@mail.example","currency":"USD","payments":1,"#
          + #""amount":"30.00","records":[{"action":"CREATE","run":1},{"action":"CONFIRM","run":1}],"terms":{"#
          + #""startingDate":"2026-11-20Z","endingDate":"2026-12-20Z","currencyCode":"USD","#
          + #""maxTotalAmountOfAllPayments":"100.00","maxAmountPerPayment":null,"maxNumberOfPayments":3,"#
          + #""maxNumberOfPaymentsPerPeriod":null,"paymentPeriod":"WEEKLY","dateOfMonth":0,"#
          + #""dayOfWeek":"NO_DAY_SPECIFIED","pinType":"NOT_REQUIRED","feesPayer":"EACHRECEIVER"}}"#
      ]
    ),
    (
      "B@x.example",
      [
        #"{"account":"b@x.example","balances":[{"currency":"USD","balance":"11.12","since":1,"refused":null,"entries":["#
          + #"{"kind":"run","number":1,"amount":"19.12","balance":"19.12"},"#
          + #"{"kind":"run","number":2,"amount":"-8.00","balance":"11.12"}]}]}"#
      ]
    ),
  ]

  @Test(
    "the ledger's objects are the same with reports, without them, and with directories that are gone",
    arguments: objects)
  func ofTheLedger(what: String, objects: [String]) throws {
    func expectFound(_ options: [String]) throws {
      let found = try find([what, "--format", "jsonl"] + options)
      #expect(found.exitCode == 0 && known(found.output) == objects, "\(found)")
    }
    let text = try find([what, "--ledger-only"])
    let lines: [Substring] = text.output.split(separator: "\n")
    let path = folder.url.path
    #expect(text.exitCode == 0 && text.error.isEmpty)
    #expect(lines.dropFirst().allSatisfy { $0.replacing(path, with: "").count <= 80 }, "\(text.output)")
    try expectFound([])
    try expectFound(["--ledger-only"])
    for name in ["out-agreed", "out-refund"] {
      try FileManager.default.removeItem(at: folder.url.appendingPathComponent(name))
    }
    try expectFound([])
    try expectFound(["--ledger-only"])
    #expect(try find([what, "--ledger-only"]).output == text.output, "no directory is looked at")
  }

  @Test("without reports, nights are neither looked at nor marked, and other records are not found")
  func readsNoReports() throws {
    try FileManager.default.removeItem(at: folder.url.appendingPathComponent("out-agreed/settlement.csv"))
    #expect(try find(["F"]).exitCode == 66)
    let found = try find(["F", "--ledger-only"])
    #expect(found.exitCode == 0 && found.error.isEmpty)
    #expect(
      found.output.replacing(/(?m)^run (\d).*$/) { "run \($0.1)" } == """
        run 1
          SETTLED  payment F under agreement PA, CHAINED, USD 30.00
            sender ann@mail.example
            account      role       refundable  refunded
            a@x.example  PRIMARY         10.00      4.00
            b@x.example  SECONDARY       20.00      8.00
            sent 30.00, refunded 12.00, remaining 18.00
            refund  run  amount  fees returned
            RF        2   12.00           0.00
            paid out
              a@x.example  waits: NO_PAYOUT
              b@x.example  waits: NO_PAYOUT

        run 2
          REFUNDED  refund RF of payment F, USD 12.00

        """)
    let object = try find(["F", "--ledger-only", "--format", "jsonl"]).output
    #expect(object.contains(#""directoryGone":null,"lookedAt":false,"#))
    for what in ["W", "Z", "P1-1", "ann@mail.example"] {
      let absent = try find([what, "--ledger-only"])
      #expect(absent.exitCode == 1 && absent.output.isEmpty)
      #expect(absent.error.hasSuffix("settle: error: nothing found in the ledger; no reports were read\n"))
    }
    #expect(try find(["W"]).output.contains("PENDING  payment W"))
  }

  @Test("an agreement is shown in full once, below its nights, and only if one of them is shown")
  func agreement() throws {
    let all = try find(["PA"]).output
    #expect(all.contains("\n\nin the ledger\n  agreement PA: ACTIVE, sender ann@mail.example\n"), "\(all)")
    #expect(
      all.contains("\n  records: CREATE in run 1, CONFIRM in run 1\n") && all.contains("\n  maxNumberOfPayments: 3\n"))
    #expect(try find(["PA", "--until", "2020-01-01"]).exitCode == 1)
  }

  @Test("an account whose balance was only adjusted has received nothing: it is looked for as a sender")
  func adjustedSender() throws {
    try folder.write("sent.csv", "key,account,currency,amount,reason\nk1,ann@mail.example,USD,-1.00,OTHER")
    let adopt = ["ledger", "adopt", "ledger", "--last-payout", "1", "--give-up", "1", "--payments", "sent.csv"]
    #expect(try folder.run(adopt).exitCode == 0)
    let balances = """
      in the ledger
        USD balance -1.00, since run 2
        entry               amount  balance
        adjusted, payout 1   -1.00    -1.00

      """
    let found = try find(["ann@mail.example"]).output
    #expect(found.contains("\nsum of 2 nights, as sender\n") && found.hasSuffix("\n\n" + balances), "\(found)")
    #expect(try find(["ann@mail.example", "--ledger-only"]).output == balances)
  }
}
