import ExactArithmetic
import Postings
import Rules

/// Judging payments: scanning, checks, amounts, fees, outcome.
final class Judging: PreparedStage {
  private let judged: JudgedPayments

  init(payments: Int, rules: SettlementRules = SettlementRules()) throws {
    judged = try JudgedPayments(payments: payments, defectsPerMillion: 10_000, rules: rules)
  }

  var payments: Int { judged.payments }
  var bytes: Int { judged.bytes }

  func run() throws {
    for _ in 0..<judged.rounds {
      for (place, line) in judged.lines.enumerated() { _ = judged.judges[place].judge(line.span, .inPlace) }
    }
  }

  func resultHash() throws -> UInt64 {
    var totals = ControlTotals()
    var hash = ResultHash()
    for place in 0..<judged.count {
      totals.count(&judged.judges[place])
      hash.add(UInt64(judged.judges[place].judgement.outcome.number))
      // The figures of a rejected payment have no meaning.
      guard judged.judges[place].judgement.outcome == .settled else { continue }
      hash.add(judged.judges[place].judgement.fees)
      hash.add(judged.judges[place].judgement.receiverNet)
      hash.add(chargesOf: judged.judges[place].judgement)
    }
    hash.add(totals)
    return hash.value
  }
}

extension ResultHash {
  /// Adds a number in its printed form.
  mutating func add(_ decimal: ExactDecimal) {
    add(decimal.description.utf8Span.span)
  }

  /// Adds what a payment's receivers are charged by name.
  mutating func add(chargesOf judgement: borrowing Judgement) {
    let charges = judgement.charges
    for place in charges.indices {
      add(charges[place].fee)
      add(charges[place].vat)
    }
  }

  /// Adds the counts and sums of a batch.
  mutating func add(_ totals: ControlTotals) {
    for count in totals.byOutcome + totals.errors + totals.notices { add(count) }
    for sums in totals.currencies {
      add(sums.records)
      for sum in [sums.amount] + TrialBalance.paymentPart.sums.map({ sums.moved[keyPath: $0.path] }) { add(sum) }
    }
  }
}
