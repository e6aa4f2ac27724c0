import ExactArithmetic
import Failures

/// How many records of a batch may be rejected before it is not settled at all (`--max-rejected`).
public enum RejectionLimit: Sendable {
  /// This number of records: reading a batch stops as soon as more are rejected.
  case records(Int)
  /// This percentage of the records read, checked at the batch's end.
  case percent(ExactDecimal)

  /// A limit as it is written on a command line: `20`, `20%` or `0.5%`; nil for anything else.
  public init?(_ text: String) {
    if text.hasSuffix("%") {
      guard let percent = ExactDecimal(String(text.dropLast())), percent >= .zero, percent <= ExactDecimal(100) else {
        return nil
      }
      self = .percent(percent)
    } else {
      guard text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let count = Int(text) else { return nil }
      self = .records(count)
    }
  }

  /// The limit as it is written on a command line.
  public var description: String {
    switch self {
    case .records(let most): "\(most)"
    case .percent(let percent): "\(percent)%"
    }
  }

  /// The most records that may be rejected, if that is known before the batch's end.
  public var most: Int? {
    if case .records(let count) = self { count } else { nil }
  }

  /// The batch error for these totals; nil if no more records are rejected than allowed.
  public func error(_ totals: ControlTotals) -> BatchError? {
    let rejected = totals[.rejected]
    switch self {
    case .records(let most):
      // The number of further rejected records depends on how far the batch was read.
      guard rejected > most else { return nil }
      return BatchError(.tooManyRejected, "more than \(most) of the records are rejected; settle validate says why")
    case .percent(let most):
      guard ExactDecimal(rejected) * ExactDecimal(100) > most * ExactDecimal(totals.recordsRead) else { return nil }
      return BatchError(
        .tooManyRejected,
        "\(rejected) of \(totals.recordsRead) records are rejected, expected at most \(most) %; settle validate says why"
      )
    }
  }
}
