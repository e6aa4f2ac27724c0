import Records

/// A set of fields at the top level, to ask whether a scanned record has any of them.
public struct RecordFields: Sendable {
  let bits: UInt64

  /// The fields named.
  public init(_ fields: [RecordField]) {
    bits = fields.reduce(0) { bits, field in
      let slot = FieldLevel.record.slot(of: field.slot)
      precondition(slot < UInt64.bitWidth, "more fields than bits")
      return bits | 1 << UInt64(slot)
    }
  }
}
