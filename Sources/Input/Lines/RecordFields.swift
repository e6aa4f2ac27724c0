import Records

/// A set of fields at the top level, to ask whether a scanned record has any of them.
public struct RecordFields: Sendable {
  @usableFromInline let slots: [Int]

  /// The fields named.
  public init(_ fields: [RecordField]) { slots = fields.map { FieldLevel.record.slot(of: $0.slot) } }
}

extension FieldRows {
  /// A field of a preapproval that was read again.
  public subscript(field: PreapprovalField) -> JSONSlice { fields[field.slot] }
}
