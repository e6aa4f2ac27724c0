import ExactArithmetic
import Money
import Postings

/// The sums of a currency and a name: fees and VAT, charged and returned.
public struct FeeSums: Sendable, Equatable {
  public var fee, vat, feeReturned, vatReturned: ExactDecimal

  public init(exponent: Int) {
    let zero = ExactDecimal.zero(at: exponent)
    (fee, vat, feeReturned, vatReturned) = (zero, zero, zero, zero)
  }

  /// Whether a row of `fees.csv` is among them.
  public var isTouched: Bool { !(fee.isZero && vat.isZero && feeReturned.isZero && vatReturned.isZero) }

  public mutating func add(_ other: FeeSums) {
    fee.add(other.fee)
    vat.add(other.vat)
    feeReturned.add(other.feeReturned)
    vatReturned.add(other.vatReturned)
  }

  /// The figures in their order, by their keys in JSON.
  public static let figures = [
    Figure<FeeSums, ExactDecimal>("fee", \.fee), Figure("vat", \.vat), Figure("feeReturned", \.feeReturned),
    Figure("vatReturned", \.vatReturned),
  ]
}

/// The fees of all or part of a batch by currency and name. Payments have the names of the night, by number; refunds may
/// return fees of any night.
public struct NamedFeeTotals: Sendable {
  /// A currency and a name, in the order of `summary.json`.
  public struct Key: Hashable, Comparable, Sendable {
    public let currency: Currency
    public let name: [UInt8]

    public init(_ currency: Currency, _ name: [UInt8]) { (self.currency, self.name) = (currency, name) }

    public static func < (one: Key, other: Key) -> Bool {
      one.currency != other.currency
        ? one.currency < other.currency : one.name.lexicographicallyPrecedes(other.name)
    }
  }

  private var names: [[UInt8]] = []
  /// By `Currency.index` and number of the name; empty until a payment is counted.
  private var charged: [FeeSums] = []
  private var others: [Key: FeeSums] = [:]

  /// No fees.
  public init() {}

  /// Counts the charges of a settled payment, or removes them from the counts.
  mutating func count(_ judge: inout RecordJudge, _ sign: PostingSign) {
    if charged.isEmpty {
      names = judge.rules.schedule.shownNames
      charged = Currency.all.flatMap { currency in
        Array(repeating: FeeSums(exponent: -currency.settlementExponent), count: names.count)
      }
    }
    let start = Int(judge.judgement.currency!.index) * names.count
    var sums = charged.mutableSpan
    for place in 0..<judge.judgement.receivers.chargedCount {
      let at = start &+ judge.judgement.receivers.charged[place].name
      if sign == .adding {
        sums[at].fee.add(judge.judgement.receivers.charged[place].fee)
        sums[at].vat.add(judge.judgement.receivers.charged[place].vat)
      } else {
        sums[at].fee.subtract(judge.judgement.receivers.charged[place].fee)
        sums[at].vat.subtract(judge.judgement.receivers.charged[place].vat)
      }
    }
  }

  /// Adds sums of a currency and name.
  public mutating func add(_ sums: FeeSums, of key: Key) {
    others[key, default: FeeSums(exponent: -key.currency.settlementExponent)].add(sums)
  }

  mutating func merge(_ other: NamedFeeTotals) {
    if charged.isEmpty {
      (names, charged) = (other.names, other.charged)
    } else {
      for place in other.charged.indices where other.charged[place].isTouched {
        charged[place].add(other.charged[place])
      }
    }
    for (key, sums) in other.others { add(sums, of: key) }
  }

  /// The sums of all that have a row, in their order.
  public var rows: [(key: Key, sums: FeeSums)] {
    var all = others
    for (place, sums) in charged.enumerated() {
      let key = Key(Currency.all[place / names.count], names[place % names.count])
      all[key, default: FeeSums(exponent: -key.currency.settlementExponent)].add(sums)
    }
    return all.filter(\.value.isTouched).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The sums of all names by `Currency.index`: fees with VAT of payments, and of refunds.
  var byCurrency: [(charged: ExactDecimal, returned: ExactDecimal)] {
    var sums = Currency.all.map { currency in
      let zero = ExactDecimal.zero(at: -currency.settlementExponent)
      return (charged: zero, returned: zero)
    }
    for (key, row) in rows {
      sums[Int(key.currency.index)].charged.add(row.fee + row.vat)
      sums[Int(key.currency.index)].returned.add(row.feeReturned + row.vatReturned)
    }
    return sums
  }
}
