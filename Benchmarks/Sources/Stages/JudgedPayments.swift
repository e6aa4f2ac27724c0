import Input
import Records
import Documents
import Rules

/// Payments, each held by a judge of its own: the input of the stages after the scanner.
///
/// The stages go through the judges repeatedly, until they have processed the number of payments asked for.
final class JudgedPayments {
  private static let mostJudges = 256

  private let sample: SampleLines
  /// The judges, each with the judgement of its payment.
  let judges: UnsafeMutablePointer<RecordJudge>
  /// The number of judges.
  private(set) var count = 0
  /// The payments' lines.
  private(set) var lines: [SampleLines.Line] = []
  /// How many times the stages go through the judges.
  let rounds: Int
  private var bytesOfLines = 0

  /// - Parameters:
  ///   - rules: those of the judges.
  ///   - isTaken: selects the payments by their outcomes.
  init(
    payments: Int, defectsPerMillion: UInt32 = 0, rules: SettlementRules = SettlementRules(),
    where isTaken: (Outcome) -> Bool = { _ in true }
  ) throws {
    sample = try SampleLines(payments: min(payments, 2 * Self.mostJudges), defectsPerMillion: defectsPerMillion)
    let most = min(payments, Self.mostJudges)
    judges = .allocate(capacity: most)
    for line in sample.lines where count < most {
      var judge = RecordJudge(rules: rules)
      guard judge.judge(line.span, .inPlace) == .record, isTaken(judge.judgement.outcome) else { continue }
      (judges + count).initialize(to: judge)
      bytesOfLines += line.count + 1
      lines.append(line)
      count += 1
    }
    precondition(count > 0, "no sample payment is of that outcome")
    rounds = max(1, payments / count)
  }

  deinit {
    judges.deinitialize(count: count)
    judges.deallocate()
  }

  var payments: Int { rounds * count }
  var bytes: Int { rounds * bytesOfLines }
}
