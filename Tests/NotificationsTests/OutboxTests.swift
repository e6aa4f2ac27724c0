import BatchRun
import Digests
import Failures
import Foundation
import Notifications
import Rules
import Testing
import TestSupport

/// A batch settled into `out` of a folder, and its outbox.
struct Settled {
  let folder: TemporaryFolder
  let files: [String]

  /// Settles lines as one file, or as one file each if `isSplit`.
  init(_ lines: [String], isSplit: Bool = false, schedule: FeeSchedule = .published, splits: String? = nil) throws {
    folder = try TemporaryFolder()
    let parts = isSplit ? lines.map { [$0] } : [lines]
    var files: [String] = []
    for (place, part) in parts.enumerated() {
      files.append(try folder.write(Array(part.map { $0 + "\n" }.joined().utf8), to: "batch-\(place)"))
    }
    self.files = files
    var rules = SettlementRules(schedule: schedule)
    if let splits {
      rules = SettlementRules(schedule: schedule, profiles: try SplitProfiles(json: Array(splits.utf8)))
    }
    _ = try BatchRun.settle(
      files, output: folder.path("out"), replace: false, options: RunOptions(rules: rules, threads: 1))
  }

  /// The lines of the outbox, or why there are no lines.
  func outbox(of files: [String]? = nil, key: String? = nil) -> Result<[String], Failure> {
    var text: [UInt8] = []
    do throws(Failure) {
      _ = try Outbox.write(
        folder.path("out"), batch: files ?? self.files, key: key.map { Array($0.utf8) }, scratch: folder.path("scratch")
      ) { text.append($0) }
    } catch {
      return .failure(error)
    }
    return .success(String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init))
  }

  /// The messages, each as `KIND KEY URL`.
  func summary() throws -> [String] {
    try outbox().get().map { line in
      let message = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let key = message["refundKey"] ?? message["payKey"] ?? message["preapprovalKey"]
      return "\(message["kind"] ?? "") \(key ?? "") \(message["url"] ?? "")"
    }
  }

  /// The fields of a message's body, still encoded.
  func fields(_ number: Int = 0) throws -> [String: String] {
    let line = try outbox().get()[number]
    let message = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let body = try #require(message["body"] as? String)
    let pairs = body.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    return Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
  }
}

