import BatchRun
import Digests
import Foundation
import TestSupport
import Verification

/// A folder with a settled batch, whose reports are then changed.
struct TamperedFolder {
  static let reports = [
    "control.csv", "exceptions.csv", "preapprovals.csv", "receivers.csv", "refunds.csv", "settlement.csv",
    "summary.json",
    "totals.csv",
  ]

  let folder: TemporaryFolder

  /// Settles a batch into `out`; its file is `night.jsonl`.
  init(_ batch: [UInt8] = Array(TamperedFolder.batch.utf8), options: RunOptions = RunOptions(threads: 1)) throws {
    folder = try TemporaryFolder()
    try folder.write(batch, to: "night.jsonl")
    _ = try BatchRun.settle(
      [folder.path("night.jsonl")], output: folder.path("out"), replace: false, options: options)
  }

  func bytes(_ name: String) throws -> [UInt8] { try folder.bytes(of: "out/\(name)") }

  /// A report's lines without their ends, the header among them.
  func lines(_ name: String) throws -> [String] {
    String(decoding: try bytes(name), as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast().map(String.init)
  }

  func write(_ lines: [String], to name: String) throws {
    try write(Array(lines.map { $0 + "\n" }.joined().utf8), name)
  }

  func write(_ bytes: [UInt8], _ name: String) throws { try folder.write(bytes, to: "out/\(name)") }

  /// Makes `SHA256SUMS` match the reports again, so that only their content can reveal a change.
  func mendSums() throws {
    let sums = try (Self.reports + ["fees.csv"]).sorted().filter {
      FileManager.default.fileExists(atPath: folder.path("out/\($0)"))
    }.map {
      "\(SHA256.digest(of: try bytes($0)).hexadecimal)  \($0)"
    }
    try write(sums, to: "SHA256SUMS")
  }

  /// Verifies the reports; with the batch if that is asked for.
  func verify(
    withBatch: Bool = false, options: RunOptions = RunOptions(threads: 1), batch: String = "night.jsonl"
  ) throws -> VerificationResult {
    try Verification.verify(
      folder.path("out"),
      batch: withBatch ? Verification.SettledBatch(paths: [folder.path(batch)], options: options) : nil)
  }

  /// The findings, one a line.
  func findings(withBatch: Bool = false) throws -> [String] { try verify(withBatch: withBatch).findings.map(\.text) }

  /// Every kind, status and shape of payment; errors with and without an amount; large amounts; text that needs
  /// quoting.
  static let batch = #"""
    {"type":"header","batchId":"night-7"}
    {"payKey":"S-1","sender":"ann@mail.example","recipient":"books@shop.example","subTotal":"25.00"}
    {"payKey":"P-1","paymentCurrency":"JPY","feePayer":"FEEPAYER_SENDER","sender":"+819012345678","receiverPaymentDetails":[{"recipient":"hotel@inn.example","subtotal":"1000"},{"recipient":"guide@inn.example","subtotal":"500"}]}
    {"payKey":"C-1","paymentCurrency":"EUR","feePayer":"FEEPAYER_PRIMARYRECEIVER","receiverPaymentDetails":[{"recipient":"lamps@shop.example","subtotal":"60.00"},{"recipient":"market@shop.example","subtotal":"100.00","isPrimary":true},{"recipient":"chairs@shop.example","subtotal":"30.00"}]}
    {"payKey":"W-1","status":"STATUS_CREATED","recipient":"books@shop.example","subTotal":"7.50"}
    {"payKey":"H-1","status":"STATUS_OTHER","paymentCurrency":"EUR","recipient":"lamps@shop.example","subTotal":"8.25"}
    {"payKey":"R-1","recipient":"books@shop.example","subTotal":"0.00","country":"QQ"}
    {"payKey":"R-2","feePayer":"a \"b\", c","recipient":"books@shop.example","subTotal":"3.00"}
    {"payKey":"R-3","receiverPaymentDetails":[{"recipient":"a@b.example","subtotal":"1.00"},{"recipient":"a@b.example","subtotal":"2.00","paymentType":"TYPE_PERSONAL"}]}
    this is no record
    {"payKey":"S-1","recipient":"books@shop.example","subTotal":"4.00"}
    {"payKey":"S-2","memo":"x","colour":"red","recipient":"books@shop.example","subTotal":"123456789012345678901234567890.12"}
    {"payKey":"S-3","paymentCurrency":"EUR","recipient":"books@shop.example","subTotal":"10.10"}
    {"type":"trailer","recordCount":12,"totals":{"USD":"123456789012345678901234567932.62","JPY":1500,"EUR":"118.35"}}

    """#
}
