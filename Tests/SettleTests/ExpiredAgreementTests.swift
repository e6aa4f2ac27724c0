import Foundation
import Testing

/// `settle find` over an agreement that no night confirmed.
@Suite("An agreement that was never confirmed")
struct ExpiredAgreementTests {
  private let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  /// Settles a night with some records, which is entered now.
  private func settle(_ name: String, _ records: [String]) throws {
    try folder.write("\(name).jsonl", records.joined(separator: "\n"))
    let run = try folder.run(["run", "\(name).jsonl", "--output", name, "--ledger", "ledger"])
    #expect(run.exitCode == 0, "\(run.said)")
  }

  private static func create(_ key: String, _ created: Date) -> String {
    let (day, end) = (Self.day(created), Self.day(created.addingTimeInterval(86_400)))
    return #"{"type":"preapproval","preapprovalKey":"\#(key)","createdAt":"\#(created.ISO8601Format())","#
      + #""startingDate":"\#(day)Z","endingDate":"\#(end)Z","currencyCode":"USD","maxTotalAmountOfAllPayments":"100"}"#
  }

  private static func day(_ date: Date) -> Substring { date.ISO8601Format().prefix(10) }

  /// The status in the ledger.
  private func status(_ key: String) throws -> String? {
    let found = try folder.runApart(["find", key, "--format", "jsonl", "--ledger", "ledger"])
    #expect(found.exitCode == 0, "\(found.error)")
    return found.output.firstMatch(of: /"ledger":\{"preapprovalKey":"[A-Z]+","status":"([A-Z]+)"/).map { String($0.1) }
  }

  @Test("is EXPIRED once a later night was entered more than 3 hours after it was made, in both formats")
  func expiry() throws {
    let now = Date()
    try settle(
      "one",
      [
        Self.create("OLD", now.addingTimeInterval(-3 * 3_600 - 60)), Self.create("NEW", now.addingTimeInterval(-3_600)),
        Self.create("GOOD", now.addingTimeInterval(-86_400)), Self.create("GONE", now.addingTimeInterval(-86_400)),
        #"{"type":"preapproval","preapprovalKey":"GOOD","action":"CONFIRM","senderEmail":"ann@x.example","#
          + #""createdAt":"\#(now.addingTimeInterval(-86_400).ISO8601Format())"}"#,
        #"{"type":"preapproval","preapprovalKey":"GONE","action":"CANCEL","createdAt":"\#(now.ISO8601Format())"}"#,
      ])
    // Its own night may still be followed by one that confirms it.
    for (key, expected) in [("OLD", "PENDING"), ("NEW", "PENDING"), ("GOOD", "ACTIVE"), ("GONE", "CANCELED")] {
      let found = try status(key)
      #expect(found == expected, "\(key)")
    }
    try settle("two", [#"{"payKey":"P","recipient":"shop@x.example","subTotal":"1.00"}"#])
    for (key, expected) in [("OLD", "EXPIRED"), ("NEW", "PENDING"), ("GOOD", "ACTIVE"), ("GONE", "CANCELED")] {
      let found = try status(key)
      #expect(found == expected, "\(key)")
    }
    let text = try folder.runApart(["find", "OLD", "--ledger", "ledger"]).output
    #expect(text.contains("\n  agreement OLD: EXPIRED, "), "\(text)")
  }
}
