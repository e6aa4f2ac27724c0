import Input
import Records
import Text

/// Fields that their object does not have.
extension RecordAssessor {
  /// Counts the unknown fields, or rejects them. What is known at the top level depends on the shape: in the advanced one a
  /// field there is unknown, and what stands in it is nobody's.
  mutating func noteUnknownFields(isAdvanced: Bool, isSingle: Bool) {
    if scanner.hasAny(foreignFields) { noteIfPresent(RecordType.payment.foreignFields) }
    if isSingle, hasSplitTotal { noteIfPresent([.splitTotal]) }
    if !isSingle, scanner.hasAny(singleShapeFields) { noteIfPresent(RecordField.ofSingleShape) }
    if scanner.unknownFields.isEmpty { return }
    for unknown in scanner.unknownFields {
      switch unknown.place {
      case .record: takeUnknown(unknown.name, in: .record)
      case .receiver(let row) where isRead(row, isAdvanced, isSingle):
        takeUnknown(unknown.name, in: path(row: row))
      case .invoice(let row) where isRead(row, isAdvanced, isSingle):
        takeUnknown(unknown.name, in: path(row: row).receiverField(.invoiceData))
      case .item(let item, let row) where isRead(row, isAdvanced, isSingle):
        takeUnknown(unknown.name, in: path(row: row).item(scanner.itemIndex(item)))
      case .inner(let path) where path.isInAdjustments:
        let hasShape = scanner.field(.adjustedAmounts).kind == .object ? isSingle : isAdvanced
        if hasShape { takeUnknown(unknown.name, in: path) }
      case .inner(let path) where !path.isInReceivers || isAdvanced: takeUnknown(unknown.name, in: path)
      case .receiver, .invoice, .item, .inner: break
      }
    }
  }

  private mutating func noteIfPresent(_ fields: [RecordField]) {
    for field in fields {
      let slice =
        field.singleShapeField.map { scanner.receiverField($0, row: 0) } ?? scanner.field(field)
      if !slice.isAbsent { takeUnknown(.absent, in: .top(field)) }
    }
  }

  /// Takes an unknown field: by its name in its object, or by its path where its name is that of another field.
  mutating func takeUnknown(_ name: JSONSlice, in path: FieldPath) {
    if rules.rejectsUnknownFields {
      reject(.unknownField, at: path, evidence: name)
    } else {
      note(.unknownField, at: path, name: name)
    }
  }

  /// Puts the unknown fields, which stand together among the sorted findings, in the order of their pointers' bytes.
  mutating func sortUnknownFields() {
    guard let start = findings.firstIndex(where: { $0.reason == .unknownField }) else { return }
    let unknown = findings[start...].prefix { $0.reason == .unknownField }
    let sorted = unknown.map { finding in
      var field = TextBuffer(capacity: 64)
      writeField(of: finding, to: &field)
      return (field: Array(UnsafeBufferPointer(start: field.bytes, count: field.count)), finding: finding)
    }.sorted { $0.field.lexicographicallyPrecedes($1.field) }
    findings.replaceSubrange(unknown.indices, with: sorted.map(\.finding))
  }

  private func isRead(_ row: Int, _ isAdvanced: Bool, _ isSingle: Bool) -> Bool {
    row == 0 ? isSingle && !isAdvanced : isAdvanced && !isSingle
  }

  private func path(row: Int) -> FieldPath {
    .receiver(row == 0 ? nil : scanner.receiverIndex(row: row))
  }
}
