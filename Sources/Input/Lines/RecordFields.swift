import Records

/// A set of fields at the top level, to ask whether a scanned record has any of them.
public struct RecordFields: Sendable {
  @usableFromInline let slots: [Int]

  /// The fields named.
  public init(_ fields: [RecordField]) { slots = fields.map { FieldLevel.record.slot(of: $0.slot) } }
}
