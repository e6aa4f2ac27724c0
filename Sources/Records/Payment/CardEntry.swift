/// How the card of a payment was read; a fee schedule may have a plan for each (`cards.md`).
public enum CardEntry: UInt8, WireValue {
  /// The card was swiped through a reader.
  case swiped
  /// The merchant keyed in the number.
  case keyed

  /// Its spelling in a batch and in the fee schedule.
  @inlinable
  public var spelling: StaticString {
    switch self {
    case .swiped: "SWIPED"
    case .keyed: "KEYED"
    }
  }
}
