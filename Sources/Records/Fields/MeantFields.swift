/// The optional fields of an object that move money if misspelt (`rules.md`, "Fields that look like another").
///
/// An unknown field that looks like one of these is an error if the object lacks that field.
public struct MeantFields: Sendable {
  /// A field that an unknown one may have meant.
  public struct Field: Sendable {
    public let name: StaticString
    /// Its slot in its level; nil if the object never has such a field.
    public let slot: Int?
    let otherNames: [String]

    /// A field with its name, its slot and other names that mean it.
    public init(_ name: StaticString, slot: Int? = nil, _ otherNames: [String] = []) {
      self.name = name
      self.slot = slot
      self.otherNames = otherNames
    }

    init(_ field: some LevelField, _ otherNames: String...) {
      self.init(field.definition.name, slot: field.slot, otherNames)
    }
  }

  /// A folded name of a field: its own, or another name with the same meaning.
  private struct Name {
    let text: [UInt8]
    let field: Int
    let isOwn: Bool
  }

  private let fields: [Field]
  private let names: [Name]

  /// The optional fields of an object.
  public init(fields: [Field]) {
    self.fields = fields
    names = fields.indices.flatMap { place in
      ([fields[place].name.description] + fields[place].otherNames).enumerated().map { number, name in
        Name(text: FoldedName.folded(name), field: place, isOwn: number == 0)
      }
    }
  }

  /// The first field that a name looks like and the object lacks, or nil. A field whose name is equal
  /// after folding comes before others.
  ///
  /// - Parameter isLacking: returns whether the object lacks a field.
  public func field(meantBy name: Span<UInt8>, isLacking: (Field) -> Bool) -> Field? {
    guard let word = FoldedName.folded(name) else { return nil }
    var near: Field?
    for name in names where abs(name.text.count - word.count) <= 1 {
      guard name.text == word else {
        if near == nil, name.isOwn, word.count >= 5, Self.areOneEditApart(word, name.text),
          isLacking(fields[name.field])
        {
          near = fields[name.field]
        }
        continue
      }
      if isLacking(fields[name.field]) { return fields[name.field] }
    }
    return near
  }

  /// Whether inserting, removing or replacing one byte, or swapping two neighbors, turns one word into the other.
  private static func areOneEditApart(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    let same = zip(left, right).prefix { $0 == $1 }.count
    let (left, right) = (left.dropFirst(same), right.dropFirst(same))
    if left.count < right.count { return left.elementsEqual(right.dropFirst()) }
    if left.count > right.count { return left.dropFirst().elementsEqual(right) }
    guard left.count > 0 else { return false }
    let isSwapped = left.count > 1 && left.first == right.dropFirst().first && left.dropFirst().first == right.first
    return left.dropFirst().elementsEqual(right.dropFirst())
      || isSwapped && left.dropFirst(2).elementsEqual(right.dropFirst(2))
  }
}

extension MeantFields {
  /// The fields of a payment with receivers in an array or a profile, or without a shape.
  public static let payment = MeantFields(fields: common + types + [Field(RecordField.splitTotal)])

  /// The same for a night of a version before 1.0.0-rc.4, which knew no types for all receivers.
  public static let earlierPayment = MeantFields(fields: common + [Field(RecordField.splitTotal)])

  /// The fields of a payment in the single shape, which never has the fields of a split.
  public static let singlePayment = MeantFields(
    fields: common + types + [
      Field(RecordField.splitTotal.definition.name, slot: nil), Field(RecordField.country, "countryCode"),
      Field(RecordField.invoiceData, "invoice"),
      Field(ReceiverField.split.definition.name, slot: nil), Field(ReceiverField.keep.definition.name, slot: nil),
    ])

  /// The same if fees depend on the receiver's category.
  public static let singlePaymentWithCategory = MeantFields(
    fields: singlePayment.fields + [Field(RecordField.category)])

  private static let common = [
    Field(RecordField.status, "paymentStatus"), Field(RecordField.paymentCurrency, "currency", "currencyCode"),
    Field(RecordField.feePayer, "feesPayer"), Field(RecordField.sender, "senderEmail"),
    Field(RecordField.senderCountry), Field(RecordField.fundingSource), Field(RecordField.preapprovalKey),
    Field(RecordField.splitProfile), Field(RecordField.card), Field(RecordField.adjustedAmounts),
    Field(RecordField.amountErrorCode),
  ]

  private static let types = [Field(RecordField.paymentType), Field(RecordField.paymentSubType)]

  /// The fields of an element of `receiverPaymentDetails`.
  public static let receiver = MeantFields(fields: [
    Field(ReceiverField.country, "countryCode"), Field(ReceiverField.paymentType), Field(ReceiverField.paymentSubType),
    Field(ReceiverField.invoiceData, "invoice"), Field(ReceiverField.isPrimary, "primary"), Field(ReceiverField.split),
    Field(ReceiverField.keep),
  ])

  /// The same if fees depend on the receiver's category.
  public static let receiverWithCategory = MeantFields(fields: receiver.fields + [Field(ReceiverField.category)])

  public static let refund = MeantFields(fields: [
    Field(RefundField.amount), Field(RefundField.receivers), Field(RefundField.currencyCode, "currency"),
  ])

  /// The fields of a preapproval that creates an agreement: its terms.
  public static let agreement = MeantFields(
    fields: PreapprovalField.terms.map { $0 == .currencyCode ? Field($0, "currency") : Field($0) })

  /// The fields of an object inside a record; nil if its level has none.
  public static func within(_ level: FieldLevel) -> MeantFields? { inner[level] }

  private static let inner: [FieldLevel: MeantFields] = [
    .receiver: receiver, .invoice: MeantFields(fields: [Field(InvoiceField.invoiceItems, "items")]),
    .terms: MeantFields(fields: [Field(TermsField.min), Field(TermsField.max)]),
    .card: MeantFields(fields: [Field(CardField.entry)]),
    .amounts: MeantFields(fields: [Field(AmountsField.currency), Field(AmountsField.tax), Field(AmountsField.shipping)]
    ),
  ]
}
