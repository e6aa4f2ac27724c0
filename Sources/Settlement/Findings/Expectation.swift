import BatchFile

/// What the tables of `batch.md` expect of a field, in the words of messages.
enum Expectation {
  /// A JSON type, as found.
  static func kind(of kind: JSONKind) -> StaticString {
    switch kind {
    case .absent, .null: "null"
    case .string: "a string"
    case .number: "a number"
    case .yes, .no: "a boolean"
    case .object: "an object"
    case .array: "an array"
    }
  }

  /// The JSON type of a field; of an element of an array (no name), an object.
  static func type(of name: StaticString) -> StaticString {
    switch name.description {
    case "": "an object"
    case "isPrimary": "true or false"
    case "invoiceData": "an object"
    case "receiverPaymentDetails", "invoiceItems": "an array of objects"
    case "subtotal", "subTotal", "totalTax", "totalShipping", "itemPrice", "itemCount", "totalPrice":
      "a decimal as a number or a string"
    default: "a string"
    }
  }

  /// The values of a field that is no account, country, currency or decimal.
  static func value(of name: StaticString) -> StaticString {
    switch name.description {
    case "payKey": "1 to 64 of A-Z a-z 0-9 . _ - beginning with a letter or digit"
    case "status": "STATUS_COMPLETED STATUS_CREATED or STATUS_OTHER"
    case "createdAt": "an RFC 3339 date-time like 2026-11-20T08:30:00Z"
    case "feePayer":
      "FEEPAYER_SENDER FEEPAYER_PRIMARYRECEIVER FEEPAYER_EACHRECEIVER or FEEPAYER_SECONDARYONLY"
    case "fundingSource": "BALANCE BANK or CARD"
    case "paymentType": "TYPE_NOT_SET TYPE_GOODS TYPE_SERVICE or TYPE_PERSONAL"
    case "paymentSubType": "SUBTYPE_NOT_SET or one of the 22 subtypes"
    case "memo": "at most 1000 characters"
    case "ipnUrl": "an http or https address of at most 1024 characters"
    case "name": "1 to 255 characters"
    default: "at most 255 characters"
    }
  }
}
