import Input
import Records
import Text

/// Fields that their object does not have.
extension Judgement {
  /// Takes the unknown fields. What is known at the top level depends on the shape: in the advanced one a receiver's field
  /// there is unknown, and what is in it is not looked at.
  mutating func noteUnknownFields(isAdvanced: Bool, isSingle: Bool) {
    if scanner.hasAny(foreignFields) { takeIfPresent(RecordType.payment.foreignFields) }
    if isSingle, hasSplitTotal { takeUnknown(field: .top(.splitTotal), isSuspect: true) }
    if !isSingle, scanner.hasAny(singleShapeFields) { takeIfPresent(RecordField.ofSingleShape) }
    if scanner.unknownFields.isEmpty { return }
    for unknown in scanner.unknownFields {
      switch unknown.place {
      case .record: takeUnknown(unknown, in: .record)
      case .receiver(let row) where isRead(row, isAdvanced, isSingle): takeUnknown(unknown, in: path(row: row))
      case .invoice(let row) where isRead(row, isAdvanced, isSingle):
        takeUnknown(unknown, in: path(row: row).receiverField(.invoiceData))
      case .item(let item, let row) where isRead(row, isAdvanced, isSingle):
        takeUnknown(unknown, in: path(row: row).item(scanner.itemIndex(item)))
      case .inner(let path, _) where path.isInAdjustments:
        let hasShape = scanner.field(.adjustedAmounts).kind == .object ? isSingle : isAdvanced
        if hasShape { takeUnknown(unknown, in: path) }
      case .inner(let path, _) where !path.isInReceivers || isAdvanced: takeUnknown(unknown, in: path)
      case .receiver, .invoice, .item, .inner: break
      }
    }
  }

  private mutating func takeIfPresent(_ fields: [RecordField]) {
    for field in fields {
      let slice =
        field.singleShapeField.map { scanner.receiverField($0, row: 0) } ?? scanner.field(field)
      if !slice.isAbsent { takeUnknown(field: .top(field)) }
    }
  }

  /// Takes an unknown field whose name is that of a field of another object or record.
  mutating func takeUnknown(field path: FieldPath, isSuspect: Bool = false) {
    take(.absent, in: path, isSuspect: isSuspect)
  }

  /// Takes a field that no object or record of a level has, by its name in its object.
  mutating func takeUnknown(_ unknown: UnknownField, in path: FieldPath) {
    take(unknown.name, in: path, isSuspect: rules.unknownFields == .suspect && fieldMeant(by: unknown, in: path) != nil)
  }

  private mutating func take(_ name: JSONSlice, in path: FieldPath, isSuspect: Bool) {
    if rules.unknownFields == .reject || rules.unknownFields == .suspect && isSuspect {
      reject(.unknownField, at: path, evidence: name)
    } else {
      note(.unknownField, at: path, name: name)
    }
  }

  /// The field that an unknown one looks like and that its object lacks; nil if there is none.
  func fieldMeant(by unknown: UnknownField, in path: FieldPath) -> MeantFields.Field? {
    let fields: MeantFields? =
      switch (unknown.place, recordType) {
      case (.record, .payment): isSingleShape ? .singlePayment : .payment
      case (.record, .refund): .refund
      case (.record, .preapproval): hasTerms ? .agreement : nil
      default: .within(path.level)
      }
    guard let fields else { return nil }
    return withCharacters(of: unknown.name) { name in
      fields.field(meantBy: name) { scanner.lacks($0, in: unknown.place, of: recordType.level) }
    }
  }

  /// Whether a preapproval makes an agreement, and so has terms.
  private var hasTerms: Bool {
    let action = scanner.preapprovalField(.action)
    guard action.kind == .string else { return action.isAbsent }
    return withCharacters(of: action) { PreapprovalAction.find($0.baseAddress!, count: $0.count) } == .create
  }

  /// Whether a payment has the single shape, and no other.
  private var isSingleShape: Bool {
    scanner.field(.receiverPaymentDetails).isAbsent && scanner.field(.splitProfile).isAbsent
      && !(scanner.receiverField(.recipient, row: 0).isAbsent && scanner.receiverField(.subtotal, row: 0).isAbsent)
  }

  /// Puts the unknown fields, which are together among the sorted findings, in the order of their pointers' bytes; of
  /// equal pointers one is left.
  mutating func sortUnknownFields() {
    guard let start = findings.firstIndex(where: { $0.reason == .unknownField }) else { return }
    let unknown = findings[start...].prefix { $0.reason == .unknownField }
    let sorted = unknown.map { finding in
      var field = TextBuffer(capacity: 64)
      writeField(of: finding, to: &field)
      return (field: Array(UnsafeBufferPointer(start: field.bytes, count: field.count)), finding: finding)
    }.sorted { $0.field.lexicographicallyPrecedes($1.field) }
    let places = sorted.indices.filter { $0 == 0 || sorted[$0].field != sorted[$0 - 1].field }
    findings.replaceSubrange(unknown.indices, with: places.map { sorted[$0].finding })
  }

  private func isRead(_ row: Int, _ isAdvanced: Bool, _ isSingle: Bool) -> Bool {
    row == 0 ? isSingle && !isAdvanced : isAdvanced && !isSingle
  }

  private func path(row: Int) -> FieldPath {
    .receiver(row == 0 ? nil : scanner.receiverIndex(row: row))
  }
}
