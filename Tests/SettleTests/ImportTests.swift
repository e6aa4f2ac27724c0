import Foundation
import Testing

@Suite("settle import, run as a user runs it")
struct ImportTests {
  private static let receiver = "receiverList.receiver(0).email=a@b.example&receiverList.receiver(0).amount="
  private static func request(_ trackingID: String, _ amount: String) -> String {
    "actionType=PAY&currencyCode=USD&trackingId=\(trackingID)&\(receiver)\(amount)"
  }

  private func importing(_ folder: CommandFolder, _ more: String...) throws -> (exitCode: Int32, said: String) {
    try folder.run(["import", "requests.txt", "--format", "adaptive-nvp"] + more)
  }

  private func text(_ name: String, in folder: CommandFolder) throws -> Data {
    try Data(contentsOf: folder.url.appendingPathComponent(name))
  }

  @Test func whatIsImportedIsSettled() throws {
    let folder = try CommandFolder()
    try folder.write("requests.txt", Self.request("T-1", "10.00") + "\n" + Self.request("T-2", "5"))
    #expect(try importing(folder, "--output", "batch.jsonl.lz4").exitCode == 0)
    #expect(try text("batch.jsonl.lz4", in: folder).prefix(4) == Data([0x04, 0x22, 0x4D, 0x18]))
    let (exitCode, said) = try folder.run(["run", "batch.jsonl.lz4", "--output", "out"])
    #expect(exitCode == 0)
    #expect(said.contains("2 records: 2 settled, 0 rejected, 0 pending, 0 held. Control totals verified."), "\(said)")
    #expect(try importing(folder, "--output", "batch.jsonl").exitCode == 0)
    let plain = try folder.run(["run", "batch.jsonl", "--output", "plain"])
    #expect(plain.exitCode == 0)
    #expect(try text("out/settlement.csv", in: folder) == text("plain/settlement.csv", in: folder))
  }

