import BatchFile
import Payments

/// Fields that their object does not have.
extension PaymentAssessor {
  /// Counts the unknown fields. What is known at the top level depends on the shape: in the advanced one a receiver's
  /// field there is unknown, and what stands in it is nobody's.
  mutating func noteUnknownFields(isAdvanced: Bool, isSingle: Bool) {
    noteIfPresent(scanner.field(RecordField.batchId), .batchId)
    noteIfPresent(scanner.field(RecordField.recordCount), .recordCount)
    noteIfPresent(scanner.field(RecordField.totals), .totals)
    if !isSingle {
      noteIfPresent(scanner.receiverField(ReceiverField.country, row: 0), .country)
      noteIfPresent(scanner.receiverField(ReceiverField.paymentType, row: 0), .paymentType)
      noteIfPresent(scanner.receiverField(ReceiverField.paymentSubType, row: 0), .paymentSubType)
      noteIfPresent(scanner.receiverField(ReceiverField.invoiceData, row: 0), .invoiceData)
      noteIfPresent(scanner.receiverField(ReceiverField.description, row: 0), .description)
      noteIfPresent(scanner.receiverField(ReceiverField.customId, row: 0), .customId)
      noteIfPresent(scanner.receiverField(ReceiverField.merchantName, row: 0), .merchantName)
    }
    if scanner.unknownFields.isEmpty { return }
    for unknown in scanner.unknownFields {
      switch unknown.place {
      case .record: note(.unknownField, at: .record, name: unknown.name)
      case .receiver(let row) where isRead(row, isAdvanced, isSingle):
        note(.unknownField, at: path(row: row), name: unknown.name)
      case .invoice(let row) where isRead(row, isAdvanced, isSingle):
        note(.unknownField, at: path(row: row).receiverField(.invoiceData), name: unknown.name)
      case .item(let item, let row) where isRead(row, isAdvanced, isSingle):
        note(.unknownField, at: path(row: row).item(scanner.itemIndex(item)), name: unknown.name)
      case .receiver, .invoice, .item: break
      }
    }
  }

  @inline(__always)
  private mutating func noteIfPresent(_ slice: JSONSlice, _ name: FieldPath.Top) {
    if !slice.isAbsent { note(.unknownField, at: .top(name)) }
  }

  private func isRead(_ row: Int, _ isAdvanced: Bool, _ isSingle: Bool) -> Bool {
    row == 0 ? isSingle && !isAdvanced : isAdvanced && !isSingle
  }

  private func path(row: Int) -> FieldPath {
    .receiver(row == 0 ? nil : scanner.receiverIndex(row: row))
  }
}
