import BatchRun
import Failures
import Import
import Documents
import Rules
import TestOracles

/// Imports a file of requests in both formats: the engine must accept the whole batch, and messages must have no
/// control characters.
enum RequestTarget {
  static func check(_ bytes: [UInt8]) throws(Disagreement) {
    for format in RequestImport.Format.allCases {
      var batch = RequestImport(format)
      var told: [String] = []
      var refused = 0
      _ = batch.read(bytes) { finding in
        if finding.payPalErrorID != nil { refused += 1 }
        told.append("\(finding.field) \(finding.reason)")
      }
      for line in told { try ReportForm.checkText(Array(line.utf8)) }
      try require(batch.refused <= refused, "\(batch.refused) requests are left out, \(refused) faults are told")
      var written: [UInt8] = []
      batch.writeBatch { written.append($0) }
      try check(written, payments: batch.imported)
    }
  }

  private static func check(_ batch: [UInt8], payments: Int) throws(Disagreement) {
    let lines = batch.split(separator: 0x0A)
    try require(lines.count == payments + 2, "\(lines.count) lines for \(payments) payments")
    for line in lines {
      try ReportForm.checkText(Array(line.filter { $0 != 0x7F && $0 < 0x80 }))
      try require(JSONOracle.form(Array(line)) == .object, "a record that is no JSON: \(shown(line))")
    }
    let place = Scratch.file("imported", batch)
    defer { place.remove() }
    var found: [UInt8] = []
    let result: RunResult
    do throws(Failure) {
      result = try BatchRun.validate([place.path], findings: FindingsList(.jsonl), options: RunOptions(threads: 1)) {
        text throws(Failure) in found.append(text)
      }
    } catch {
      throw Disagreement(words: "the batch cannot be read: \(error.message)")
    }
    try require(result.controlTotals == .verified, "the control totals are \(result.controlTotals)")
    try require(result.totals.recordsRead == payments, "\(result.totals.recordsRead) records are read")
    // Whether fees exceed what their bearer keeps depends on the schedule, not on the request. The payment of a refund
    // is in another batch.
    let elsewhere = [RejectionReason.feesExceedAmount, .paymentNotSettled].map { Int($0.rawValue) }
    let others = result.totals.errors.indices.filter { !elsewhere.contains($0) }
    try require(
      others.allSatisfy { result.totals.errors[$0] == 0 },
      "an imported payment has errors: \(String(decoding: found, as: UTF8.self))")
  }
}
