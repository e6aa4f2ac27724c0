import JSON
import Records

extension RequestedRecord {
  /// The receiver's account; faults are reported.
  ///
  /// - Parameter prefix: the prefix of the names of the receiver's fields.
  mutating func convertRecipient(_ prefix: String) -> Fields {
    if let account = account("the receiver", email: request[prefix + "email"], phone: prefix + "phone") {
      return [("recipient", .string(account))]
    }
    if !hasPhone(prefix + "phone") { missing(prefix + "email", "a receiver is named by email or phone") }
    return []
  }

  /// A receiver's amount; nil if it is missing, which is reported.
  mutating func convertAmount(_ prefix: String) -> JSONTree? { required(prefix + "amount").map { amount($0) } }

  /// An amount in the grammar of a batch. If it is not a decimal, that is reported, and the text is kept as it is.
  mutating func amount(_ field: RequestField) -> JSONTree {
    let decimal = RequestValues.decimal(field.text)
    if decimal == nil { invalid(field, "a decimal like 10.00") }
    return .string(decimal ?? field.text)
  }

  /// - Parameter prefix: the prefix of the names of the receiver's fields.
  mutating func convertReceiver(_ prefix: String) {
    var receiver = convertRecipient(prefix)
    if let amount = convertAmount(prefix) { receiver.append(("subtotal", amount)) }
    if let field = request[prefix + "primary"] {
      let isPrimary = RequestValues.boolean(field.text)
      if isPrimary == nil { invalid(field, "true or false") }
      receiver.append(("isPrimary", isPrimary.map(JSONTree.boolean) ?? .string(field.text)))
    }
    convertTypes(prefix, &receiver)
    if let field = request[prefix + "invoiceId"] {
      receiver.append(("customId", .string(masked(field))))
    }
    receivers.append(receiver)
  }

  private mutating func convertTypes(_ prefix: String, _ receiver: inout Fields) {
    // If no receiver has a type, the batch gives none; otherwise those without one get PayPal's own default.
    let hasTypes = request.receivers.contains {
      let name = PayRequest.name(ofReceiver: $0)
      return request[name + ".paymentType"] != nil || request[name + ".paymentSubType"] != nil
    }
    guard hasTypes else { return }
    var type = PaymentType.service
    if let field = request[prefix + "paymentType"] {
      guard let known = Self.types[field.text] else {
        receiver.append(("paymentType", .string(field.text)))
        return invalid(field, "GOODS, SERVICE, PERSONAL, CASHADVANCE, DIGITALGOODS or BANK_MANAGED_WITHDRAWAL")
      }
      type = known.type
      if known.isWider { note(field, "\(field.text) becomes \(type.name), the nearest type") }
    }
    receiver.append(("paymentType", .string(type.name)))
    guard let field = request[prefix + "paymentSubType"] else { return }
    let spelled = field.text.hasPrefix("SUBTYPE_") ? field.text : "SUBTYPE_" + field.text
    let isService = request[prefix + "paymentType"].map { $0.text == "SERVICE" } ?? true
    if isService, let subType = PaymentSubType.find(spelled) {
      receiver.append(("paymentSubType", .string(subType.name)))
    } else {
      note(field, "is not carried over: a batch has no such subtype here")
    }
  }

  /// The receivers' payment types, PayPal's default if one has none.
  private var types: [String] {
    request.receivers.map { request[PayRequest.name(ofReceiver: $0) + ".paymentType"]?.text ?? "SERVICE" }
  }

  /// Refuses receivers if only some have a type that all or none must have: person to person, and digital goods.
  mutating func checkTypes() {
    let types = types
    guard types.allSatisfy({ Self.types[$0] != nil }),
      let other = types.firstIndex(where: { Self.group($0) != Self.group(types[0]) })
    else { return }
    let special = Self.group(types[0]) == nil ? types[other] : types[0]
    request.fault(
      580023, PayRequest.name(ofReceiver: request.receivers[other]) + ".paymentType",
      "is \(types[other]), and that of receiver(0) is \(types[0]); expected \(special) for all or for none")
  }

  /// The group of types that all receivers must be in together; nil for types that can be mixed.
  private static func group(_ type: String) -> String? {
    switch type {
    case "GOODS", "SERVICE": nil
    case "DIGITALGOODS": type
    default: "PERSONAL"
    }
  }

  /// PayPal's payment types, the types of a batch that they become, and whether those are wider.
  private static let types: [String: (type: PaymentType, isWider: Bool)] = [
    "GOODS": (.goods, false), "SERVICE": (.service, false), "PERSONAL": (.personal, false),
    "DIGITALGOODS": (.goods, true), "CASHADVANCE": (.personal, true), "BANK_MANAGED_WITHDRAWAL": (.personal, true),
  ]
}
