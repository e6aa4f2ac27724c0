import Failures
import Foundation
import Rules
import TestSupport

@testable import BatchRun
@testable import LedgerRuns
@testable import LedgerRuns
@testable import LedgerRuns
@testable import Payouts

/// A folder in which nights are settled with a ledger and payouts are made.
struct PayoutWorkshop {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func path(_ name: String) -> String { folder.path(name) }
  func write(_ text: String, to name: String) throws { try folder.write(Array(text.utf8), to: name) }

  /// Settles a night without fees, into `night-N`.
  func settle(
    _ records: [String], night: Int, output: String? = nil, ledger: String = "ledger", adopt: Bool = false
  ) throws {
    try write(records.joined(separator: "\n"), to: "batch-\(night)")
    var options = RunOptions(threads: 1)
    options.rules.schedule = try FeeSchedule(json: Array(Self.noFees.utf8))
    _ = try openingWhenFree(isBusy: { $0.exitCode == 75 }) { () throws(Failure) in
      try BatchRun.settle(
        [path("batch-\(night)")], output: path(output ?? "night-\(night)"), replace: false, adopt: adopt,
        options: options, ledger: path(ledger))
    }
  }

  private static let noFees: String = {
    let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
    return try! String(contentsOf: checkout.appending(path: "docs/spec/examples/payouts/fees.json"), encoding: .utf8)
  }()

  static func payment(_ key: String, _ account: String, _ currency: String, _ amount: Int) -> String {
    let amount = currency == "JPY" ? "\(amount)" : Self.decimal(amount)
    return
      #"{"payKey":"\#(key)","recipient":"\#(account)","paymentCurrency":"\#(currency)","subTotal":"\#(amount)"}"#
  }

  static func refund(_ key: String, of payKey: String) -> String {
    #"{"type":"refund","refundKey":"\#(key)","payKey":"\#(payKey)"}"#
  }

  static func decimal(_ cents: Int) -> String {
    let rest = cents.magnitude % 100
    return (cents < 0 ? "-" : "") + "\(cents.magnitude / 100)." + (rest < 10 ? "0" : "") + "\(rest)"
  }

  /// Makes a payout into `payout-N`.
  func pay(
    _ number: Int, output: String? = nil, ledger: String = "ledger", change: (inout Payout.Options) -> Void = { _ in }
  ) throws(Failure) -> PayoutResult {
    var options = Payout.Options(
      ledger: path(ledger), payees: path("payees.csv"), date: "2026-11-24", executionDate: "2026-11-25",
      output: path(output ?? "payout-\(number)"))
    change(&options)
    return try openingWhenFree(isBusy: { $0.exitCode == 75 }) { () throws(Failure) in
      try Payout.make(options, note: { _ in })
    }
  }

  /// All files of a directory by name.
  func files(_ directory: String) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try folder.names(in: directory) { files[name] = try folder.bytes(of: "\(directory)/\(name)") }
    return files
  }

  func text(_ name: String) throws -> String { String(decoding: try folder.bytes(of: name), as: UTF8.self) }

  /// The rows of a CSV file without its header; none may have quotes.
  func rows(_ name: String) throws -> [[String]] {
    try text(name).split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  static let payeesHeader = PayeeFile.columns.joined(separator: ",")
}

extension PayoutResult {
  /// `made 2, exit 1`, `already made 1`, `made before 1`, or the codes of faults.
  var description: String {
    switch self {
    case .made(let figures): "made \(figures.number), exit \(figures.exitCode)"
    case .earlier(let earlier, _, _):
      switch earlier.files {
      case .inPlace: "already made \(earlier.entry.number)"
      case .publishedAgain: "already made \(earlier.entry.number), published"
      case .elsewhere(let stand): "made before \(earlier.entry.number)" + (stand ? "" : ", files lost")
      }
    case .faulty(let faults):
      faults.flatMap(\.listed).map {
        "\($0.line.map { "\($0): " } ?? "")\($0.code)\($0.field.map { " at \($0)" } ?? "")"
      }
      .joined(separator: "; ")
    case .tried(let figures): "tried \(figures.number), exit \(figures.exitCode)"
    case .lacking(let refusal): "lacking \(refusal.count)"
    }
  }
}
