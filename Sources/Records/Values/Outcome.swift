/// The outcome of a record (`rules.md`, "Outcome"). The numbers are fixed and never reused.
public enum Outcome: UInt8, CaseIterable, Sendable {
  /// Without error and completed: its money moves.
  case settled = 0
  /// Without error, created but not completed: no money moves yet.
  case pending = 1
  /// Without error, in another state: no money moves.
  case held = 2
  /// With an error: no money moves.
  case rejected = 3
  /// A refund without error: its money moves.
  case refunded = 4
  /// A record of an agreement without error: no money moves.
  case agreed = 5

  /// The outcomes of payments, in the order of `control.csv`.
  public static let ofPayments: [Outcome] = [.settled, .pending, .held, .rejected]

  /// The name in reports: `SETTLED`, `PENDING`, `HELD`, `REJECTED`. Those of refunds and agreements are in logs and
  /// metrics.
  @inlinable
  public var name: StaticString {
    switch self {
    case .settled: "SETTLED"
    case .pending: "PENDING"
    case .held: "HELD"
    case .rejected: "REJECTED"
    case .refunded: "REFUNDED"
    case .agreed: "AGREED"
    }
  }
}
