import Records

/// A set of top-level fields, to check whether a scanned record has any of them.
public struct RecordFields: Sendable {
  @usableFromInline let slots: [Int]

  /// A set of these fields.
  public init(_ fields: [RecordField]) { slots = fields.map { FieldLevel.record.slot(of: $0.slot) } }
}
