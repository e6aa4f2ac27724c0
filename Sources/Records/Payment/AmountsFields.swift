@frozen
public enum AddressField: LevelField {
  case city
  /// The country's name.
  case country
  /// The country's code.
  case countrycode
  case name
  /// The postal code.
  case postalcode
  case state
  case street1
  /// More of the street.
  case street2

  /// Its name, type and valid values.
  public var definition: FieldDefinition {
    switch self {
    case .city: .text("city")
    case .country: .text("country")
    case .countrycode: FieldDefinition("countrycode", .string)
    case .name: .text("name")
    case .postalcode: .text("postalcode")
    case .state: .text("state")
    case .street1: .text("street1")
    case .street2: .text("street2")
    }
  }
}

/// The fields of an element of `adjustedAmounts`.
@frozen
public enum AdjustmentField: LevelField {
  /// The receiver's amounts.
  case amounts
  /// The receiver of these amounts.
  case recipient

  /// Its name, type and valid values.
  public var definition: FieldDefinition {
    switch self {
    case .amounts: FieldDefinition("amounts", .object(.amounts))
    case .recipient: FieldDefinition("recipient", .string)
    }
  }
}

/// The fields of a receiver's adjusted amounts.
@frozen
public enum AmountsField: LevelField {
  /// Their currency, which must be the payment's.
  case currency
  /// The amount before tax and shipping.
  case paymentAmount
  case shipping
  case tax

  /// Its name, type and valid values.
  public var definition: FieldDefinition {
    switch self {
    case .currency: FieldDefinition("currency", .string)
    case .paymentAmount: FieldDefinition("payment_amount", .decimal)
    case .shipping: FieldDefinition("shipping", .decimal)
    case .tax: FieldDefinition("tax", .decimal)
    }
  }
}
