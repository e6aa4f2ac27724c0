import Input
import Records
import Text

/// Unknown fields: those that are not defined for their object.
extension RecordReader {
  /// Reports the unknown fields. Which fields are known at the top level depends on the shape. In the advanced shape, a
  /// receiver's field there is unknown, and its contents are not read.
  mutating func noteUnknownFields(isAdvanced: Bool, isSingle: Bool) {
    if scanner.hasAny(foreignFields) { reportIfPresent(RecordType.payment.foreignFields) }
    if isSingle, hasSplitTotal { reportUnknown(field: .top(.splitTotal), isSuspect: true) }
    if !isSingle, scanner.hasAny(singleShapeSlots) {
      // Without a shape, the category may belong to the single one.
      reportIfPresent(isAdvanced ? singleShapeFields : singleShapeFields.filter { $0 != .category })
    }
    for unknown in scanner.unknownFields {
      let (path, isRead): (FieldPath, Bool) =
        switch unknown.place {
        case .record: (.record, true)
        case .receiver(let row): (path(row: row), row == 0 ? isSingle : isAdvanced)
        case .invoice(let row): (path(row: row).receiverField(.invoiceData), row == 0 ? isSingle : isAdvanced)
        case .item(let item, let row):
          (path(row: row).item(scanner.itemIndex(item)), row == 0 ? isSingle : isAdvanced)
        case .inner(let path, _) where path.isInAdjustments:
          (path, scanner.field(.adjustedAmounts).kind == .object ? isSingle : isAdvanced)
        case .inner(let path, _): (path, !path.isInReceivers || isAdvanced)
        }
      if isRead { reportUnknown(unknown, in: path) }
    }
  }

  private mutating func reportIfPresent(_ fields: [RecordField]) {
    for field in fields {
      let slice = field.singleShapeField.map { scanner.receiverField($0, row: 0) } ?? scanner.field(field)
      if !slice.isAbsent { reportUnknown(field: .top(field), isSuspect: misplaced(field) != nil) }
    }
  }

  /// Reports an unknown field that has the name of a field of another object or record.
  mutating func reportUnknown(field path: FieldPath, isSuspect: Bool = false) {
    report(.absent, in: path, isSuspect: isSuspect)
  }

  /// Reports a field that no object or record of its level has, by its name.
  mutating func reportUnknown(_ unknown: UnknownField, in path: FieldPath) {
    report(
      unknown.name, in: path,
      isSuspect: unknownFields == .suspect
        && (misplaced(unknown, in: path) != nil || fieldMeant(by: unknown, in: path) != nil))
  }

  private mutating func report(_ name: JSONSlice, in path: FieldPath, isSuspect: Bool) {
    if unknownFields == .reject || unknownFields == .suspect && isSuspect {
      reject(.unknownField, at: path, evidence: name)
    } else {
      note(.unknownField, at: path, name: name)
    }
  }

  /// The missing field of the object that an unknown one looks like, or nil.
  func fieldMeant(by unknown: UnknownField, in path: FieldPath) -> MeantFields.Field? {
    let fields: MeantFields? =
      switch (unknown.place, type) {
      case (.record, .payment) where hasSingleShape: hasCategories ? .singlePaymentWithCategory : .singlePayment
      case (.record, .payment): isEarlier ? .earlierPayment : .payment
      case (.receiver, .payment) where hasCategories: .receiverWithCategory
      case (.record, .refund): .refund
      case (.record, .preapproval): hasTerms ? .agreement : nil
      default: .within(path.level)
      }
    guard let fields else { return nil }
    return withCharacters(of: unknown.name) { name in
      fields.field(meantBy: name) { scanner.lacks($0, in: unknown.place, of: type.level) }
    }
  }

