import Payments

extension PaymentDraft {
  mutating func takeReceiver(_ index: Int) {
    let receiver = request.receivers[index]
    receivers.append([])
    takeRecipient(receiver, index)
    if let field = receiver[.amount] {
      let decimal = RequestValues.decimal(field.trimmed)
      if decimal == nil { invalid(field, "amount", index, "a decimal like 10.00") }
      addToReceiver("subtotal", decimal ?? field.text)
    } else {
      missing(PayRequest.name(.amount, ofReceiver: index))
    }
    if let field = receiver[.primary] {
      let isPrimary = RequestValues.boolean(field.word)
      if isPrimary == nil { invalid(field, "primary", index, "true or false") }
      addToReceiver("isPrimary", isPrimary == nil ? field.text : Array((isPrimary == true ? "true" : "false").utf8))
    }
    takeTypes(receiver, index)
    guard let field = receiver[.invoiceId] else { return }
    guard checkLength(field, PayRequest.name(.invoiceId, ofReceiver: index), most: 127) else { return }
    addToReceiver("customId", masked(field, PayRequest.name(.invoiceId, ofReceiver: index)))
  }

  private mutating func takeRecipient(_ receiver: [PayRequest.ReceiverField: RequestField], _ index: Int) {
    let (code, number) = (receiver[.countryCode], receiver[.phoneNumber])
    if let field = receiver[.email] {
      checkLength(field, PayRequest.name(.email, ofReceiver: index), most: 127)
      addToReceiver("recipient", field.trimmed)
      if (code ?? number ?? receiver[.phone]) != nil {
        note(
          PayRequest.name(ofReceiver: index) + ".phone",
          "is not carried over: the receiver is named by the email address", line: field.line)
      }
    } else if code != nil || number != nil {
      if let account = phone(code, number, named: PayRequest.name(ofReceiver: index) + ".phone") {
        addToReceiver("recipient", account)
      }
    } else if let field = receiver[.phone] {
      if let account = phone(whole: field, named: PayRequest.name(.phone, ofReceiver: index)) {
        addToReceiver("recipient", account)
      }
    } else {
      missing(PayRequest.name(.email, ofReceiver: index), "a receiver is named by email or phone")
    }
  }

  private mutating func takeTypes(_ receiver: [PayRequest.ReceiverField: RequestField], _ index: Int) {
    // Where no receiver has a type, none is given in the batch; else those without one have PayPal's own default.
    let hasTypes = request.receivers.contains { $0[.paymentType] != nil || $0[.paymentSubType] != nil }
    guard hasTypes else { return }
    let name = PayRequest.name(.paymentType, ofReceiver: index)
    var type = PaymentType.service
    if let field = receiver[.paymentType] {
      guard let known = Self.types[field.word] else {
        addToReceiver("paymentType", field.text)
        return invalid(
          field, "paymentType", index,
          "GOODS, SERVICE, PERSONAL, CASHADVANCE, DIGITALGOODS or BANK_MANAGED_WITHDRAWAL")
      }
      type = known.type
      if known.isWider { note(name, "\(field.word) becomes \(type.name), the type nearest to it", line: field.line) }
      if type == .goods, hasGoodsAndServices {
        type = .service
        note(
          name, "GOODS becomes TYPE_SERVICE: a batch's receivers have one type, and their fees are the same",
          line: field.line)
      }
    }
    addToReceiver("paymentType", Array(type.name.utf8))
    takeSubType(receiver, index, of: type)
  }

  private mutating func takeSubType(
    _ receiver: [PayRequest.ReceiverField: RequestField], _ index: Int, of type: PaymentType
  ) {
    guard let field = receiver[.paymentSubType] else { return }
    let spelled = field.word.hasPrefix("SUBTYPE_") ? field.word : "SUBTYPE_" + field.word
    let isService = receiver[.paymentType].map { $0.word == "SERVICE" } ?? true
    if type == .service, isService, let subType = PaymentSubType.find(spelled) {
      addToReceiver("paymentSubType", Array(subType.name.utf8))
    } else {
      note(
        PayRequest.name(.paymentSubType, ofReceiver: index), "is not carried over: no subtype that a batch takes here",
        line: field.line)
    }
  }

  /// The receivers' payment types, PayPal's default where one has none.
  private var types: [String] { request.receivers.map { $0[.paymentType]?.word ?? "SERVICE" } }

  /// Whether some receivers have `GOODS` and the others `SERVICE`, between which PayPal makes no difference.
  private var hasGoodsAndServices: Bool { Set(types) == ["GOODS", "SERVICE"] }

  /// Refuses receivers of which some have a type that all must have or none: person to person, and digital goods.
  mutating func checkTypes() {
    let types = types
    guard types.allSatisfy({ Self.types[$0] != nil }),
      let other = types.firstIndex(where: { Self.group($0) != Self.group(types[0]) })
    else { return }
    hasMixedTypes = true
    let special = Self.group(types[0]) == nil ? types[other] : types[0]
    fault(
      580023, PayRequest.name(.paymentType, ofReceiver: other),
      "is \(types[other]), and that of receiver(0) is \(types[0]); expected \(special) for all or for none")
  }

  /// The types among which receivers may not differ from others; nil for those in which they may.
  private static func group(_ type: String) -> String? {
    switch type {
    case "GOODS", "SERVICE": nil
    case "DIGITALGOODS": type
    default: "PERSONAL"
    }
  }

  /// PayPal's payment types, what they are in a batch, and whether that is a wider one.
  private static let types: [String: (type: PaymentType, isWider: Bool)] = [
    "GOODS": (.goods, false), "SERVICE": (.service, false), "PERSONAL": (.personal, false),
    "DIGITALGOODS": (.goods, true), "CASHADVANCE": (.personal, true), "BANK_MANAGED_WITHDRAWAL": (.personal, true),
  ]
}
