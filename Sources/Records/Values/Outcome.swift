/// The outcome of a record (`rules.md`, "Outcome"). The numbers are fixed and never reused.
public enum Outcome: FixedText, FixedValue {
  /// Without error and completed: its money moves.
  case settled = "SETTLED"
  /// Without error, created but not completed: no money moves yet.
  case pending = "PENDING"
  /// Without error, in another state: no money moves.
  case held = "HELD"
  /// With an error: no money moves.
  case rejected = "REJECTED"
  /// A refund without error: its money moves.
  case refunded = "REFUNDED"
  /// A record of an agreement without error: no money moves.
  case agreed = "AGREED"

  /// The outcomes of payments, in the order of `control.csv`.
  public static let ofPayments: [Outcome] = [.settled, .pending, .held, .rejected]

  /// The name in reports: `SETTLED`, `PENDING`, `HELD`, `REJECTED`. Those of refunds and agreements are in logs and
  /// metrics.
  @inlinable
  public var name: StaticString { rawValue.text }
}
