import Documents
import JSON
import Records
import Version

/// The content of `returns.json`: answers on one line.
struct ReturnsSummary: JSONDocument {
  static let isAnother = "is not a summary of answers"

  struct File: Equatable {
    let name: String
    let bytes: Int
    let sha256: String
    let format: String
    let controls: String?
    let (answers, others): (Int, Int)
  }

  /// The version of the engine.
  var engine = SettleVersion.number
  /// The ledger's name in its files.
  let ledger: String
  /// The number of the last payout.
  let payouts: Int
  let debtor: (bytes: Int, sha256: String)?
  let files: [File]
  /// Nil if files with errors were not left out.
  let skipped: SkippedFiles?
  let counts: JSONTree
  /// The payments that are listed; nil without the option.
  let confirm: (period: ConfirmedPeriod, payments: JSONTree)?

  init(
    ledger: String, payouts: Int, debtor: (bytes: Int, sha256: String)?, files: [File], skipped: SkippedFiles?,
    _ counts: AnswerCounts, confirming period: ConfirmedPeriod?
  ) {
    (self.ledger, self.payouts, self.debtor, self.files, self.skipped) = (ledger, payouts, debtor, files, skipped)
    confirm = period.map { period in
      let payments = counts.payments.map { currency, state, sum in
        JSONTree.object([
          ("currency", .string(currency.code)), ("state", .string(state.rawValue)), ("payments", .number(sum.payments)),
          ("amount", .string(sum.amount.description)),
        ])
      }
      return (period, .array(payments))
    }
    func sorted(_ counts: [(String, Int)]) -> JSONTree {
      .object(counts.sorted { $0.0 < $1.0 }.map { ($0.0, .number($0.1)) })
    }
    self.counts = [
      "results": sorted(counts.results.map { ($0.key.rawValue, $0.value) }),
      "codes": sorted(counts.codes.map { ($0.key.rawValue, $0.value) }),
      "returned": .array(
        counts.returned.sorted { $0.key < $1.key }.map { currency, sum in
          [
            "currency": .string(currency.code), "payments": .number(sum.payments),
            "amount": .string(sum.amount.description),
          ]
        }),
    ]
  }

  var tree: JSONTree {
    .object(
      [
        ("engine", ["name": .string("settle"), "version": .string(engine)]), ("ledger", .string(ledger)),
        ("payouts", .number(payouts)),
        ("debtor", debtor.map { ["bytes": .number($0.bytes), "sha256": .string($0.sha256)] } ?? .null),
        ("files", .array(files.map(\.tree))),
      ] + (skipped.map { [("skipped", $0.tree)] } ?? []) + ["results", "codes", "returned"].map { ($0, counts[$0]!) }
        + (confirm.map { [("confirm", Self.tree($0.period, $0.payments))] } ?? []))
  }

  private static func tree(_ period: ConfirmedPeriod, _ payments: JSONTree) -> JSONTree {
    [
      "since": .string(period.since), "asOf": .string(period.asOf), "within": .number(period.within),
      "payments": payments,
    ]
  }

  private static func confirm(_ tree: JSONTree) -> (period: ConfirmedPeriod, payments: JSONTree)? {
    guard let since = tree["since"]?.string, let asOf = tree["asOf"]?.string, let within = tree["within"]?.count,
      let payments = tree["payments"], CalendarDay(since) != nil, CalendarDay(asOf) != nil, since <= asOf
    else { return nil }
    return (ConfirmedPeriod(since: since, asOf: asOf, within: within), payments)
  }

  /// Nil if the tree is not a summary of answers.
  init?(_ tree: JSONTree) {
    guard let engine = tree["engine"]?["version"]?.string, let ledger = tree["ledger"]?.string,
      let payouts = tree["payouts"]?.count, let files = tree["files"]?.elements, let debtor = tree["debtor"],
      let results = tree["results"], let codes = tree["codes"], let returned = tree["returned"]
    else { return nil }
    (self.engine, self.ledger, self.payouts) = (engine, ledger, payouts)
    self.debtor = debtor["bytes"]?.count.flatMap { bytes in debtor["sha256"]?.string.map { (bytes, $0) } }
    self.files = files.compactMap(File.init)
    counts = ["results": results, "codes": codes, "returned": returned]
    skipped = tree["skipped"].flatMap(SkippedFiles.init)
    confirm = tree["confirm"].flatMap(Self.confirm)
    guard self.files.count == files.count, (tree["confirm"] == nil) == (confirm == nil) else { return nil }
  }
}

/// How many files were left out, because they have errors.
struct SkippedFiles: Equatable {
  /// Lists made by hand, and files of banks.
  let (lists, others): (Int, Int)

  init(_ files: [AnswerFile]) {
    lists = files.count { file in file.content.map { AnswerFormat.all[$0.format].isList } ?? false }
    others = files.count - lists
  }

  fileprivate init?(_ tree: JSONTree) {
    guard let lists = tree["lists"]?.count, let others = tree["others"]?.count else { return nil }
    (self.lists, self.others) = (lists, others)
  }

  fileprivate var tree: JSONTree { ["lists": .number(lists), "others": .number(others)] }
}

extension ReturnsSummary.File {
  fileprivate var tree: JSONTree {
    [
      "name": .string(name), "bytes": .number(bytes), "sha256": .string(sha256), "format": .string(format),
      "controls": controls.map { .string($0) } ?? .null, "answers": .number(answers), "others": .number(others),
    ]
  }

  fileprivate init?(_ tree: JSONTree) {
    guard let name = tree["name"]?.string, let bytes = tree["bytes"]?.count, let sha256 = tree["sha256"]?.string,
      let format = tree["format"]?.string, let answers = tree["answers"]?.count, let others = tree["others"]?.count
    else { return nil }
    (self.name, self.bytes, self.sha256, self.format) = (name, bytes, sha256, format)
    (controls, self.answers, self.others) = (tree["controls"]?.string, answers, others)
  }
}
