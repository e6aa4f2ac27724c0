/// The fields of a payment's `card` (`cards.md`). Messages never show their values.
@frozen
public enum CardField: LevelField {
  case cardNumber
  /// The security code.
  case cvv2
  /// How the card was read.
  case entry
  /// The last month in which the card is valid.
  case expirationDate
  /// The postal code of the card's holder.
  case postalCode

  /// Its name, type and valid values.
  public var definition: FieldDefinition {
    switch self {
    case .cardNumber: FieldDefinition("cardNumber", .string)
    case .cvv2: FieldDefinition("cvv2", .string, "3 digits, or 4 where the number begins with 34 or 37")
    case .entry: .value("entry", of: CardEntry.self)
    case .expirationDate: FieldDefinition("expirationDate", .string, "a month like 11/26, 1126, 11/2026 or 112026")
    case .postalCode:
      FieldDefinition(
        "postalCode", .string, "1 to 16 of A-Z, a-z, 0-9, space and hyphen, beginning with a letter or digit")
    }
  }
}