  /// The field of another object that an unknown field is, or nil.
  func misplaced(_ unknown: UnknownField, in path: FieldPath) -> MisplacedFields.Field? {
    guard hasLevels else { return nil }
    let fields: MisplacedFields? =
      switch (unknown.place, type) {
      case (.record, .payment): hasSingleShape ? .singlePayment : ofPayment
      case (.record, .refund): .refund
      case (.receiver, .payment): .receiver
      case (.inner, .payment): path.level == .adjustment ? .adjustment : nil
      default: nil
      }
    let currency: MisplacedFields = type == .refund ? .refundCurrency : .paymentCurrency
    let isOther = unknown.place != .record && isOtherCurrency(unknown.value)
    return withCharacters(of: unknown.name) { name in
      fields?.field(named: name) ?? (isOther ? currency.field(named: name) : nil)
    }
  }

  /// The field of another object that a field of the single shape is in other shapes, or nil.
  func misplaced(_ field: RecordField) -> MisplacedFields.Field? {
    hasLevels && !hasSingleShape ? ofPayment.field(named: field.definition.name.bytes) : nil
  }

  private var ofPayment: MisplacedFields { hasCategories ? .paymentWithCategory : .payment }

  /// Whether a value is a text that differs from the code of the record's currency.
  private func isOtherCurrency(_ value: JSONSlice) -> Bool {
    guard let currency, value.kind == .string else { return false }
    return withCharacters(of: value) { !$0.isEqual(to: currency.code.utf8.span) }
  }

  /// Whether a preapproval creates an agreement, and so has terms.
  private var hasTerms: Bool {
    let action = scanner.preapprovalField(.action)
    guard action.kind == .string else { return action.isAbsent }
    return withCharacters(of: action) { PreapprovalAction.find($0) } == .create
  }

  /// Whether a payment has the single shape, and no other.
  private var hasSingleShape: Bool {
    scanner.field(.receiverPaymentDetails).isAbsent && scanner.field(.splitProfile).isAbsent && isSingle
  }

  private func path(row: Int) -> FieldPath {
    .receiver(row == 0 ? nil : scanner.receiverIndex(row: row))
  }

  // MARK: Findings

  /// Sorts the errors, and drops those beyond the reported maximum.
  mutating func sortFindings() {
    findings.errors.sort(by: Finding.isListed)
    sortUnknownFields()
    findings.leaveMost()
  }

  /// Sorts the unknown fields, which are adjacent among the sorted findings, by their pointers' bytes, and removes
  /// repeated pointers.
  private mutating func sortUnknownFields() {
    guard let start = findings.errors.firstIndex(where: { $0.reason == .unknownField }) else { return }
    let unknown = findings.errors[start...].prefix { $0.reason == .unknownField }
    let sorted = unknown.map { finding in
      (field: Array(TextBuffer.string { writeField(of: finding, to: &$0) }.utf8), finding: finding)
    }.sorted { $0.field.lexicographicallyPrecedes($1.field) }
    let places = sorted.indices.filter { $0 == 0 || sorted[$0].field != sorted[$0 - 1].field }
    findings.errors.replaceSubrange(unknown.indices, with: places.map { sorted[$0].finding })
  }

  /// Appends the field that an error points to.
  func writeField(of finding: Finding, to text: inout TextBuffer) {
    writeField(finding.path, unknown: finding.reason == .unknownField ? finding.evidence : .absent, to: &text)
  }

  /// Appends a field; for an unknown one, its name after the object that contains it.
  func writeField(_ path: FieldPath, unknown name: JSONSlice, to text: inout TextBuffer) {
    path.write(to: &text)
    guard name.kind == .string else { return }
    text.append("/")
    withCharacters(of: name) { name in
      var pointer: [UInt8] = []
      for place in name.indices {
        switch name[place] {
        case UInt8(ascii: "~"): pointer += [UInt8(ascii: "~"), UInt8(ascii: "0")]
        case UInt8(ascii: "/"): pointer += [UInt8(ascii: "~"), UInt8(ascii: "1")]
        case let byte: pointer.append(byte)
        }
      }
      if path.isInCard { CardNumberMask.hideDigits(of: &pointer) }
      MessageText.append(pointer.span, to: &text)
    }
  }
}
