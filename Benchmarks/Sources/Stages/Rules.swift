import ExactArithmetic
import Rules

/// The rules, over payments that are scanned already: checks, amounts, fees, outcome.
final class Rules: PreparedStage {
  private let assessed: AssessedPayments

  init(payments: Int) throws { assessed = try AssessedPayments(payments: payments, defectsPerMillion: 10_000) }

  var payments: Int { assessed.payments }
  var bytes: Int { assessed.bytes }

  func run() throws {
    for _ in 0..<assessed.rounds {
      for place in 0..<assessed.count { _ = assessed.desks[place].assessAgain() }
    }
  }

  func resultHash() throws -> UInt64 {
    var totals = ControlTotals()
    var hash = ResultHash()
    for place in 0..<assessed.count {
      totals.count(&assessed.desks[place])
      hash.add(UInt64(assessed.desks[place].outcome.rawValue))
      hash.add(assessed.desks[place].fees)
      hash.add(assessed.desks[place].receiverNet)
    }
    hash.add(totals)
    return hash.value
  }
}

extension ResultHash {
  /// Adds a number as it is printed.
  mutating func add(_ decimal: ExactDecimal) {
    var text = decimal.description
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }

  /// Adds the counts and sums of a batch.
  mutating func add(_ totals: ControlTotals) {
    for count in totals.byOutcome + totals.errors + totals.notices { add(count) }
    for sums in totals.currencies {
      add(sums.records)
      for sum in [sums.amount, sums.senderAmount, sums.senderFees, sums.receiverNet, sums.fees] { add(sum) }
    }
  }
}
