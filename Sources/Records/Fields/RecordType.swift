/// The type of a line, as its `type` says: a closed list. Each type has its own folder here and in `Rules`.
public enum RecordType: FixedText, WireValue {
  /// The batch's header: the first record.
  case header = "header"
  /// A payment; so is a line without a type.
  case payment = "payment"
  /// An agreement about payments on a sender's behalf, or a change of one.
  case preapproval = "preapproval"
  /// A refund of money of a settled payment.
  case refund = "refund"
  /// The batch's trailer: the last record.
  case trailer = "trailer"

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
