import Failures
import LedgerRuns
import Rules

/// Searches batches that are still there for payments by what people have: a `customId`, the number of a PayPal Here
/// invoice (which is a `customId` too), or words of a `memo`. Neither the ledger nor the reports have these.
struct BatchSearch {
  /// A payment that was found.
  struct Found {
    let payKey: String
    /// `customId` or `memo`.
    let field: String
    let file: String
    let line: Int
  }

  /// The most payments that are shown.
  static let most = 100

  private let what: [UInt8]
  private(set) var found: [Found] = []
  /// How many more were found.
  private(set) var unlisted = 0

  init(_ what: String) { self.what = Array(what.utf8) }

  /// Reads the files of batches, each by itself.
  mutating func read(_ paths: [String]) throws(Failure) {
    var judge = RecordJudge()
    for path in paths {
      try BatchReading.forEachRecord([path]) { record throws(Failure) in
        guard record.holds(what) || record.hasEscapes, judge.judge(record.text) == .record,
          judge.judgement.recordType == .payment, judge.judgement.payKey.count > 0
        else { return }
        guard let field = field(judge.judgement) else { return }
        guard found.count < Self.most else {
          unlisted += 1
          return
        }
        found.append(
          Found(
            payKey: String(decoding: Array(judge.judgement.payKey), as: UTF8.self), field: field, file: record.file,
            line: record.line))
      }
    }
  }

  /// The field that has what is looked for: a whole `customId`, or a part of the `memo`.
  private func field(_ judgement: borrowing Judgement) -> String? {
    for place in 0..<judgement.explainableReceivers {
      let customID = judgement.texts.text(.customId, of: place)
      if customID == what { return "customId" }
    }
    let memo = judgement.texts.memo
    return memo.span.place(of: what.span) == nil ? nil : "memo"
  }

  /// Shows where the payments are in the batches; the ledger's nights follow.
  func show(_ nights: FoundNights) throws(Failure) {
    for payment in found {
      try nights.showSum {
        ["\(payment.file):\(payment.line)", "  payment \(payment.payKey), by its \(payment.field)"]
      } json: {
        [
          [
            ("payKey", .string(payment.payKey)), ("foundIn", .string(payment.field)), ("file", .string(payment.file)),
            ("line", .number(payment.line)),
          ]
        ]
      }
    }
  }
}