private func payment(_ key: String, _ more: String = "", url: String? = "https://shop.example/ipn") -> String {
  let url = url.map { #","ipnUrl":"\#($0)""# } ?? ""
  return #"{"payKey":"\#(key)","recipient":"shop@b.example","subTotal":"10.00"\#(url)\#(more)}"#
}

private func refund(_ key: String, of payKey: String, _ more: String = "") -> String {
  #"{"type":"refund","refundKey":"\#(key)","payKey":"\#(payKey)"\#(more)}"#
}

@Suite("The messages of a settlement")
struct OutboxTests {
  @Test("Who gets a message: the settled payment among those with its key, at its own url")
  func payments() throws {
    let settled = try Settled([
      #"{"payKey":"A","payKey":"A","ipnUrl":"https://wrong.example/"}"#,
      #"{"payKey":"A","type":"other","ipnUrl":"https://wrong.example/"}"#, "nonsense",
      payment("A"), payment("A", url: "https://wrong.example/"), payment("B", url: nil),
      payment("B", url: "https://wrong.example/"), payment("C", #","status":"STATUS_OTHER""#), payment("C"),
      payment("D", #","status":"STATUS_CREATED""#), payment("E", url: "https://shop.example/"),
    ])
    #expect(try settled.summary() == ["PAY A https://shop.example/ipn", "PAY E https://shop.example/"])
  }

  @Test("A refund goes to its own URL, otherwise to that of its payment, wherever that is in the batch")
  func refunds() throws {
    let part = #","amount":"1.00","currencyCode":"USD""#
    let settled = try Settled([
      refund("R1", of: "A", part), payment("A"), payment("B", url: nil),
      refund("R2", of: "A", #"\#(part),"ipnUrl":"http://own.example""#),
      refund("R3", of: "B", part), refund("R4", of: "B", #"\#(part),"ipnUrl":"http://own.example""#),
      refund("R4", of: "A", #"\#(part),"ipnUrl":"http://wrong.example""#), refund("R5", of: "C"),
      refund("R6", of: "A", #","amount":"8.00","currencyCode":"USD""#),
    ])
    #expect(
      try settled.summary() == [
        "PAY A https://shop.example/ipn", "REFUND R1 https://shop.example/ipn", "REFUND R2 http://own.example",
        "REFUND R4 http://own.example", "REFUND R6 https://shop.example/ipn",
      ])
    let name = "transaction%5B0%5D.status_for_sender_txn"
    #expect(try settled.fields(2)[name] == "Partially_Refunded")
    #expect(try settled.fields(4)[name] == "Refunded")
    #expect(try settled.fields(2)["transaction%5B0%5D.refund_amount"] == "USD+1.00")
  }

  @Test(
    "Confirmed and canceled preapprovals get a message unless exceptions.csv lists them",
    arguments: [false, true])
  func preapprovals(isSplit: Bool) throws {
    func record(_ key: String, _ action: String, at time: String, _ more: String = "") -> String {
      #"{"type":"preapproval","preapprovalKey":"\#(key)","action":"\#(action)","createdAt":"\#(time)","#
        + #""ipnUrl":"https://\#(action.lowercased()).example"\#(more)}"#
    }
    let terms =
      #","startingDate":"2026-11-20Z","endingDate":"2026-11-30Z","currencyCode":"USD","maxTotalAmountOfAllPayments":"5""#
    let settled = try Settled(
      [
        record("P", "CONFIRM", at: "2026-11-20T08:00:00Z"), record("P", "CREATE", at: "2026-11-20T08:00:00Z", terms),
        record("P", "CONFIRM", at: "2026-11-20T09:00:00Z", #","senderEmail":"Ann@b.example""#),
        record("P", "CONFIRM", at: "2026-11-20T09:00:00Z"),
        record("P", "CANCEL", at: "2026-11-20T09:00:00Z", #","senderEmail":"ann@b.example""#),
        record("P", "CANCEL", at: "2026-11-20T09:00:00Z"),
      ], isSplit: isSplit)
    #expect(
      try settled.summary() == [
        "PREAPPROVAL P https://confirm.example", "PREAPPROVAL P https://cancel.example",
        "PREAPPROVAL P https://cancel.example",
      ])
    #expect(try settled.fields(0)["sender_email"] == "ann%40b.example")
    #expect(try settled.fields(1)["sender_email"] == nil)
  }

  @Test(
    "Times are in UTC, with years of four digits at least",
    arguments: [
      ("2012-01-05T06:43:04.999Z", "Thu+Jan+05+06%3A43%3A04+UTC+2012"),
      ("2024-02-28T23:30:00-00:30", "Thu+Feb+29+00%3A00%3A00+UTC+2024"),
      ("0001-01-01T00:00:00+00:01", "Sun+Dec+31+23%3A59%3A00+UTC+0000"),
      ("9999-12-31T23:59:59-23:59", "Sat+Jan+01+23%3A58%3A59+UTC+10000"),
      ("1969-12-31T23:59:59Z", "Wed+Dec+31+23%3A59%3A59+UTC+1969"),
    ])
  func times(written: String, told: String) throws {
    let settled = try Settled([payment("A", #","createdAt":"\#(written)""#)])
    #expect(try settled.fields()["payment_request_date"] == told)
  }

  @Test("Texts are complete, escaped, with card numbers masked; an empty text is left out")
  func texts() throws {
    let settled = try Settled([
      payment("A", #","memo":"\u00e9\n~*-._ 4111 1111 1111 1111","customId":"","paymentType":"TYPE_NOT_SET""#),
      payment("B", #","customId":"a\"b\\","paymentType":"TYPE_PERSONAL","feePayer":"FEEPAYER_SENDER""#),
    ])
    let first = try settled.fields(0)
    #expect(first["memo"] == "%C3%A9%0A%7E*-._+****+****+****+1111")
    #expect(first["transaction%5B0%5D.invoiceId"] == nil && first["transaction%5B0%5D.paymentType"] == nil)
    let second = try settled.fields(1)
    #expect(
      second["transaction%5B0%5D.invoiceId"] == "a%22b%5C" && second["transaction%5B0%5D.paymentType"] == "PERSONAL")
    #expect(second["fees_payer"] == "SENDER")
  }

  @Test("For receivers in a profile, neither reference nor type is in the message")
  func profiles() throws {
    let receivers =
      #"[{"recipient":"a@b.example","split":{"share":"1"},"customId":"x","paymentType":"TYPE_GOODS"},"#
      + #"{"recipient":"c@b.example","split":{"share":"1"},"paymentType":"TYPE_GOODS"}]"#
    let settled = try Settled(
      [
        #"{"payKey":"A","splitProfile":"half","splitTotal":"10.00","customId":"y","paymentType":"TYPE_GOODS","#
          + #""ipnUrl":"https://shop.example"}"#
      ], splits: #"{"half":{"receiverPaymentDetails":\#(receivers)}}"#)
    let names = try settled.fields().keys
    #expect(names.contains("transaction%5B1%5D.amount"))
    #expect(!names.contains { $0.hasSuffix("invoiceId") || $0.hasSuffix("paymentType") })
  }

  @Test("The digest covers url and body, and the signature covers everything before it")
  func signature() throws {
    let settled = try Settled([payment("A", url: #"https://shop.example/\\\"?a#b"#)])
    let key = String(repeating: "k", count: 16)
    let line = try #require(try settled.outbox(key: key).get().first)
    let message = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let (url, body) = (message["url"] as? String ?? "", message["body"] as? String ?? "")
    #expect(url == #"https://shop.example/\"?a#b"#)
    #expect(message["digest"] as? String == SHA256.digest(of: Array("\(url)\n\(body)".utf8)).hexadecimal)
    let parts = body.components(separatedBy: "&verify_sign=")
    let expected = SHA256.authenticationCode(of: parts[0].utf8Span.span, key: Array(key.utf8))
    #expect(parts[1] == expected.hexadecimal)
  }

  @Test("Reports of a payment or refund that their batch does not have end with 2", arguments: ["A,", ",R\n"])
  func strangers(key: String) throws {
    let settled = try Settled([payment("A")] + (key == "A," ? [] : [refund("R", of: "A")]))
    let report = String(decoding: try settled.folder.bytes(of: "out/settlement.csv"), as: UTF8.self)
    let changed = Array(report.replacingOccurrences(of: key, with: key == "A," ? "B," : ",S\n").utf8)
    try settled.folder.write(changed, to: "out/settlement.csv")
    let sums = String(decoding: try settled.folder.bytes(of: "out/SHA256SUMS"), as: UTF8.self)
    let (old, new) = (SHA256.digest(of: Array(report.utf8)), SHA256.digest(of: changed))
    try settled.folder.write(Array(sums.replacing(old.hexadecimal, with: new.hexadecimal).utf8), to: "out/SHA256SUMS")
    guard case .failure(let failure) = settled.outbox() else {
      Issue.record("an outbox of payments that the batch does not have")
      return
    }
    #expect(failure.exitCode == 2)
  }

  @Test("Reports that were changed, and another batch, end with 2; no directory with 66")
  func refusals() throws {
    let settled = try Settled([payment("A"), refund("R", of: "A")])
    func code(of files: [String]? = nil) -> Int32? {
      if case .failure(let failure) = settled.outbox(of: files) { failure.exitCode } else { nil }
    }
    #expect(code() == nil)
    let other = try settled.folder.write(Array((payment("B") + "\n").utf8), to: "other")
    #expect(code(of: [other]) == 2)
    #expect(code(of: settled.files + settled.files) == 2)
    // The same payment and refund, and another text.
    let lines = [payment("A", #","memo":"m""#), refund("R", of: "A")]
    #expect(code(of: [try settled.folder.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: "more")]) == 2)
    for name in ["receivers.csv", "settlement.csv", "summary.json", "SHA256SUMS"] {
      let bytes = try settled.folder.bytes(of: "out/\(name)")
      try settled.folder.write(bytes.map { $0 == UInt8(ascii: "1") ? UInt8(ascii: "2") : $0 }, to: "out/\(name)")
      #expect(code() == 2, "\(name)")
      try FileManager.default.removeItem(atPath: settled.folder.path("out/\(name)"))
      #expect(code() == 2, "\(name)")
      try settled.folder.write(bytes, to: "out/\(name)")
    }
    try FileManager.default.removeItem(atPath: settled.folder.path("out"))
    #expect(code() == 66)
  }
}
