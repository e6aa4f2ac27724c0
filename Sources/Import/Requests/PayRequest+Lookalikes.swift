import Records

/// Unknown fields of a request that look like one that it lacks (`rules.md`, "Fields that look like another").
extension PayRequest {
  /// The fields that move money if misspelt, by operation.
  private static let meant: [String: MeantFields] = [
    "Pay": MeantFields(fields: [
      .init("actionType"), .init("currencyCode", ["currency", "paymentCurrency"]), .init("feesPayer", ["feePayer"]),
      .init("senderEmail", ["sender"]), .init("preapprovalKey"), .init("trackingId"),
    ]),
    "Refund": MeantFields(fields: [
      .init("payKey"), .init("trackingId"), .init("currencyCode", ["currency", "paymentCurrency"]),
    ]),
    "Preapproval": MeantFields(
      fields: [.init("senderEmail", ["sender"])]
        + terms.map { .init($0.name, "\($0.name)" == "currencyCode" ? ["currency", "paymentCurrency"] : []) }),
  ]

  /// The fields of a receiver that move money if misspelt, by operation.
  private static let meantOfReceiver: [String: MeantFields] = [
    "Pay": MeantFields(fields: [
      .init("email", ["recipient"]), .init("amount", ["subtotal"]), .init("primary", ["isPrimary"]),
      .init("paymentType"), .init("paymentSubType"),
    ]),
    "Refund": MeantFields(fields: [.init("email", ["recipient"]), .init("amount", ["subtotal"])]),
  ]

  /// Each receiver has names of its own, so a misspelt list or receiver loses money even if there are others.
  private static let list = MeantFields(fields: [.init("receiverList", ["receivers"])])
  private static let element = MeantFields(fields: [.init("receiver")])

  /// The field that an unknown one looks like, and that the request or receiver lacks; nil if it looks like none.
  func fieldMeant(by field: RequestField) -> StaticString? {
    guard !field.name.isCut else { return nil }
    let parts = field.name.parts
    guard parts.first == .name("receiverList"), let names = Self.meantOfReceiver[operation] else {
      let isList = Self.meantOfReceiver[operation] != nil
      return (isList ? Self.list.field(meantBy: parts.prefix(1)) : nil)
        ?? Self.meant[operation]?.field(meantBy: parts[...]) { known[$0] == nil }
    }
    let (index, rest) = Self.receiver(parts)
    let prefix = Self.name(ofReceiver: index) + "."
    return Self.element.field(meantBy: rest.prefix(1)) ?? names.field(meantBy: rest) { known[prefix + $0] == nil }
  }
}

extension MeantFields {
  /// The field that the parts of a name look like, or nil.
  fileprivate func field(
    meantBy parts: ArraySlice<FieldName.Part>, isLacking: (String) -> Bool = { _ in true }
  ) -> StaticString? {
    guard let name = PayRequest.joined(parts) else { return nil }
    return field(meantBy: Array(name.utf8).span) { isLacking($0.name.description) }?.name
  }
}
