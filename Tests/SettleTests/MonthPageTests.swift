import Foundation
import TestSupport
import Testing

/// The page of a month, of the nights and payouts of the example of accounts.
@Suite("The page of a month")
struct MonthPageTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    let shop = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../docs/spec/examples/accounts")
    try FileManager.default.copyItem(at: shop, to: folder.url.appendingPathComponent("shop"))
    try folder.write(
      "adjustments.csv",
      """
      key,account,currency,amount,reason
      FEE-1,bert@shop.example,EUR,-15.00,CHARGEBACK-FEE
      FEE-2,anna@shop.example,EUR,-1.00,CHARGEBACK-FEE
      DEBT-1,anna@shop.example,EUR,80.93,WRITTEN-OFF
      """)
    for words in [
      "run shop/nights/1/batch.jsonl --output n1 --ledger ledger",
      "payout --ledger ledger --payees shop/payouts/1/payees.csv --date 2025-10-31 --output p1",
      "run shop/nights/2/batch.jsonl --output n2 --ledger ledger",
      "run shop/nights/3/batch.jsonl --output n3 --ledger ledger",
      "payout --ledger ledger --payees shop/payouts/2/payees.csv --returned shop/payouts/2/returned.csv "
        + "--adjustments adjustments.csv --date 2025-11-02 --output p2",
      "run shop/nights/4/batch.jsonl --output n4 --ledger ledger",
    ] {
      let told = try folder.runApart(words.split(separator: " ").map(String.init))
      #expect(told.exitCode <= 1, "\(told)")
    }
  }

  /// The page without its style and script, which are files of their own, and their digests.
  private func page(_ words: String) throws -> String {
    let told = try folder.runApart(
      ["report", "--ledger", "ledger", "--html", "-"] + words.split(separator: " ").map(String.init))
    #expect(told.exitCode == 0, "\(told)")
    var text = told.output
    for tag in ["style", "script"] {
      text = text.replacing(try Regex("(?s)<\(tag)>.*</\(tag)>"), with: "<\(tag)></\(tag)>")
    }
    return text.replacing(/sha256-[A-Za-z0-9+\/]*=*/, with: "sha256-")
  }

  /// The rows of a table of the page, each as the figures and texts of its cells.
  private func rows(_ id: String, _ page: String) throws -> [String] {
    let table = try #require(page.firstMatch(of: try Regex("(?s)<table id=\"\(id)\".*?<tbody>(.*?)</tbody>")))
    let body = String(table.output[1].substring ?? "")
    return body.matches(of: /(?s)<tr>(.*?)<\/tr>/).map { row in
      row.1.matches(of: /<t[hd][^>]*>(.*?)<\/t[hd]>/).map { $0.1.replacing(/<[^>]*>/, with: "") }.joined(separator: " ")
    }
  }

  @Test("the page of November matches the golden file")
  func golden() throws {
    let complaint = try Golden().complaint(
      Array(page("--since 2025-11-01 --until 2025-11-30").utf8), name: "month.html")
    #expect(complaint == nil)
  }

  @Test("its figures are those of history, balances and journal")
  func figures() throws {
    let page = try page("--since 2025-11-01 --until 2025-11-30")
    #expect(
      try rows("balances", page) == [
        "EUR 0.00 132.61 48.20 64.93 0.00 0 245.74", "JPY 0 7775 0 0 7728 1 47",
      ])
    #expect(try rows("reasons", page) == ["EUR CHARGEBACK-FEE 2 -16.00", "EUR WRITTEN-OFF 1 80.93"])
    let balances = try folder.runApart(["balances", "--ledger", "ledger", "--until", "2025-11-30", "--format", "csv"])
      .output
    #expect(balances.contains("bert@shop.example,EUR,52.89,"), "\(balances)")
    #expect(try rows("accounts", page) == ["EUR 2 245.74 0 0.00", "JPY 1 47 0 0"])
  }

  @Test("a period without entries says so; a closing balance is the next opening balance")
  func periods() throws {
    let empty = try page("--since 2024-01-01 --until 2024-01-31")
    #expect(
      empty.contains("No record is booked in this period.") && empty.contains("Nothing was paid, and nothing is owed."))
    let later = try page("--since 2025-12-01 --until 2025-12-31")
    #expect(try rows("balances", later) == ["EUR 245.74 0.00 0.00 0.00 0.00 0 245.74", "JPY 47 0 0 0 0 0 47"])
  }

  @Test(
    "a directory or a period",
    arguments: [
      "--html m.html", "--html m.html --ledger ledger", "--html m.html --ledger ledger --since 2025-11-01",
      "n1 --html m.html --ledger ledger", "--html m.html --ledger ledger --since 2025-11-02 --until 2025-11-01",
    ])
  func usage(words: String) throws {
    #expect(try folder.runApart(["report"] + words.split(separator: " ").map(String.init)).exitCode == 64)
  }
}
