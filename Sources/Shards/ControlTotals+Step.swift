import Documents
import ExactArithmetic
import JSON
import Money
import Postings
import Records
import Rules

// Counts and sums of a shard, or a step's changes to them, in `outcome.json`.
extension ControlTotals {
  private typealias Sum = (name: String, path: WritableKeyPath<CurrencyTotals, ExactDecimal>)
  private typealias Count = (name: String, path: WritableKeyPath<CurrencyTotals, Int>)

  private static var moved: (counts: [Count], sums: [Sum]) {
    let base: WritableKeyPath<CurrencyTotals, TrialBalance> = \.moved
    let parts = TrialBalance.parts
    return (
      parts.map { ($0.count.name, base.appending(path: $0.count.path as WritableKeyPath)) },
      parts.flatMap(\.sums).map { ($0.name, base.appending(path: $0.path as WritableKeyPath)) }
    )
  }

  private static var controls: [Sum] {
    [
      ("settled", \.byOutcome.0), ("pending", \.byOutcome.1), ("held", \.byOutcome.2), ("rejected", \.byOutcome.3),
    ]
  }

  /// The counts of `records` by name.
  private struct Records: JSONObject {
    var totals = ControlTotals()

    private static let outcomes: [(name: String, outcome: Outcome)] = [
      ("settled", .settled), ("rejected", .rejected), ("pending", .pending), ("held", .held), ("refunded", .refunded),
      ("preapprovals", .agreed),
    ]

    static var fields: [JSONField<Self>] {
      [.init("read", \.totals.recordsRead)]
        + outcomes.map { .init($0.name, \.totals.byOutcome[Int($0.outcome.number)]) }
    }
  }

  /// The fields that add up.
  static var fields: [JSONField<ControlTotals>] {
    [
      JSONField("records") {
        Records(totals: $0).json
      } read: { (totals, node) throws(JSONFault) in
        let read = try Records(reading: node).totals
        (totals.recordsRead, totals.byOutcome) = (read.recordsRead, read.byOutcome)
      },
      codes("errors", RejectionReason.allCases.map(\.code.description), \.errors),
      codes("notices", Notice.allCases.map(\.code.description), \.notices),
      rows("totals", moved.counts, moved.sums),
      rows("control", [("records", \.records)], controls),
      rows("refundTotals", [("records", \.refundRecords)], [("amount", \.refundControl)]),
      JSONField("withoutControlAmount", \.recordsWithoutControlAmount), JSONField("otherRecords", \.otherRecords),
    ]
  }

  /// Numbers by code; those that are zero are left out.
  private static func codes(
    _ name: String, _ codes: [String], _ path: WritableKeyPath<ControlTotals, [Int]>
  ) -> JSONField<ControlTotals> {
    JSONField(name) { totals in
      .object(
        zip(codes, totals[keyPath: path]).filter { $1 != 0 }
          .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }.map { ($0, .number($1)) })
    } read: { (totals, node) throws(JSONFault) in
      try node.forEachField { code, count throws(JSONFault) in
        let number = try Int(reading: count)
        guard let place = codes.firstIndex(of: code) else { throw node.fault("it counts an unknown code") }
        totals[keyPath: path][place] = number
      }
    }
  }

  /// A row for each currency that has a count or a sum.
  private static func rows(_ name: String, _ counts: [Count], _ sums: [Sum]) -> JSONField<ControlTotals> {
    JSONField(name) { totals in
      let used = zip(Currency.all, totals.currencies).filter { _, totals in
        counts.contains { totals[keyPath: $0.path] != 0 } || sums.contains { !totals[keyPath: $0.path].isZero }
      }
      return .array(
        used.map { currency, totals in
          .object(
            [("currency", .string(currency.code))] + counts.map { ($0.name, .number(totals[keyPath: $0.path])) }
              + sums.map { ($0.name, .string(totals[keyPath: $0.path].description)) })
        })
    } read: { (totals, node) throws(JSONFault) in
      for row in try node.elements() {
        let currency = try Currency(reading: row["currency"])
        let place = Int(currency.index)
        for count in counts { totals.currencies[place][keyPath: count.path] = try Int(reading: row[count.name]) }
        for sum in sums { totals.currencies[place][keyPath: sum.path] = try currency.sum(row[sum.name]) }
      }
    }
  }
}

extension JSONField {
  /// Sums of fees by currency and name; left out of a night that shows no names.
  static func fees(
    _ totals: WritableKeyPath<Object, ControlTotals>, _ showsNames: WritableKeyPath<Object, Bool>
  ) -> JSONField {
    JSONField("fees") { object in
      guard object[keyPath: showsNames] else { return nil }
      return .array(object[keyPath: totals].named.rows.map { SummaryReport.Fees($0).json })
    } read: { (object, node) throws(JSONFault) in
      object[keyPath: showsNames] = !node.isNull
      for row in node.isNull ? [] : try node.elements() {
        let currency = try Currency(reading: row["currency"])
        var sums = FeeSums(exponent: -currency.settlementExponent)
        for figure in FeeSums.figures { sums[keyPath: figure.path] = try currency.sum(row[figure.name]) }
        object[keyPath: totals].named.add(sums, of: NamedFeeTotals.Key(currency, Array(try row["name"].string().utf8)))
      }
    }
  }
}

extension Currency {
  /// A sum in the currency.
  fileprivate func sum(_ node: JSONNode) throws(JSONFault) -> ExactDecimal {
    guard let sum = ExactDecimal(try node.string()), sum.exponent == -settlementExponent else {
      throw node.fault("a sum is not a valid amount of its currency")
    }
    return sum
  }
}
