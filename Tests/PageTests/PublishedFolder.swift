import BatchRun
import Digests
import Failures
import Foundation
import LedgerRuns
import Page
import TestSupport

/// A batch settled into `out` in a folder, and its page.
struct PublishedFolder {
  let folder: TemporaryFolder

  /// Settles lines as one file, or as several of the names given.
  init(_ lines: [String], files: [String] = ["night.jsonl"], enforcesControlTotals: Bool = true) throws {
    folder = try TemporaryFolder()
    for (place, name) in files.enumerated() {
      let part = files.count == 1 ? lines : [lines[place]]
      try folder.write(Array(part.map { $0 + "\n" }.joined().utf8), to: name)
    }
    _ = try BatchRun.settle(
      files.map(folder.path), output: folder.path("out"), replace: false,
      options: RunOptions(threads: 1, enforcesControlTotals: enforcesControlTotals))
  }

  /// The page's text.
  func page() throws -> String { String(decoding: try ReportPage.make(of: folder.path("out")).page, as: UTF8.self) }

  /// The failure of making the page; nil if it does not fail.
  func failure(_ name: String = "out") -> Failure? {
    do throws(Failure) {
      _ = try ReportPage.make(of: folder.path(name))
      return nil
    } catch {
      return error
    }
  }

  /// Replaces a text in a report, which must contain it; with `mended`, the digests are corrected.
  func change(_ name: String, _ old: String, _ new: String, mended: Bool) throws {
    let text = String(decoding: try folder.bytes(of: "out/\(name)"), as: UTF8.self)
    precondition(text.contains(old), "\(name) has no \(old)")
    let changed = Array(text.replacing(old, with: new).utf8)
    try folder.write(changed, to: "out/\(name)")
    guard mended else { return }
    let sums = String(decoding: try folder.bytes(of: "out/SHA256SUMS"), as: UTF8.self)
    let before = SHA256.digest(of: Array(text.utf8)).hexadecimal
    try folder.write(
      Array(sums.replacing(before, with: SHA256.digest(of: changed).hexadecimal).utf8), to: "out/SHA256SUMS")
  }

  /// A payment to an account.
  static func payment(_ key: Int, to account: String, _ subtotal: String, _ more: String = "") -> String {
    #"{"payKey":"P-\#(key)","recipient":"\#(account)","subTotal":"\#(subtotal)"\#(more)}"#
  }

  /// Refunds in two currencies, and agreements.
  static let refunds =
    [payment(1, to: "a@b.example", "25.00"), payment(2, to: "c@b.example", "500", #","paymentCurrency":"JPY""#)]
    + [#"1","payKey":"P-1","amount":"20","currencyCode":"USD"}"#, #"2","payKey":"P-2"}"#]
    .map { #"{"type":"refund","refundKey":"R-"# + $0 }
    + [#"{"type":"refund","refundKey":"R-3","payKey":"P-1","amount":"5","currencyCode":"USD"}"#]
    + ["A-1", "A-2"].map {
      #"{"type":"preapproval","preapprovalKey":"\#($0)","createdAt":"2026-11-20T08:00:00Z","senderEmail":"a@b.example","startingDate":"2026-11-20Z","endingDate":"2027-11-19Z","currencyCode":"EUR","maxTotalAmountOfAllPayments":"9"}"#
    } + [#"{"type":"preapproval","preapprovalKey":"A-1","action":"CONFIRM","createdAt":"2026-11-20T08:00:00Z"}"#]

  /// Every outcome, and errors whose messages contain text of the batch.
  static let mixed = [
    payment(1, to: "a@b.example", "25.00"), payment(2, to: "c@b.example", "7.50", #","status":"STATUS_CREATED""#),
    payment(3, to: "c@b.example", "8.50", #","status":"STATUS_OTHER""#),
    payment(4, to: "a@b.example", "1.00", #","feePayer":"</td><script>\u202e""#), "this is no record",
  ]
}
