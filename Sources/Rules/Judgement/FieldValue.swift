import Input
import Records

struct FieldValue {
  let slice: JSONSlice
  let path: FieldPath

  @inline(__always)
  init(_ slice: JSONSlice, at path: FieldPath) {
    self.slice = slice
    self.path = path
  }

  @inline(__always) var isAbsent: Bool { slice.isAbsent }
  @inline(__always) var kind: JSONKind { slice.kind }
}

/// A receiver or an item of the record: its row in the scanner, and its path.
struct ElementPlace {
  let row: Int
  let path: FieldPath
}

extension RecordReader {
  /// Whether a receiver is given at the payment's top level.
  @inline(__always)
  var isSingle: Bool {
    !scanner.receiverField(.recipient, row: 0).isAbsent || !scanner.receiverField(.subtotal, row: 0).isAbsent
  }

  /// Whether a total to be split is given; only meaningful if the receivers are in an array or a profile.
  @inline(__always)
  var hasSplitTotal: Bool { !scanner.field(.splitTotal).isAbsent }

  @inline(__always)
  func top(_ field: RecordField) -> FieldValue { FieldValue(scanner.field(field), at: .top(field)) }

  func refund(_ field: RefundField) -> FieldValue { FieldValue(scanner.refundField(field), at: .refund(field)) }

  func preapproval(_ field: PreapprovalField) -> FieldValue {
    FieldValue(scanner.preapprovalField(field), at: .preapproval(field))
  }

  @inline(__always)
  func receiver(_ field: ReceiverField, of place: ElementPlace) -> FieldValue {
    FieldValue(scanner.receiverField(field, row: place.row), at: place.path.receiverField(field))
  }

  @inline(__always)
  func invoice(_ field: InvoiceField, of place: ElementPlace) -> FieldValue {
    FieldValue(scanner.invoiceField(field, row: place.row), at: place.path.invoiceField(field))
  }

  @inline(__always)
  func item(_ field: ItemField, of place: ElementPlace) -> FieldValue {
    FieldValue(scanner.itemField(field, item: place.row), at: place.path.itemField(field))
  }

  func refundReceiver(_ field: RefundReceiverField, of place: ElementPlace) -> FieldValue {
    FieldValue(scanner.refundReceiverField(field, row: place.row), at: place.path.refundReceiverField(field))
  }

  func card(_ field: CardField) -> FieldValue { FieldValue(scanner.cardField(field), at: .card(field)) }

  func address(_ field: AddressField) -> FieldValue { FieldValue(scanner.addressField(field), at: .address(field)) }

  func terms(_ field: TermsField, of object: FieldValue) -> FieldValue {
    FieldValue(scanner.termsField(field, of: object.slice), at: object.path.termsField(field))
  }

  func adjustment(_ field: AdjustmentField, of object: FieldValue) -> FieldValue {
    FieldValue(scanner.adjustmentField(field, of: object.slice), at: object.path.adjustmentField(field))
  }

  func amounts(_ field: AmountsField, of object: FieldValue) -> FieldValue {
    FieldValue(scanner.amountsField(field, of: object.slice), at: object.path.amountsField(field))
  }
}
