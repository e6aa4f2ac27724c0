/// What a line of a batch is, as its `type` says: a closed list. Each type has a folder of its own here and in `Rules`.
public enum RecordType: UInt8, WireValue {
  /// The batch's header: the first record.
  case header
  /// A payment; a line without a type is one, too.
  case payment
  /// An agreement to payments on a sender's behalf, or a change of one.
  case preapproval
  /// Money of a settled payment that goes back.
  case refund
  /// The batch's trailer: the last record.
  case trailer

  /// How the batch writes the type.
  @inlinable
  public var spelling: StaticString {
    switch self {
    case .header: "header"
    case .payment: "payment"
    case .preapproval: "preapproval"
    case .refund: "refund"
    case .trailer: "trailer"
    }
  }

  /// The level that the record's own fields are of. Header, payment and trailer share one; the others are read once more,
  /// by their own.
  public var level: FieldLevel {
    switch self {
    case .header, .payment, .trailer: .record
    case .preapproval: .preapproval
    case .refund: .refund
    }
  }

  /// The fields of other types that a record of this type does not have.
  public var foreignFields: [RecordField] {
    let own = fields
    return Self.allCases.flatMap(\.fields).filter { !own.contains($0) }
  }

  /// The fields of the shared level that a record of this type has at its top level.
  public var fields: [RecordField] {
    switch self {
    case .header: RecordField.ofHeader
    case .payment: RecordField.ofPayment
    case .preapproval, .refund: []
    case .trailer: RecordField.ofTrailer
    }
  }
}
