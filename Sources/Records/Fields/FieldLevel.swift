/// The objects of records that have fields of their own. To add a level, add a case here and an enumeration of its
/// fields.
public enum FieldLevel: Int, CaseIterable, Sendable {
  /// The record itself: a header, payment or trailer.
  case record
  case refund
  case preapproval
  /// An element of `receiverPaymentDetails`, or the single shape's fields at the top level.
  case receiver
  /// The `invoiceData` of a receiver.
  case invoice
  /// An element of `invoiceItems`.
  case item
  case refundReceiver
  // Few records have the following levels. They are read after the whole record is known to be JSON.
  /// The `split` or `keep` of a receiver.
  case terms
  case card
  /// The `shippingAddress` of a payment.
  case address
  /// An element of `adjustedAmounts`.
  case adjustment
  /// The adjusted amounts of a receiver: `amounts` of such an element, or `adjustedAmounts` in the single shape.
  case amounts

  /// The fields, in the order of their slots.
  public var definitions: [FieldDefinition] { Self.allDefinitions[rawValue] }

  /// Whether a field of the level is the category, which records have only under some fee schedules (`fees.md`).
  public func isCategory(_ slot: Int) -> Bool {
    self == .record && slot == RecordField.category.slot || self == .receiver && slot == ReceiverField.category.slot
  }

  private static let allDefinitions: [[FieldDefinition]] = allCases.map { level in
    let definitions =
      switch level {
      case .record: RecordField.allCases.map(\.definition)
      case .receiver: ReceiverField.allCases.map(\.definition)
      case .invoice: InvoiceField.allCases.map(\.definition)
      case .item: ItemField.allCases.map(\.definition)
      case .terms: TermsField.allCases.map(\.definition)
      case .refund: RefundField.allCases.map(\.definition)
      case .refundReceiver: RefundReceiverField.allCases.map(\.definition)
      case .preapproval: PreapprovalField.allCases.map(\.definition)
      case .card: CardField.allCases.map(\.definition)
      case .address: AddressField.allCases.map(\.definition)
      case .adjustment: AdjustmentField.allCases.map(\.definition)
      case .amounts: AmountsField.allCases.map(\.definition)
      }
    let names = definitions.map { $0.name.description }
    precondition(names == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, "fields out of order")
    return definitions
  }
}