  @Test func aRequestOfALogThatGrewIsSettledOnce() throws {
    let folder = try CommandFolder()
    let sale = "actionType=PAY&currencyCode=USD&senderEmail=ann@mail.example&\(Self.receiver)25.00"
    let refund = "https://svcs.paypal.com/AdaptivePayments/Refund?trackingId=T-1"
    let night = [sale, Self.request("T-1", "3.00"), refund]
    for (number, log, outcome) in [
      (1, night.joined(separator: "\n"), "2 settled, 0 rejected"),
      (2, (night + [sale]).joined(separator: "\r\n\r\n"), "1 settled, 3 rejected"),
      (
        3, ([sale.replacing("25.00", with: "7.00"), sale] + night.reversed()).joined(separator: "\n"),
        "1 settled, 4 rejected"
      ),
    ] {
      try folder.write("requests.txt", log)
      #expect(try importing(folder, "--output", "batch.jsonl", "--replace").exitCode == 0)
      let (_, said) = try folder.run(["run", "batch.jsonl", "--ledger", "ledger", "--output", "night-\(number)"])
      #expect(said.contains(outcome), "\(said)")
      let exceptions = String(decoding: try text("night-\(number)/exceptions.csv", in: folder), as: UTF8.self)
      let codes = exceptions.matches(of: /ALREADY_[A-Z]+/).map { String($0.0) }
      #expect(
        codes.sorted() == Array(repeating: "ALREADY_REFUNDED", count: number == 1 ? 0 : 1)
          + Array(repeating: "ALREADY_SETTLED", count: number == 1 ? 0 : number), "\(exceptions)")
    }
  }

  @Test func whereARequestIsWrongNothingIsTouched() throws {
    let folder = try CommandFolder()
    try folder.write("requests.txt", Self.request("T-1", "10.00") + "\n" + Self.request("T-2", "0"))
    try folder.write("batch.jsonl", "as it was")
    let (exitCode, said) = try importing(folder, "--output", "batch.jsonl")
    #expect(exitCode == 1)
    #expect(said.contains("requests.txt:2: error: 580022 at receiverList.receiver(0).amount: "), "\(said)")
    #expect(try text("batch.jsonl", in: folder) == Data("as it was\n".utf8))
    #expect(try importing(folder, "--output", "batch.jsonl", "--skip-invalid").exitCode == 73)
    #expect(try text("batch.jsonl", in: folder) == Data("as it was\n".utf8))
    #expect(try importing(folder, "--output", "batch.jsonl", "--skip-invalid", "--replace").exitCode == 1)
    let batch = String(decoding: try text("batch.jsonl", in: folder), as: UTF8.self)
    #expect(batch.contains(#""payKey":"T-1""#) && !batch.contains("T-2"))
    #expect(try folder.run(["validate", "batch.jsonl"]).exitCode == 0)
  }

  @Test func aCardNumberOfFreeTextIsNowhereWhole() throws {
    let folder = try CommandFolder()
    let card = "4111+1111+1111+1111"
    try folder.write(
      "requests.txt",
      Self.request("T-1", "1") + "&memo=\(card)&receiverList.receiver(0).invoiceId=\(card)&\(card)=\(card)\n"
        + Self.request(card, "1") + "\n" + Self.request("T-3", card) + "&feesPayer=\(card)&memo=%044111111111111111")
    let (exitCode, said) = try importing(folder, "--output", "batch.jsonl", "--skip-invalid", "--log-level", "debug")
    #expect(exitCode == 1)
    let digits = (said + String(decoding: try text("batch.jsonl", in: folder), as: UTF8.self))
      .replacing(/\\u00[0-9a-f]{2}/, with: "").filter { !" -\t".contains($0) }
    #expect(!digits.contains("4111111111111111"), "\(said)")
    #expect(digits.contains("************1111"))
  }

  @Test func notesOfAFieldAreCountedBeyondTen() throws {
    let folder = try CommandFolder()
    let requests = (1...25).map { Self.request("T-\($0)", "1") + "&returnUrl=x&own\($0)=1" }
    try folder.write("requests.txt", requests.joined(separator: "\n"))
    let (exitCode, said) = try importing(folder, "--output", "batch.jsonl")
    #expect(exitCode == 0)
    #expect(said.components(separatedBy: ": note: returnUrl ").count == 11)
    #expect(said.contains("note: returnUrl: 25 times in all"))
    #expect(said.contains("requests.txt:25: note: own25 "))
  }

  @Test func aCallOfALogThatGrewIsSettledOnce() throws {
    let folder = try CommandFolder()
    func sale(_ price: String) -> String {
      let item = #"{"name":"Mug","unitPrice":"\#(price)","quantity":"1"}"#
      let invoice = #"{"currencyCode":"USD","merchantEmail":"cafe@shop.example","itemList":{"item":[\#(item)]}}"#
      return "paypalhere://takePayment?invoice=\(invoice)\tapp:?Type=SWIPE"
    }
    for (night, log, outcome) in [
      (1, [sale("2.00"), sale("3.00")], "2 settled, 0 rejected"),
      (2, [sale("2.00"), sale("3.00"), sale("2.00")], "1 settled, 2 rejected"),
    ] {
      try folder.write("till.txt", log.joined(separator: "\n"))
      let imported = try folder.run(["import", "till.txt", "--format", "here", "--output", "batch.jsonl", "--replace"])
      #expect(imported.exitCode == 0, "\(imported.said)")
      #expect(imported.said.contains("note: \(log.count) calls without a number: two equal sales in logs that are"))
      let (_, said) = try folder.run(["run", "batch.jsonl", "--ledger", "ledger", "--output", "night-\(night)"])
      #expect(said.contains(outcome), "\(said)")
    }
  }

  @Test func csvInPlaceOfRequestsIsNamed() throws {
    let folder = try CommandFolder()
    try folder.write("requests.txt", "order;amount\n17;12,50\n18;3,00")
    for format in ["adaptive-nvp", "adaptive-json", "here"] {
      let told = try folder.run(["import", "requests.txt", "--format", format, "--output", "batch.jsonl"])
      #expect(told.exitCode == 1, "\(told.said)")
      #expect(told.said.contains("requests.txt: this looks like CSV with semicolons between the fields; expected "))
    }
  }

  @Test func urlsOfPayPalHereAreImportedAndAnswered() throws {
    let folder = try CommandFolder()
    let invoice = #"{"currencyCode":"USD","itemList":{"item":[{"name":"Mug","unitPrice":"2.00","quantity":"1"}]}"#
    let url = "paypalhere://takePayment?returnUrl=app:?t%3D{Type}%26e%3D{Email}&invoice=" + invoice
    let lines = [url + "}\tapp:?t=CASH", url + #","number":"7"}"# + "\tapp:?t=SWIPE"]
    try folder.write("till.txt", lines.joined(separator: "\n"))
    let importing = ["import", "till.txt", "--format", "here", "--output", "-"]
    #expect(try folder.run(importing).exitCode == 1)
    #expect(try folder.run(importing + ["--merchant", "cafe"]).exitCode == 64)
    #expect(try folder.run(importing + ["--created-at", "2026-11-20T18:00:00Z"]).exitCode == 64)
    let (exitCode, said) = try folder.run(importing + ["--merchant", "cafe@shop.example"])
    #expect(exitCode == 0 && said.contains(#""totals":{"USD":"2.00"}"#), "\(said)")
    #expect(said.contains("2 requests: 1 imported, 1 without a payment, 0 wrong with 0 errors"), "\(said)")

    let whole = url + #","merchantEmail":"cafe@shop.example"}"#
    let response = ["here", "response", whole, "--email", "a b"]
    #expect(try folder.run(response + ["--type", "KEY"]).said == "app:?t=KEY&e=a%20b\n")
    #expect(try folder.run(response).said == "app:?t=Unknown\n")
    #expect(try folder.run(response + ["--tip", "1.005", "--type", "KEY"]).exitCode == 64)
    #expect(try folder.run(response + ["--tip", "-1"]).exitCode == 64)
    let wrong = try folder.run(["here", "response", url])
    #expect(wrong.exitCode == 1 && wrong.said.contains("error: 580001 at invoice: "), "\(wrong.said)")
  }
}
