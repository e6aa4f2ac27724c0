/// The fields that the record scanner knows, and the slot that each has in the scanned record.
///
/// Three name spaces of 16 slots and one of 8: the record's own fields, a receiver's (with those of its invoice behind
/// them, `ReceiverField`), and an item's. In the single shape the receiver's fields stand at the top level; they go
/// into row 0 of the receivers, where `subTotal` is the receiver's `subtotal`.
public enum RecordField {
  // The record's own.
  /// What the line is.
  public static let type = 0
  /// A header's identifier.
  public static let batchId = 1
  /// When a batch or a payment was made.
  public static let createdAt = 2
  /// A trailer's number of records.
  public static let recordCount = 3
  /// A trailer's sums.
  public static let totals = 4
  /// The key of the payment.
  public static let payKey = 5
  /// Its status.
  public static let status = 6
  /// Its currency.
  public static let paymentCurrency = 7
  /// Who bears its fees.
  public static let feePayer = 8
  /// Its sender's account.
  public static let sender = 9
  /// Its sender's country.
  public static let senderCountry = 10
  /// What the sender pays from.
  public static let fundingSource = 11
  /// A note.
  public static let memo = 12
  /// Where notifications go.
  public static let ipnUrl = 13
  /// The receivers of the advanced shape.
  public static let receiverPaymentDetails = 14

  static let names: [(StaticString, Int)] = [
    ("type", type), ("batchId", batchId), ("createdAt", createdAt), ("recordCount", recordCount), ("totals", totals),
    ("payKey", payKey), ("status", status), ("paymentCurrency", paymentCurrency), ("feePayer", feePayer),
    ("sender", sender), ("senderCountry", senderCountry), ("fundingSource", fundingSource), ("memo", memo),
    ("ipnUrl", ipnUrl), ("receiverPaymentDetails", receiverPaymentDetails),
  ]
}

/// A receiver's fields, then its invoice's, in one row of 16 slots.
public enum ReceiverField {
  /// Who receives: the only field that tells the single shape, with `subtotal`.
  public static let recipient = 0
  /// The sum of the items.
  public static let subtotal = 1
  /// Whether this receiver passes parts on to the others.
  public static let isPrimary = 2
  /// The receiver's country.
  public static let country = 3
  /// What it is paid for.
  public static let paymentType = 4
  /// The kind of service it is paid for.
  public static let paymentSubType = 5
  /// The invoice.
  public static let invoiceData = 6
  /// A description.
  public static let description = 7
  /// The merchant's own reference.
  public static let customId = 8
  /// The merchant's name.
  public static let merchantName = 9
  /// The invoice's tax.
  public static let totalTax = 10
  /// The invoice's shipping.
  public static let totalShipping = 11
  /// The invoice's items.
  public static let invoiceItems = 12
  /// Not a field: `start` is the receiver's index in its array.
  static let index = 13
  /// Not a field: `start` is the row of the first item, `length` the number of item rows.
  static let items = 14
  /// Not a field: where the elements of `invoiceItems` that are no objects stand among the strays, and how many.
  static let strayItems = 15

  static let shared: [(StaticString, Int)] = [
    ("recipient", recipient), ("country", country), ("paymentType", paymentType), ("paymentSubType", paymentSubType),
    ("invoiceData", invoiceData), ("description", description), ("customId", customId),
    ("merchantName", merchantName),
  ]
  static let names = shared + [("subtotal", subtotal), ("isPrimary", isPrimary)]
  static let singleShapeNames = shared + [("subTotal", subtotal)]
  static let invoiceNames: [(StaticString, Int)] = [
    ("totalTax", totalTax), ("totalShipping", totalShipping), ("invoiceItems", invoiceItems),
  ]
}

/// An item's fields, in a row of 8 slots.
public enum ItemField {
  /// What was sold.
  public static let name = 0
  /// The merchant's own number of it.
  public static let itemId = 1
  /// The price of one.
  public static let itemPrice = 2
  /// How many.
  public static let itemCount = 3
  /// The price of all of them.
  public static let totalPrice = 4
  /// Not a field: `start` is the item's index in its array.
  static let index = 5

  static let names: [(StaticString, Int)] = [
    ("name", name), ("itemId", itemId), ("itemPrice", itemPrice), ("itemCount", itemCount),
    ("totalPrice", totalPrice),
  ]
}

/// The objects that have fields of their own.
enum RecordLevel: Int {
  case record
  case receiver
  case invoice
  case item
}
