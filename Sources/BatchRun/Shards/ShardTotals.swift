import ExactArithmetic
import Failures
import JSON
import Money
import Reports
import Records
import Rules

/// Counts and sums of a shard, or a step's changes to them, in JSON.
enum ShardTotals {
  private typealias Figure = (name: String, path: WritableKeyPath<CurrencyTotals, ExactDecimal>)

  private static var figures: [Figure] {
    [
      ("senderAmount", \.senderAmount), ("senderFees", \.senderFees), ("receiverNet", \.receiverNet),
      ("fees", \.fees), ("refunded", \.refunded), ("receiverDebit", \.receiverDebit),
      ("feesReturned", \.feesReturned),
    ]
  }

  private static var controls: [Figure] {
    [
      ("settled", \.byOutcome.0), ("pending", \.byOutcome.1), ("held", \.byOutcome.2), ("rejected", \.byOutcome.3),
    ]
  }

  private static let outcomes: [(name: String, outcome: Outcome)] = [
    ("settled", .settled), ("rejected", .rejected), ("pending", .pending), ("held", .held), ("refunded", .refunded),
    ("preapprovals", .agreed),
  ]

  /// The fields of `outcome.json` that add up.
  static func fields(_ totals: ControlTotals) -> [(String, JSONTree)] {
    func rows(
      _ isUsed: (CurrencyTotals) -> Bool, _ counts: [(String, KeyPath<CurrencyTotals, Int>)], _ figures: [Figure]
    ) -> JSONTree {
      .array(
        zip(Currency.all, totals.currencies).filter { isUsed($0.1) }.map { currency, sums in
          .object(
            [("currency", .string(currency.code))] + counts.map { ($0, .number(sums[keyPath: $1])) }
              + figures.map { ($0.name, .string(sums[keyPath: $0.path].description)) })
        })
    }
    func codes(_ counts: some Sequence<(String, Int)>) -> JSONTree {
      .object(
        counts.filter { $1 != 0 }.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
          .map { ($0, .number($1)) })
    }
    return [
      (
        "records",
        .object([("read", .number(totals.recordsRead))] + outcomes.map { ($0, .number(totals[$1])) })
      ),
      ("errors", codes(zip(RejectionReason.allCases.map(\.code.description), totals.errors))),
      ("notices", codes(zip(Notice.allCases.map(\.code.description), totals.notices))),
      (
        "totals",
        rows(
          { sums in sums.payments != 0 || sums.refunds != 0 || figures.contains { !sums[keyPath: $0.path].isZero } },
          [("payments", \.payments), ("refunds", \.refunds)], figures)
      ),
      (
        "control",
        rows(
          { sums in sums.records != 0 || controls.contains { !sums[keyPath: $0.path].isZero } },
          [("records", \.records)], controls)
      ),
      (
        "refundTotals",
        rows({ $0.refundRecords != 0 }, [("records", \.refundRecords)], [("amount", \.refundControl)])
      ),
      ("withoutControlAmount", .number(totals.recordsWithoutControlAmount)),
      ("otherRecords", .number(totals.otherRecords)),
    ]
  }

  /// The counts and sums of `outcome.json`.
  static func read(_ json: ShardJSON) throws(Failure) -> ControlTotals {
    var totals = ControlTotals()
    let records = try json.object("records")
    totals.recordsRead = try records.number("read")
    for (name, outcome) in outcomes { totals.byOutcome[Int(outcome.rawValue)] = try records.number(name) }
    totals.recordsWithoutControlAmount = try json.number("withoutControlAmount")
    totals.otherRecords = try json.number("otherRecords")
    func readCodes(_ name: String, _ codes: [String], into counts: inout [Int]) throws(Failure) {
      for (code, count) in try json.object(name).counts {
        guard let place = codes.firstIndex(of: code) else { throw json.damage("it counts an unknown code") }
        counts[place] = count
      }
    }
    try readCodes("errors", RejectionReason.allCases.map(\.code.description), into: &totals.errors)
    try readCodes("notices", Notice.allCases.map(\.code.description), into: &totals.notices)
    try read(json, "totals", [("payments", \.payments), ("refunds", \.refunds)], figures, into: &totals)
    try read(json, "control", [("records", \.records)], controls, into: &totals)
    try read(
      json, "refundTotals", [("records", \.refundRecords)], [("amount", \.refundControl)], into: &totals)
    return totals
  }

  private static func read(
    _ json: ShardJSON, _ name: String, _ counts: [(String, WritableKeyPath<CurrencyTotals, Int>)], _ figures: [Figure],
    into totals: inout ControlTotals
  ) throws(Failure) {
    for row in try json.objects(name) {
      guard let currency = Currency(code: try row.string("currency")) else {
        throw json.damage("it names an unknown currency")
      }
      for (name, path) in counts { totals.currencies[Int(currency.index)][keyPath: path] = try row.number(name) }
      for figure in figures {
        guard let sum = ExactDecimal(try row.string(figure.name)), sum.exponent == -currency.settlementExponent else {
          throw json.damage("a sum is not a valid amount of its currency")
        }
        totals.currencies[Int(currency.index)][keyPath: figure.path] = sum
      }
    }
  }
}
