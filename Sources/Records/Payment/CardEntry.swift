/// How the card of a payment was read; a fee schedule may have a plan for each (`cards.md`).
public enum CardEntry: FixedText, WireValue {
  /// The card was swiped through a reader.
  case swiped = "SWIPED"
  /// The merchant keyed in the number.
  case keyed = "KEYED"
}
