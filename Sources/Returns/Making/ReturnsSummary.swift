import Documents
import JSON
import Version

/// The content of `returns.json`: answers on one line.
struct ReturnsSummary: JSONDocument {
  static let isAnother = "is not a summary of answers"

  struct File: JSONObject {
    var name = ""
    var bytes = 0
    var sha256 = ""
    var format = ""
    var controls: String?
    var answers = 0
    var others = 0

    static var fields: [JSONField<Self>] {
      [
        .init("name", \.name), .init(count: "bytes", \.bytes), .init("sha256", \.sha256), .init("format", \.format),
        .init("controls", \.controls), .init(count: "answers", \.answers), .init(count: "others", \.others),
      ]
    }
  }

  /// The payments of a period, by currency and state.
  struct Confirmed: JSONObject {
    var period = ConfirmedPeriod(since: "", asOf: "")
    var payments = JSONTree.null

    static var fields: [JSONField<Self>] {
      [
        .init(day: "since", \.period.since), .init(day: "asOf", \.period.asOf),
        .init(count: "within", \.period.within), .init("payments", \.payments),
      ]
    }
  }

  /// The version of the engine.
  var engine = SettleVersion.number
  /// The ledger's name in its files.
  private(set) var ledger = ""
  /// The number of the last payout.
  private(set) var payouts = 0
  private(set) var debtor: StoredDigest?
  private(set) var files: [File] = []
  /// Nil if files with errors were not left out.
  private(set) var skipped: SkippedFiles?
  /// The numbers of answers by result and by code, and what is returned by currency.
  private(set) var (results, codes, returned) = (JSONTree.null, JSONTree.null, JSONTree.null)
  /// The payments that are listed; nil without the option.
  private(set) var confirm: Confirmed?

  init() {}

  init(
    ledger: String, payouts: Int, debtor: (bytes: Int, sha256: String)?, files: [File], skipped: SkippedFiles?,
    _ counts: AnswerCounts, confirming period: ConfirmedPeriod?
  ) {
    (self.ledger, self.payouts, self.files, self.skipped) = (ledger, payouts, files, skipped)
    self.debtor = debtor.map(StoredDigest.init)
    func sorted(_ counts: [(String, Int)]) -> JSONTree {
      .object(counts.sorted { $0.0 < $1.0 }.map { ($0.0, .number($0.1)) })
    }
    func sums(_ sums: [(head: [(String, JSONTree)], sum: AnswerCounts.Sum)]) -> JSONTree {
      .array(sums.map { .object($0.head + [("payments", $0.sum.payments.json), ("amount", $0.sum.amount.json)]) })
    }
    results = sorted(counts.results.map { ($0.key.rawValue, $0.value) })
    codes = sorted(counts.codes.map { ($0.key.rawValue, $0.value) })
    returned = sums(counts.returned.sorted { $0.key < $1.key }.map { ([("currency", $0.json)], $1) })
    confirm = period.map { period in
      let payments = counts.payments.map { currency, state, sum in
        ([("currency", currency.json), ("state", .string(state.rawValue))], sum)
      }
      return Confirmed(period: period, payments: sums(payments))
    }
  }

  static var fields: [JSONField<Self>] {
    [
      .init("engine", [.init("name", constant: "settle"), .init("version", \.engine)]), .init("ledger", \.ledger),
      .init(count: "payouts", \.payouts), .init("debtor", \.debtor), .init("files", \.files),
      .init(optional: "skipped", \.skipped), .init("results", \.results), .init("codes", \.codes),
      .init("returned", \.returned), .init(optional: "confirm", \.confirm),
    ]
  }
}

/// How many files were left out, because they have errors.
struct SkippedFiles: JSONObject {
  /// Lists made by hand, and files of banks.
  private(set) var (lists, others) = (0, 0)

  init() {}

  init(_ files: [AnswerFile]) {
    lists = files.count { file in file.content.map { AnswerFormat.all[$0.format].isList } ?? false }
    others = files.count - lists
  }

  static var fields: [JSONField<Self>] { [.init(count: "lists", \.lists), .init(count: "others", \.others)] }
}
