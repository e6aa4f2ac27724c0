import Foundation
import TestSupport
import Testing

@testable import Documents
@testable import Statements

/// The rows of a table in the repository (RFC 4180).
private func table(_ path: String) throws -> [[String]] {
  let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  return rows(try String(contentsOf: checkout.appending(path: path), encoding: .utf8))
}

@Suite("Statements as pages")
struct StatementPageTests {
  @Test("every locale shows amounts and dates as in the specification")
  func figures() throws {
    let figures = try table("docs/spec/examples/locales/figures.csv").dropFirst()
    #expect(figures.count == 33 * 11)
    for row in figures {
      let locale = try #require(StatementLocale(row[0]))
      let isDate = row[1].wholeMatch(of: /\d{4}-\d\d-\d\d/) != nil
      #expect((isDate ? locale.date(row[1]) : locale.amount(row[1])) == row[2], "\(row)")
    }
  }

  @Test("every word exists in every language, and every locale has a language")
  func catalogue() throws {
    let words = try table("data/strings.csv")
    #expect(words.count == 1 + StatementWord.allCases.count)
    for (place, language) in words[0].dropFirst().enumerated() {
      for (word, row) in zip(StatementWord.allCases, words.dropFirst()) {
        let camelCase = row[0].replacing(/_(.)/) { $0.output.1.uppercased() }
        #expect("\(word)" == camelCase)
        #expect(
          row[1 + place] == StatementWord.byLanguage[place][word.rawValue] && !row[1 + place].isEmpty, "\(language)")
      }
    }
    let locales = try table("data/locales.csv").dropFirst()
    #expect(locales.map { $0[0] } == StatementLocale.all.map(\.name) && locales.count == 33)
    for (row, locale) in zip(locales, StatementLocale.all) { #expect(words[0][1 + locale.language] == row[1]) }
  }

  /// Two currencies, a refund, and texts that look like markup.
  private static let batch = """
    {"payKey":"P-1","createdAt":"2026-11-03T23:30:00-01:00","paymentCurrency":"USD","sender":"ann@b.example",\
    "recipient":"shop@b.example","subTotal":"1234567.50","customId":"<b onclick='x'>&\\"\\u0007\\u202e","description":"=1+1"}
    {"payKey":"P-2","paymentCurrency":"JPY","recipient":"shop@b.example","subTotal":"1500"}
    {"payKey":"P-3","paymentCurrency":"USD","receiverPaymentDetails":[{"recipient":"shop@b.example","subtotal":"10",\
    "isPrimary":true,"description":"4111 1111 1111 1111"},{"recipient":"other@b.example","subtotal":"4"}]}
    {"type":"refund","refundKey":"R-1","payKey":"P-1","amount":"0.50","currencyCode":"USD"}
    """

  private func pages(_ locale: String) throws -> [String: String] {
    let counter = try Counter()
    try counter.folder.write(Array(Self.batch.utf8), to: "batch")
    _ = try Statements.write(
      [counter.folder.path("batch")], as: .html, locale: StatementLocale(locale),
      accounts: SelectedAccounts(["shop@b.example", "none@b.example"]), day: .init(day: "2026-11-04"),
      output: counter.folder.path("out"), options: Counter.options(threads: 1))
    return try Dictionary(
      uniqueKeysWithValues: counter.folder.names(in: "out").map {
        ($0, String(decoding: try counter.folder.bytes(of: "out/\($0)"), as: UTF8.self))
      })
  }

  @Test("a table for each currency, its rows in order, and their exact sums")
  func tables() throws {
    let page = try #require(try pages("de_DE")["1.html"])
    #expect(page.contains(#"<html lang="de-DE" dir="ltr">"#) && page.contains("size: A4"))
    #expect(page.matches(of: /<caption>(.*?)<\/caption>/).map { String($0.output.1) } == ["JPY", "USD"])
    let keys = page.matches(of: /<td data-head="Zahlung"><bdi>(.*?)<\/bdi>/).map { String($0.output.1) }
    #expect(keys == ["P-2", "P-1", "P-3", "P-1"])
    let usd = try #require(page.components(separatedBy: "<caption>USD").last)
    let figures = usd.matches(of: /<data value="(.*?)">(.*?)<\/data>/)
    #expect(figures.prefix(2).map { "\($0.output.1) \($0.output.2)" }[0] == "1234567.50 1.234.567,50")
    let grosses = stride(from: 0, to: figures.count, by: 4).map { String(figures[$0].output.1) }
    #expect(grosses == ["1234567.50", "10.00", "-0.50", "1234577.00"])
    #expect(page.contains(#"<time datetime="2026-11-04">04.11.2026</time>"#) && page.contains("<dd>04.11.2026</dd>"))
    #expect(page.contains("Rückzahlung") && page.contains("Hauptempfänger"))
  }

  @Test("no text of the batch is markup; texts are complete, except controls and card numbers")
  func texts() throws {
    let page = try #require(try pages("en_US")["1.html"])
    #expect(page.contains("<bdi>&lt;b onclick=&#39;x&#39;&gt;&amp;&quot;\u{FFFD}\u{202E}</bdi>"))
    #expect(page.contains("<bdi>=1+1</bdi>") && page.contains("<bdi>**** **** **** 1111</bdi>"))
  }

  @Test("an account without payments has a page that says so", arguments: [("en_US", "No payments"), ("zh_TW", "無付款")])
  func none(locale: String, word: String) throws {
    let page = try #require(try pages(locale)["2.html"])
    #expect(page.contains("<p>\(word)</p>") && !page.contains("<table>"))
    #expect(page.contains(locale == "zh_TW" ? "zh-Hant-TW" : "en-US"))
  }
}
