/// The type of a line, as its `type` says: a closed list. Each type has its own folder here and in `Rules`.
public enum RecordType: UInt8, WireValue {
  /// The batch's header: the first record.
  case header
  /// A payment; so is a line without a type.
  case payment
  /// An agreement about payments on a sender's behalf, or a change of one.
  case preapproval
  /// A refund of money of a settled payment.
  case refund
  /// The batch's trailer: the last record.
  case trailer

  /// Its spelling in a batch.
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

  /// The level of the record's own fields. Header, payment and trailer share one. Records of the other types are read
  /// again with the fields of their own level.
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
