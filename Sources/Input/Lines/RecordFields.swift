import Records

/// A set of top-level fields, to check whether a scanned record has any of them.
public struct RecordFields: Sendable {
  @usableFromInline let slots: [Int]

  /// A set of these fields.
  public init(_ fields: [RecordField]) { slots = fields.map { FieldLevel.record.slot(of: $0.slot) } }
}

extension FieldRows {
  /// A field of a preapproval that was read with `readAgain`.
  public subscript(field: PreapprovalField) -> JSONSlice { fields[field.slot] }
}
