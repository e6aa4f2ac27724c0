import BatchRun
import Failures
import Foundation
import Payouts
import Rules
import TestSupport

/// A ledger with payouts 1 and 2 of the examples of `payouts.md`, which answers are about.
struct AnswerLedger {
  struct Payment {
    let account, currency, amount: String
  }

  private let place: Scratch.Place
  /// The payments by their references.
  let payments: [String: Payment]
  /// The ledger's digits, as the ids of its files for the bank have them.
  private let digits: String

  var path: String { place.folder + "/ledger" }
  var debtor: String { Self.examples + "/payouts/1/debtor.json" }

  /// Made once. Each process makes its own, because answers never change it.
  static let shared: AnswerLedger = {
    do {
      let made = try AnswerLedger()
      atexit { AnswerLedger.shared.place.remove() }
      return made
    } catch {
      fatalError("no ledger: \(error)")
    }
  }()

  private static let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../../docs/spec/examples/payouts").standardizedFileURL.path

  private static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private init() throws {
    place = Scratch.file("empty", [])
    var options = RunOptions(threads: 1)
    options.rules.schedule = try FeeSchedule(
      json: Array(Data(contentsOf: URL(fileURLWithPath: "\(Self.examples)/fees.json"))))
    var payments: [String: Payment] = [:]
    for number in 1...2 {
      let output = "\(place.folder)/payout-\(number)"
      var payout = Payout.Options(
        ledger: "\(place.folder)/ledger", payees: "\(Self.examples)/payouts/\(number)/payees.csv",
        date: "2026-11-2\(3 + number)", executionDate: "2026-11-2\(4 + number)", output: output)
      payout.debtor = "\(Self.examples)/payouts/\(number)/debtor.json"
      // Processes that other tests start hold locks for a moment.
      _ = try openingWhenFree(isBusy: { $0.exitCode == 75 }) { [place] () throws(Failure) in
        try BatchRun.settle(
          ["\(Self.examples)/nights/\(number)/batch.jsonl"], output: "\(place.folder)/night-\(number)", replace: false,
          options: options, ledger: "\(place.folder)/ledger")
      }
      let result = try openingWhenFree(isBusy: { $0.exitCode == 75 }) { () throws(Failure) in
        try Payout.make(payout, note: { _ in })
      }
      guard case .made = result else { throw Disagreement(words: "payout \(number) is not made: \(result)") }
      let rows = try ReportForm.rows(
        of: Array(Data(contentsOf: URL(fileURLWithPath: "\(output)/payouts.csv"))), "payouts")
      for row in rows.dropFirst() { payments[row[0]] = Payment(account: row[1], currency: row[2], amount: row[3]) }
    }
    self.payments = payments
    let summary = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: "\(place.folder)/payout-1/payouts.json")))
    let payout = (summary as? [String: Any])?["payout"] as? [String: Any]
    guard let digits = payout?["ledger"] as? String, payments.count >= 5 else {
      throw Disagreement(words: "the payouts have \(payments.count) payments")
    }
    self.digits = digits
  }

  /// An answer whose file ids have this ledger's digits in place of twelve zeros.
  func addressed(_ answer: [UInt8]) -> [UInt8] {
    let (zeros, own) = (Array("S000000000000-".utf8), Array("S\(digits)-".utf8))
    var (addressed, place) = (answer, 0)
    while place + zeros.count <= addressed.count {
      if addressed[place...].starts(with: zeros) { addressed.replaceSubrange(place..<place + zeros.count, with: own) }
      place += 1
    }
    return addressed
  }
}
