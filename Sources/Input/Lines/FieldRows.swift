import Records

/// The fields of a scanned record, without its scanner.
public struct FieldRows: ~Escapable {
  let fields: Span<JSONSlice>

  @_lifetime(copy fields)
  init(_ fields: Span<JSONSlice>) { self.fields = fields }

  /// A field at the top level.
  public subscript(field: RecordField) -> JSONSlice { fields[field.slot] }

  /// A field of a refund that was read with `readAgain`.
  public subscript(field: RefundField) -> JSONSlice { fields[field.slot] }

  /// A field of a preapproval that was read with `readAgain`.
  public subscript(field: PreapprovalField) -> JSONSlice { fields[field.slot] }

  public subscript(field: ReceiverField, row row: Int) -> JSONSlice { fields[FieldRow.receiver(row) + field.slot] }
}
