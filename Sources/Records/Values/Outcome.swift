/// What became of a record (`rules.md`, "Outcome"). The numbers are fixed and never reused.
public enum Outcome: UInt8, CaseIterable, Sendable {
  /// Without error and completed: its money moves.
  case settled = 0
  /// Without error, created but not completed: no money moves yet.
  case pending = 1
  /// Without error, in another state: no money moves.
  case held = 2
  /// With an error: no money moves.
  case rejected = 3

  /// The name in reports: `SETTLED`, `PENDING`, `HELD`, `REJECTED`.
  @inlinable
  public var name: StaticString {
    switch self {
    case .settled: "SETTLED"
    case .pending: "PENDING"
    case .held: "HELD"
    case .rejected: "REJECTED"
    }
  }
}
