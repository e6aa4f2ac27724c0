@frozen
public enum RefundField: LevelField {
  /// The total amount to refund.
  case amount
  /// When the refund was asked for.
  case createdAt
  case currencyCode
  /// The address for notifications.
  case ipnUrl
  case payKey
  case reason
  /// The amounts that single receivers are to refund.
  case receivers
  case refundKey
  case type

  /// Its name, type and valid values.
  public var definition: FieldDefinition {
    switch self {
    case .amount: FieldDefinition("amount", .decimal)
    case .createdAt: .createdAt
    case .currencyCode: FieldDefinition("currencyCode", .string)
    case .ipnUrl: .ipnUrl
    case .payKey: FieldDefinition("payKey", .string, PayKey.expected)
    case .reason: .text("reason")
    case .receivers: FieldDefinition("receivers", .objects(.refundReceiver))
    case .refundKey: FieldDefinition("refundKey", .string, PayKey.expected)
    case .type: FieldDefinition("type", .string)
    }
  }
}

/// The fields of an element of a refund's `receivers`.
@frozen
public enum RefundReceiverField: LevelField {
  case amount
  case recipient

  /// Its name, type and valid values.
  public var definition: FieldDefinition {
    switch self {
    case .amount: FieldDefinition("amount", .decimal)
    case .recipient: FieldDefinition("recipient", .string)
    }
  }
}
