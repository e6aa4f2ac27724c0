extension RecordField {
  /// What a payment has in any shape.
  static let ofPayment: [RecordField] = [
    .type, .payKey, .status, .createdAt, .paymentCurrency, .feePayer, .sender, .senderCountry, .fundingSource, .memo,
    .ipnUrl, .card, .pinVerified, .preapprovalKey, .receiverPaymentDetails, .splitProfile, .splitTotal,
    .shippingAddress,
    .amountErrorCode, .adjustedAmounts,
  ]

  /// What it has in the single shape besides, except `recipient` and `subTotal`, which make it one.
  public static let ofSingleShape: [RecordField] = [
    .country, .paymentType, .paymentSubType, .invoiceData, .description, .customId, .merchantName,
  ]

  /// All fields of the single shape's receiver.
  public static let ofReceiver = ofSingleShape + [.recipient, .subTotal]
}

/// A receiver's fields.
@frozen
public enum ReceiverField: FieldName {
  /// The receiver's country.
  case country
  /// The merchant's own reference.
  case customId
  /// A description.
  case description
  /// The invoice.
  case invoiceData
  /// Whether this receiver passes parts on to the others.
  case isPrimary
  /// The terms of what a primary receiver keeps.
  case keep
  /// The merchant's name.
  case merchantName
  /// The kind of service it is paid for.
  case paymentSubType
  /// What it is paid for.
  case paymentType
  /// Who receives: it tells the single shape, with the subtotal.
  case recipient
  /// The terms of its part, in place of an amount.
  case split
  /// The sum of the items; `subTotal` in the single shape.
  case subtotal

  /// What the tables say of it.
  public var definition: FieldDefinition {
    switch self {
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

  /// The top-level field that this is in the single shape; what that does not have stands for the receivers.
  @inlinable
  var inSingleShape: RecordField {
    switch self {
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

/// An invoice's fields.
@frozen
public enum InvoiceField: FieldName {
  /// The items.
  case invoiceItems
  /// The shipping.
  case totalShipping
  /// The tax.
  case totalTax

  /// What the tables say of it.
  public var definition: FieldDefinition {
    switch self {
    case .invoiceItems: FieldDefinition("invoiceItems", .objects(.item))
    case .totalShipping: FieldDefinition("totalShipping", .decimal)
    case .totalTax: FieldDefinition("totalTax", .decimal)
    }
  }
}

/// An item's fields.
@frozen
public enum ItemField: FieldName {
  /// How many.
  case itemCount
  /// The merchant's own number of it.
  case itemId
  /// The price of one.
  case itemPrice
  /// What was sold.
  case name
  /// The price of all of them.
  case totalPrice

  /// What the tables say of it.
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
