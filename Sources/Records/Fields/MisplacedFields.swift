/// Names of fields that are unknown in an object because they belong in another one
/// (`rules.md`, "Fields on the wrong level"). Such an unknown field is an error, whatever else its object has.
public struct MisplacedFields: Sendable {
  /// A field that belongs in another object.
  public struct Field: Sendable {
    /// The name of the field there.
    public let name: StaticString
    /// Where it belongs, in words.
    public let home: StaticString
  }

  private let fields: [[UInt8]: Field]

  private init(_ groups: (home: StaticString, names: [StaticString])...) {
    var fields: [[UInt8]: Field] = [:]
    for (home, names) in groups {
      for name in names { fields[FoldedName.folded(name.description)] = Field(name: name, home: home) }
    }
    self.fields = fields
  }

  /// The field that an unknown name is, after folding; nil if it is none of these.
  public func field(named name: Span<UInt8>) -> Field? { FoldedName.folded(name).flatMap { fields[$0] } }

  private static let inInvoice: (StaticString, [StaticString]) = (
    "in invoiceData", ["invoiceItems", "totalTax", "totalShipping"]
  )

  /// Fields that are not at the top level of a payment with receivers in an array or a profile.
  public static let payment = MisplacedFields(
    ("in a receiver", ofReceiver), inInvoice)

  /// The same if fees depend on a receiver's category.
  public static let paymentWithCategory = MisplacedFields(("in a receiver", ofReceiver + ["category"]), inInvoice)

  private static let ofReceiver: [StaticString] = ["country", "invoiceData", "isPrimary", "split", "keep"]

  /// Fields that are not at the top level of a payment in the single shape.
  public static let singlePayment = MisplacedFields(inInvoice)

  /// Fields that are not in an element of `receiverPaymentDetails`.
  public static let receiver = MisplacedFields(
    (
      "at the top level",
      [
        "feePayer", "fundingSource", "senderCountry", "splitTotal", "card", "adjustedAmounts", "amountErrorCode",
        "preapprovalKey",
      ]
    ), ("in split or keep", ["min", "max"]), inInvoice)

  /// Fields that are not in an element of `adjustedAmounts`.
  public static let adjustment = MisplacedFields(("in amounts", ["tax", "shipping"]))

  /// Fields that are not at the top level of a refund.
  public static let refund = MisplacedFields(("in an element of receivers", ["recipient"]))

  /// Names of a payment's currency, which objects below its top level do not have.
  public static let paymentCurrency = MisplacedFields(("at the top level, as paymentCurrency", currencies))

  public static let refundCurrency = MisplacedFields(("at the top level, as currencyCode", currencies))

  private static let currencies: [StaticString] = ["paymentCurrency", "currencyCode", "currency"]
}
