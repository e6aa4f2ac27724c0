extension RecordField {
  /// The fields of a payment in any shape.
  static let ofPayment: [RecordField] = [
    .type, .payKey, .status, .createdAt, .paymentCurrency, .feePayer, .sender, .senderCountry, .fundingSource, .memo,
    .ipnUrl, .card, .pinVerified, .preapprovalKey, .receiverPaymentDetails, .splitProfile, .splitTotal,
    .shippingAddress,
    .amountErrorCode, .adjustedAmounts,
  ]

  /// Its further fields in the single shape, except `recipient` and `subTotal`, which identify that shape, and `category`,
  /// which only some fee schedules know.
  public static let ofSingleShape: [RecordField] = [
    .country, .paymentType, .paymentSubType, .invoiceData, .description, .customId, .merchantName,
  ]

  /// All fields of the single shape's receiver.
  public static let ofReceiver = ofSingleShape + [.recipient, .subTotal]
}

@frozen
public enum ReceiverField: LevelField {
  /// What it sells, if fees depend on that (`fees.md`, "Category"); otherwise no receiver has this field.
  case category
  /// The receiver's country.
  case country
  /// The merchant's own reference.
  case customId
  case description
  case invoiceData
  /// Whether this receiver passes on parts to the others.
  case isPrimary
  /// The terms of what a primary receiver keeps.
  case keep
  case merchantName
  /// The kind of service it is paid for.
  case paymentSubType
  case paymentType
  /// The receiver's account. At the top level, it and the subtotal identify the single shape.
  case recipient
  /// The terms of its part, instead of an amount.
  case split
  /// The sum of the items; `subTotal` in the single shape.
  case subtotal

  /// Its name, type and valid values.
  public var definition: FieldDefinition {
    switch self {
    case .category: FieldDefinition("category", .string, PayKey.expected)
    case .country: FieldDefinition("country", .string)
    case .customId: .text("customId")
    case .description: .text("description")
    case .invoiceData: FieldDefinition("invoiceData", .object(.invoice))
    case .isPrimary: FieldDefinition("isPrimary", .boolean)
    case .keep: FieldDefinition("keep", .object(.terms))
    case .merchantName: .text("merchantName")
    case .paymentSubType:
      .value("paymentSubType", of: PaymentSubType.self, "SUBTYPE_NOT_SET or one of the 22 subtypes")
    case .paymentType: .value("paymentType", of: PaymentType.self)
    case .recipient: FieldDefinition("recipient", .string)
    case .split: FieldDefinition("split", .object(.terms))
    case .subtotal: FieldDefinition("subtotal", .decimal)
    }
  }

  /// The top-level field that this is in the single shape; `receiverPaymentDetails` if there is none.
  @inlinable
  var inSingleShape: RecordField {
    switch self {
    case .category: .category
    case .country: .country
    case .customId: .customId
    case .description: .description
    case .invoiceData: .invoiceData
    case .isPrimary, .keep, .split: .receiverPaymentDetails
    case .merchantName: .merchantName
    case .paymentSubType: .paymentSubType
    case .paymentType: .paymentType
    case .recipient: .recipient
    case .subtotal: .subTotal
    }
  }
}

@frozen
public enum InvoiceField: LevelField {
  case invoiceItems
  case totalShipping
  case totalTax

  /// Its name, type and valid values.
  public var definition: FieldDefinition {
    switch self {
    case .invoiceItems: FieldDefinition("invoiceItems", .objects(.item))
    case .totalShipping: FieldDefinition("totalShipping", .decimal)
    case .totalTax: FieldDefinition("totalTax", .decimal)
    }
  }
}

@frozen
public enum ItemField: LevelField {
  /// The number of units.
  case itemCount
  /// The merchant's own number for the item.
  case itemId
  case itemPrice
  case name
  case totalPrice

  /// Its name, type and valid values.
  public var definition: FieldDefinition {
    switch self {
    case .itemCount: FieldDefinition("itemCount", .decimal)
    case .itemId: .text("itemId")
    case .itemPrice: FieldDefinition("itemPrice", .decimal)
    case .name: .text("name", "1 to 255 characters")
    case .totalPrice: FieldDefinition("totalPrice", .decimal)
    }
  }
}
