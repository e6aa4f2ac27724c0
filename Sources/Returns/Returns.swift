import Bookkeeping
import Publication
import ExactArithmetic
import Failures
import FileSystem
import Money
import Payouts
import Documents
import Ledger

/// What reading answers came to.
public enum ReturnsResult: Sendable {
  /// The directory is published.
  case made(ReturnsFigures)
  /// Files have errors; nothing was published.
  case faulty([FileFaults])

  /// The process's exit code: 1 if someone must look, 78 if a file has errors.
  public var exitCode: Int32 {
    switch self {
    case .made(let figures): figures.exitCode
    case .faulty: 78
    }
  }
}

/// The figures of a directory of answers.
public struct ReturnsFigures: Sendable {
  /// The number of answers with each result, in the order of the results.
  public let results: [(result: AnswerResult, count: Int)]
  /// The number of answers with each code, in the order of the codes.
  public let codes: [(code: AnswerCode, count: Int)]
  /// The number of answers that are not about payments of this ledger.
  public let others: Int
  /// What came back, in the order of the currencies.
  public let returned: [(currency: Currency, payments: Int, amount: ExactDecimal)]
  /// The payments of the period, by currency and state; empty unless they are listed.
  public let payments: [(currency: Currency, state: PaymentState, count: Int, amount: ExactDecimal)]
  /// The first disagreement of each file whose control totals disagree: `FILE:LINE: what disagrees`.
  public let disagreements: [String]
  /// What is wrong with the files that were left out, in the order given; empty if all were read.
  public let leftOut: [FileFaults]

  /// The process's exit code: 1 if someone must look, 78 if a file was left out.
  public var exitCode: Int32 {
    if !leftOut.isEmpty { return 78 }
    return codes.isEmpty && disagreements.isEmpty && !results.contains { $0.result == .change }
      && !payments.contains { $0.state == .notSeen } ? 0 : 1
  }
}

/// Reads what banks answer to the payments of a ledger's payouts (`returns.md`).
public enum Returns {
  /// What should be read.
  public struct Options: Sendable {
    /// The files of answers; `-` is standard input.
    public var answers: [String]
    /// The ledger's file; it is only read.
    public var ledger: String
    /// The file of the accounts that pay; with it the own account is checked.
    public var debtor: String?
    /// Whether files with errors are left out, and the directory is made of the others.
    public var skipsErrors = false
    /// The payments to list; nil for none.
    public var confirm: ConfirmedPeriod?
    /// The directory to make.
    public var output: String

    /// Options with the required values.
    public init(answers: [String], ledger: String, output: String) {
      (self.answers, self.ledger, self.output) = (answers, ledger, output)
    }
  }

  /// Makes a directory of answers, all or nothing; it is published when this returns.
  ///
  /// - Parameters:
  ///   - open: is called with the ledger's history once it is open.
  ///   - note: is called with what was cleaned up after an earlier run or payout.
  public static func make(
    _ options: Options, open: (LedgerHistory) -> Void, note: (String) -> Void
  ) throws(Failure) -> ReturnsResult {
    let ledger = try LedgerReading.opened(options.ledger)
    open(ledger.history)
    let payouts = AnswerablePayouts(
      ledger.history.payouts, givenUp: ledger.history.givenUp, name: ledger.history.name)
    guard payouts.last > 0 else {
      throw .usage("\(ledger.shown): the ledger has no payout yet that a bank could answer")
    }
    let place = try OutputPlace(path: options.output)
    try place.expectNothing()
    try LedgerNote.resolve(place, except: nil, note: note)
    var reading = try AnswerReading(options.answers, debtor: options.debtor, ledger, payouts)
    let faults = try reading.faults()
    guard faults.debtor == nil, options.skipsErrors || faults.files.isEmpty else {
      return .faulty(faults.files.sorted { $0.key < $1.key }.map(\.value) + [faults.debtor].compactMap(\.self))
    }
    if options.skipsErrors { reading.leaveOut(faults.files) }
    let directory = try SettlementDirectory(
      path: options.output, replaces: false,
      leastFiles: AnswerReport.files(hasPayments: options.confirm != nil).count)
    let figures = try reading.write(confirming: options.confirm, makeFile: TableFile.maker(in: directory))
    try directory.complete()
    try ledger.expectUnchanged()
    try directory.publish()
    return .made(figures)
  }
}
