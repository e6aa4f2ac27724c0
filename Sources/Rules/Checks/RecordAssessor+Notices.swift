import Records

/// Fields that their object does not have.
extension RecordAssessor {
  /// Counts the unknown fields. What is known at the top level depends on the shape: in the advanced one a receiver's
  /// field there is unknown, and what stands in it is nobody's.
  mutating func noteUnknownFields(isAdvanced: Bool, isSingle: Bool) {
    if scanner.hasAny(foreignFields) { noteIfPresent(RecordType.payment.foreignFields) }
    if isSingle, hasSplitTotal { note(.unknownField, at: .top(.splitTotal)) }
    if !isSingle, scanner.hasAny(singleShapeFields) { noteIfPresent(RecordField.ofSingleShape) }
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
      case .inner(let path) where !path.isInReceivers || isAdvanced:
        note(.unknownField, at: path, name: unknown.name)
      case .receiver, .invoice, .item, .inner: break
      }
    }
  }

  private mutating func noteIfPresent(_ fields: [RecordField]) {
    for field in fields {
      let slice =
        field.singleShapeField.map { scanner.receiverField($0, row: 0) } ?? scanner.field(field)
      if !slice.isAbsent { note(.unknownField, at: .top(field)) }
    }
  }

  private func isRead(_ row: Int, _ isAdvanced: Bool, _ isSingle: Bool) -> Bool {
    row == 0 ? isSingle && !isAdvanced : isAdvanced && !isSingle
  }

  private func path(row: Int) -> FieldPath {
    .receiver(row == 0 ? nil : scanner.receiverIndex(row: row))
  }
}
