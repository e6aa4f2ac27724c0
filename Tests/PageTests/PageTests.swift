import Digests
import Foundation
import Rules
import Testing
import TestSupport

@testable import Page

@Suite("The page of a directory")
struct PageTests {
  /// The README's example and its night with refunds, as published.
  private static let published = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Published").path

  @Test("the pages of the examples match the golden files", arguments: ["example", "night-2"])
  func golden(name: String) throws {
    let (page, exceptions, listed) = try ReportPage.make(of: "\(Self.published)/\(name)")
    #expect(page.starts(with: ReportPage.beginning))
    // Except style and script, which are files of their own, and their digests.
    var text = String(decoding: page, as: UTF8.self)
    for tag in ["style", "script"] {
      text = text.replacing(try Regex("(?s)<\(tag)>.*</\(tag)>"), with: "<\(tag)></\(tag)>")
    }
    // The files of a checkout have new times.
    text = text.replacing(try Regex("<time.*?</time>"), with: "<time></time>")
    text = text.replacing(try Regex("sha256-[A-Za-z0-9+/]{43}="), with: "sha256-...")
    let complaint = try Golden().complaint(Array(text.utf8), name: "\(name).html")
    #expect(complaint == nil)
    #expect((exceptions, listed) == (1, 1))
  }

  @Test("refunds are listed by the run that settled the payment, the batch's own first, and agreements by status")
  func refunds() throws {
    let published = try PublishedFolder(PublishedFolder.refunds)
    let page = try published.page()
    let told = #"<p class="records">8 records: 2 settled, 3 refunded, 3 agreed.</p>"#
    #expect(page.contains(#"<p class="words">Settled whole</p>"# + told))
    #expect(page.contains(##"<a href="#refunds">Refunds</a>"##) && page.contains(##"<a href="#agreements">"##))
    let rows = page.components(separatedBy: "<tr>").map { row in
      row.replacing(/(?s)<\/tr>.*/, with: "").replacing(/<[^>]*>/, with: " ").split(whereSeparator: \.isWhitespace)
        .joined(separator: " ")
    }
    for row in [
      "JPY 1 500 500 0", "USD 2 25.00 25.00 0.00", "this batch JPY 1 500 0", "this batch USD 2 25.00 0.00",
      "EUR 1 1 0 0 0.00",
    ] {
      #expect(rows.contains(row), "\(row)")
    }
    #expect(try !PublishedFolder(PublishedFolder.mixed).page().contains(#"id="refunds""#))
    try published.change("refunds.csv", "5.00,0.00,0.00", "5.00,0.01,0.00", mended: true)
    #expect(published.failure()?.message.contains("totals.csv and refunds.csv disagree") == true)
    try published.change("preapprovals.csv", "ACTIVE", "active", mended: true)
    #expect(published.failure()?.message.contains("preapprovals.csv:2: status: expected PENDING, ") == true)
  }

  @Test("the same directory gives the same bytes, wherever it is")
  func deterministic() throws {
    let published = try PublishedFolder(PublishedFolder.mixed)
    let page = try published.page()
    #expect(try published.page() == page)
    try FileManager.default.moveItem(atPath: published.folder.path("out"), toPath: published.folder.path("moved"))
    #expect(try ReportPage.make(of: published.folder.path("moved") + "/").page == Array(page.utf8))
  }

