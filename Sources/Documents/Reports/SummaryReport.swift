import FileSystem
import Money
import Records
import Rules
import Text

/// `summary.json`: the batch's summary, one line of JSON. It is the same for every run of the same batch.
public struct SummaryReport: Sendable {
  /// The counts of records, in their order.
  public enum Count: String, ReportColumn {
    /// All records, then the records by outcome.
    case read, settled, rejected, pending, held
    /// Refunds that were made, and records of agreements that were accepted.
    case refunded, preapprovals
  }

  /// Codes, sorted, each with the number of times it occurred; none is zero.
  public typealias CodeCounts = [(code: String, count: Int)]

  /// The version of settle that wrote it.
  public internal(set) var version = ""
  /// The header's identifier, or nil.
  public internal(set) var batchID: String?
  /// The result of checking the trailer's control totals.
  public internal(set) var controlTotals = ControlTotalsState.absent
  /// The batch's files, in its order.
  public var files: [StoredFile] = []
  /// The UTC day of the header's `createdAt`, nil within if it has none; nil in summaries of older versions, which did not
  /// write it.
  public var day: CalendarDay??
  /// The rules with which the batch was settled; nil in summaries of older versions, which did not write them.
  public var rules: RuleValues?
  /// Whether a version before 1.0.0-rc.4 settled the batch, by its own rules.
  public var isOfEarlierVersion: Bool { rules.map { $0[.strictTexts] == .beforeOption } ?? true }
  /// The number of records by `Count`.
  var records = Count.allCases.map { _ in 0 }
  /// The number of errors of each code.
  public internal(set) var errors: CodeCounts = []
  /// The number of notices of each code.
  public internal(set) var notices: CodeCounts = []
  /// The fields of `totals.csv`.
  public internal(set) var totals: [[String]] = []
  /// The sums of fees by currency and name, each with the figures of `FeeSums`; nil if the night shows no names.
  public internal(set) var fees: [Fees]?

  /// The fees of a currency and a name.
  public struct Fees: Sendable {
    /// The currency's code.
    public internal(set) var currency: String
    public internal(set) var name: String
    /// In the order of `FeeSums.figures`.
    public internal(set) var amounts: [String]
  }

  package init() {}

  /// Makes the summary of a batch.
  ///
  /// - Parameters:
  ///   - createdAt: when the batch was made, if its header says so.
  ///   - showsNames: whether the night shows the names of fees.
  public init(
    version: String, batchID: String?, controlTotals: ControlTotalsState, files: [StoredFile], createdAt: UTCTime?,
    rules: RuleValues?, totals: ControlTotals, showsNames: Bool = false
  ) {
    self.version = version
    self.batchID = batchID
    self.controlTotals = controlTotals
    self.files = files
    day = .some(createdAt.map { CalendarDay($0) })
    self.rules = rules
    notices = Self.sorted(zip(Notice.allCases.map(\.code.description), totals.notices))
    fees = showsNames ? [] : nil
    set(totals)
  }

  /// Replaces counts and sums, except the notices.
  ///
  /// - Parameter preapprovals: the number of accepted records of agreements, if the totals do not contain it.
  public mutating func set(_ totals: ControlTotals, preapprovals: Int? = nil) {
    let agreed = preapprovals ?? totals[.agreed]
    records = Count.allCases.map { count in
      switch count {
      case .read: totals.recordsRead + agreed - totals[.agreed]
      case .settled: totals[.settled]
      case .rejected: totals[.rejected]
      case .pending: totals[.pending]
      case .held: totals[.held]
      case .refunded: totals[.refunded]
      case .preapprovals: agreed
      }
    }
    errors = Self.sorted(zip(RejectionReason.allCases.map(\.code.description), totals.errors))
    self.totals = TotalsReport.rows(totals)
    if fees != nil { fees = totals.named.rows.map(Fees.init) }
  }

  static func sorted(_ counts: some Sequence<(String, Int)>) -> CodeCounts {
    counts.filter { $1 > 0 }.map { (code: $0, count: $1) }
      .sorted { $0.code.utf8.lexicographicallyPrecedes($1.code.utf8) }
  }

  /// The number of records of a kind.
  public subscript(count: Count) -> Int { records[count.place] }

  /// The whole file.
  public func write(to text: inout TextBuffer) {
    json.write(to: &text)
    text.append("\n")
  }
}

extension SummaryReport.Fees {
  package init(_ row: (key: NamedFeeTotals.Key, sums: FeeSums)) {
    self.init(
      currency: row.key.currency.code, name: String(decoding: row.key.name, as: UTF8.self),
      amounts: FeeSums.figures.map { row.sums[keyPath: $0.path].description })
  }

  /// The amounts; nil if one is not an amount of the currency.
  package func sums(_ currency: Currency) -> FeeSums? {
    var sums = FeeSums(exponent: -currency.settlementExponent)
    for (figure, text) in zip(FeeSums.figures, amounts) {
      guard let amount = ReportField.amount(text.utf8Span.span, currency), !amount.isNegative else { return nil }
      sums[keyPath: figure.path] = amount
    }
    return sums
  }
}
