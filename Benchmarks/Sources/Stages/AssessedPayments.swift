import Input
import Records
import Reports
import Rules

/// Some payments on a desk each, scanned and assessed: what the stages behind the scanner work on.
///
/// They go over the desks again and again, as often as it takes to have gone through the payments asked for.
final class AssessedPayments {
  private static let mostDesks = 256

  private let sample: SampleLines
  /// The assessors, each with the record it holds.
  let desks: UnsafeMutablePointer<RecordAssessor>
  /// How many there are.
  private(set) var count = 0
  /// How often the desks are gone over.
  let rounds: Int
  private var bytesOfDesks = 0

  /// - Parameter isTaken: which payments are put on a desk, by their outcomes.
  init(payments: Int, defectsPerMillion: UInt32 = 0, where isTaken: (Outcome) -> Bool = { _ in true }) throws {
    sample = try SampleLines(payments: min(payments, 2 * Self.mostDesks), defectsPerMillion: defectsPerMillion)
    let most = min(payments, Self.mostDesks)
    desks = .allocate(capacity: most)
    for line in sample.lines where count < most {
      var assessor = RecordAssessor()
      guard assessor.assess(line.text, count: line.count) == .record, isTaken(assessor.outcome) else { continue }
      (desks + count).initialize(to: assessor)
      bytesOfDesks += line.count + 1
      count += 1
    }
    precondition(count > 0, "no sample payment is of that outcome")
    rounds = max(1, payments / count)
  }

  deinit {
    desks.deinitialize(count: count)
    desks.deallocate()
  }

  var payments: Int { rounds * count }
  var bytes: Int { rounds * bytesOfDesks }
}