  @Test("the top says when the reports were written, and from which files, or the first of many")
  func origin() throws {
    let names = (1...5).map { "night-\($0).jsonl" }
    let published = try PublishedFolder(PublishedFolder.mixed, files: names)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_795_226_399)],
      ofItemAtPath: published.folder.path("out/SHA256SUMS"))
    let page = try published.page()
    #expect(page.contains(#"<time datetime="2026-11-21T01:59:59Z">2026-11-21 01:59:59 UTC</time>"#))
    let named = names.prefix(3).map { "<bdi>\(published.folder.path($0).replacing("/", with: "/<wbr>"))</bdi>" }
    #expect(page.replacing("_<wbr>", with: "_").contains("Files: \(named.joined(separator: ", ")) and 2 more</span>"))
  }

  @Test("the list can be narrowed to an outcome or a code; each has its number of rows that are not listed")
  func kinds() throws {
    let many = ReportPage.mostExceptions + 50
    let lines = (0..<many).map { "no record \($0)" } + PublishedFolder.mixed
    let page = try PublishedFolder(lines).page()
    let kinds = page.matches(of: /<option value="(\w*)" data-unlisted="(\d+)">(\w+)</).map {
      "\($0.output.1) \($0.output.2) \($0.output.3)"
    }
    #expect(
      kinds == [
        " 51 all", "rejected 51 rejected", "pending 0 pending", "held 0 held", "MALFORMED_JSON 51 MALFORMED_JSON",
        "INVALID_VALUE 0 INVALID_VALUE",
      ])
  }

  @Test("a text of the batch is not markup, and is unchanged")
  func hostile() throws {
    let page = try PublishedFolder(PublishedFolder.mixed, files: ["<img src=x>.jsonl"]).page()
    #expect(page.contains("&lt;img src=x&gt;.jsonl"))
    #expect(page.contains(#"feePayer is &quot;&lt;/<wbr>td&gt;&lt;script&gt;\u202e"#))
    #expect(page.components(separatedBy: "<script").count == 2)
    #expect(page.components(separatedBy: "</script").count == 2)
    #expect(!page.contains("<img") && !page.unicodeScalars.contains("\u{202E}"))
  }

  @Test("the policy allows exactly the page's style and script")
  func policy() throws {
    let page = try PublishedFolder(PublishedFolder.mixed).page()
    for source in [PackageResources.page_css, PackageResources.page_js] {
      let digest = Data(SHA256.digest(of: source).bytes).base64EncodedString()
      #expect(page.contains("sha256-\(digest)&#39;"))
      #expect(page.contains(String(decoding: source, as: UTF8.self)))
    }
    #expect(page.contains(#"content="default-src &#39;none&#39;; style-src &#39;sha256-"#))
    #expect(!page.contains("unsafe") && !page.contains(" style=") && !page.contains("http:"))
  }

  @Test("the first rows are listed, and some of each code wherever they are; all are counted")
  func limits() throws {
    let many = ReportPage.mostExceptions + 50
    let late = ReportPage.exceptionsOfEachCode + 5
    let lines =
      (0..<many).map { "no record \($0)" }
      + (0..<late).map { PublishedFolder.payment($0, to: "a@b.example", "-1") }
    let published = try PublishedFolder(lines)
    let (bytes, exceptions, rows) = try ReportPage.make(of: published.folder.path("out"))
    let page = String(decoding: bytes, as: UTF8.self)
    let listed = ReportPage.mostExceptions + ReportPage.exceptionsOfEachCode
    #expect((exceptions, rows) == (many + late, listed))
    #expect(page.components(separatedBy: #"<tr class="rejected">"#).count - 1 == listed)
    #expect(page.contains(#"<data value="\#(many + late)">2<span>075</span></data> rows are listed"#))
    #expect(page.contains(#"<data value="\#(many)">"#) && page.contains(#"<data value="\#(late)">"#))
  }

  @Test("the largest receivers of each currency; equal ones in the order of the report")
  func receivers() throws {
    let amounts = ["9.00", "50.00", "9.00", "1000.00", "9.00", "9.00", "12.00"]
    let lines = amounts.enumerated().map { PublishedFolder.payment($0, to: "r\($0)@b.example", $1) }
    let more = PublishedFolder.payment(100, to: "r0@b.example", "7", #","paymentCurrency":"JPY""#)
    let page = try PublishedFolder(lines + [more]).page()
    let accounts = page.components(separatedBy: #"class="account"><bdi>"#).dropFirst().map { $0.prefix(2) }
    #expect(accounts == ["r0", "r3", "r1", "r6", "r0", "r2"])
    #expect(page.contains("5 of 7 receivers") && page.contains("1 receiver<"))
  }

  static let verdicts: [(lines: [String], words: String)] = [
    ([PublishedFolder.payment(1, to: "a@b.example", "5.00")], "Settled whole"),
    (PublishedFolder.mixed, "Settled in part"),
    (["{}"], "Nothing settled"),
    ([PublishedFolder.payment(1, to: "a@b.example", "5.00", #","status":"STATUS_OTHER""#)], "Nothing settled"),
    (
      [
        #"{"type":"header","batchId":"b","createdAt":"2026-11-20T22:00:00Z"}"#,
        #"{"type":"trailer","recordCount":0,"totals":{}}"#,
      ],
      "Nothing to settle"
    ),
  ]

  @Test("the verdict", arguments: verdicts)
  func verdict(lines: [String], words: String) throws {
    #expect(try PublishedFolder(lines).page().contains(#"<p class="words">\#(words)</p>"#))
  }

  /// The lines of a batch between its header and a trailer that counts two payments; what the page says was read.
  static let mismatches: [(lines: [String], read: String, amounts: String)] = [
    (
      [PublishedFolder.payment(1, to: "a@b.example", "5.00")],
      #"<data value="1">1</data> record: 1 settled, 0 rejected, 0 pending, 0 held."#,
      #"<li><data value="5.00">5.00</data> USD in 1 record</li>"#
    ),
    (
      Array(PublishedFolder.mixed[1...3]),
      #"<data value="3">3</data> records: 0 settled, 1 rejected, 1 pending, 1 held."#,
      #"<li><data value="17.00">17.00</data> USD in 3 records</li>"#
    ),
    ([], #"<data value="0">0</data> records."#, "</p></div></div>"),
  ]

  @Test("control totals that do not match come first, with what was read", arguments: mismatches)
  func mismatch(lines: [String], read: String, amounts: String) throws {
    let header = #"{"type":"header","batchId":"b"}"#
    let trailer = #"{"type":"trailer","recordCount":2,"totals":{"USD":"9999.00","EUR":"5.00"}}"#
    let page = try PublishedFolder([header] + lines + [trailer], enforcesControlTotals: false).page()
    let verdict = #"<div id="verdict" class="bad"><p class="sign" aria-hidden="true">✕</p><div>"#
    #expect(page.contains(verdict + #"<p class="words">Control totals do not match</p>"#))
    #expect(page.contains(#"<p class="records">Read: "# + read))
    #expect(page.contains(amounts) && !page.contains("Settled whole"))
  }

  @Test("every reason to reject has its own meaning")
  func meanings() {
    #expect(Set(RejectionReason.allCases.map(\.meaning)).count == RejectionReason.allCases.count)
  }
}
