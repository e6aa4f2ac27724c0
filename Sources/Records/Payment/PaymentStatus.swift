/// The state of a payment at the time of the export; it decides the outcome of a payment without errors.
public enum PaymentStatus: FixedText, WireValue {
  /// The payment was completed: it is settled.
  case completed = "STATUS_COMPLETED"
  /// The payment was made but not completed: it stays pending.
  case created = "STATUS_CREATED"
  /// Any other state: it is held.
  case other = "STATUS_OTHER"

  /// The outcome of a payment with this status that has no error (`rules.md`, "Outcome").
  @inlinable
  public var outcome: Outcome {
    switch self {
    case .completed: .settled
    case .created: .pending
    case .other: .held
    }
  }
}
