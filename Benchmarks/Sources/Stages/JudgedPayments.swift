import Input
import Records
import Reports
import Rules

/// Some payments, each held by a judge of its own: what the stages behind the scanner work on.
///
/// They go over the judges again and again, as often as it takes to have gone through the payments asked for.
final class JudgedPayments {
  private static let mostJudges = 256

  private let sample: SampleLines
  /// The judges, each with the judgement of its payment.
  let judges: UnsafeMutablePointer<RecordJudge>
  /// How many there are.
  private(set) var count = 0
  /// The payments' lines.
  private(set) var lines: [SampleLines.Line] = []
  /// How often the judges are gone over.
  let rounds: Int
  private var bytesOfLines = 0

  /// - Parameter isTaken: which payments are judged, by their outcomes.
  init(payments: Int, defectsPerMillion: UInt32 = 0, where isTaken: (Outcome) -> Bool = { _ in true }) throws {
    sample = try SampleLines(payments: min(payments, 2 * Self.mostJudges), defectsPerMillion: defectsPerMillion)
    let most = min(payments, Self.mostJudges)
    judges = .allocate(capacity: most)
    for line in sample.lines where count < most {
      var judge = RecordJudge()
      guard judge.judge(line.text, count: line.count) == .record, isTaken(judge.judgement.outcome) else { continue }
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
