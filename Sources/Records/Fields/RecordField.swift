/// The top-level fields of all record types together. In the single shape, a payment also has its receiver's fields
/// there.
@frozen
public enum RecordField: LevelField {
  /// The receivers' amounts after adjustment to the buyer's address.
  case adjustedAmounts
  /// Whether adjusting the amounts failed.
  case amountErrorCode
  /// A header's identifier.
  case batchId
  /// The card that a payment was made with.
  case card
  /// The single receiver's category, if fees depend on it.
  case category
  /// The single receiver's country.
  case country
  /// When a batch or a payment was made.
  case createdAt
  /// The single receiver's reference.
  case customId
  /// The single receiver's description.
  case description
  /// The party that bears a payment's fees.
  case feePayer
  /// The sender's source of the money.
  case fundingSource
  /// The single receiver's invoice.
  case invoiceData
  /// The address for notifications.
  case ipnUrl
  case memo
  /// The single receiver's name as a merchant.
  case merchantName
  case payKey
  case paymentCurrency
  /// The kind of service that the single receiver is paid for.
  case paymentSubType
  /// The payment type of the single receiver.
  case paymentType
  /// Whether the sender's PIN was right.
  case pinVerified
  /// The key of the agreement that a payment is made under.
  case preapprovalKey
  /// The receivers of the advanced shape.
  case receiverPaymentDetails
  /// The single receiver's account.
  case recipient
  /// A trailer's number of records.
  case recordCount
  /// A trailer's sums of refunds.
  case refundTotals
  /// The sender's account.
  case sender
  case senderCountry
  /// The address to which the buyer wants the goods sent.
  case shippingAddress
  /// The name of the profile that lists a payment's receivers.
  case splitProfile
  /// The total that is divided among the receivers.
  case splitTotal
  /// A payment's status.
  case status
  /// The single receiver's subtotal.
  case subTotal
  /// A trailer's sums of payments.
  case totals
  case type

  /// Its name, type and valid values.
  public var definition: FieldDefinition {
    switch self {
    case .adjustedAmounts: FieldDefinition("adjustedAmounts", .objectOrObjects(.amounts, .adjustment))
    case .amountErrorCode: .value("amountErrorCode", of: AmountErrorCode.self)
    case .batchId: FieldDefinition("batchId", .envelope)
    case .card: FieldDefinition("card", .object(.card))
    case .category, .country, .customId, .description, .invoiceData, .merchantName, .paymentSubType, .paymentType,
      .recipient:
      singleShapeField!.definition
    case .createdAt: .createdAt
    case .feePayer: .value("feePayer", of: FeePayer.self)
    case .fundingSource: .value("fundingSource", of: FundingSource.self)
    case .ipnUrl: .ipnUrl
    case .memo: .text("memo", "at most 1000 characters")
    case .payKey: FieldDefinition("payKey", .string, PayKey.expected)
    case .paymentCurrency: FieldDefinition("paymentCurrency", .string)
    case .pinVerified: FieldDefinition("pinVerified", .boolean)
    case .preapprovalKey: FieldDefinition("preapprovalKey", .string, PayKey.expected)
    case .receiverPaymentDetails: FieldDefinition("receiverPaymentDetails", .objects(.receiver))
    case .recordCount: FieldDefinition("recordCount", .envelope)
    case .refundTotals: FieldDefinition("refundTotals", .envelope)
    case .sender: FieldDefinition("sender", .string)
    case .senderCountry: FieldDefinition("senderCountry", .string)
    case .shippingAddress: FieldDefinition("shippingAddress", .object(.address))
    case .splitProfile:
      FieldDefinition("splitProfile", .string, "the name of a profile of --splits that takes the currency")
    case .splitTotal: FieldDefinition("splitTotal", .decimal)
    case .status: .value("status", of: PaymentStatus.self)
    case .subTotal: FieldDefinition("subTotal", .decimal)
    case .totals: FieldDefinition("totals", .envelope)
    case .type: FieldDefinition("type", .string)
    }
  }

  /// The receiver's field that this is in the single shape; nil if it belongs to the record itself.
  public var singleShapeField: ReceiverField? {
    self == .receiverPaymentDetails ? nil : ReceiverField.allCases.first { $0.inSingleShape == self }
  }
}
