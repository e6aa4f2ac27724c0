/// The fields of a refund.
@frozen
public enum RefundField: FieldName {
  /// What goes back in all.
  case amount
  /// When it was asked for.
  case createdAt
  /// The currency of its amounts.
  case currencyCode
  /// Where notifications go.
  case ipnUrl
  /// The key of the payment.
  case payKey
  /// Why.
  case reason
  /// What goes back from each of some receivers.
  case receivers
  /// The key of the refund.
  case refundKey
  /// What the line is.
  case type

  /// What the tables say of it.
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
public enum RefundReceiverField: FieldName {
  /// What goes back from it.
  case amount
  /// Its account.
  case recipient

  /// What the tables say of it.
  public var definition: FieldDefinition {
    switch self {
    case .amount: FieldDefinition("amount", .decimal)
    case .recipient: FieldDefinition("recipient", .string)
    }
  }
}
