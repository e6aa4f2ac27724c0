import JSON

extension RequestedRecord {
  /// The record of a batch; a payment is always in the advanced shape.
  var record: JSONTree { .object(fields) }

  // MARK: The engine's findings

  /// The request's field from which a field of the record was made.
  ///
  /// - Parameter pointer: a JSON Pointer into the record, from one of the engine's findings.
  func requestField(for pointer: String) -> String {
    let parts = pointer.split(separator: "/").map(String.init)
    switch parts.first {
    case nil: return ""
    case "payKey":
      return firstGiven(["payKey", "trackingId"]) ?? (request.operation == "Pay" ? "trackingId" : "payKey")
    case "status": return "actionType"
    case "paymentCurrency": return "currencyCode"
    case "createdAt": return request.operation == "Preapproval" ? "startingDate" : "preapprovalKey"
    case "feePayer": return "feesPayer"
    case "ipnUrl": return "ipnNotificationUrl"
    case "receiverPaymentDetails", "receivers": break
    case "sender", "senderEmail":
      return firstGiven(["senderEmail", "sender.email", "sender.phone.phoneNumber"]) ?? "senderEmail"
    case let name?: return name
    }
    guard parts.count > 1, let index = Int(parts[1]) else { return "receiverList" }
    let name = PayRequest.name(ofReceiver: request.receivers[index])
    guard parts.count > 2 else { return name }
    switch parts[2] {
    case "subtotal", "amount": return name + ".amount"
    case "isPrimary": return name + ".primary"
    case "customId": return name + ".invoiceId"
    case "paymentType", "paymentSubType": return name + "." + parts[2]
    default: return firstGiven([".email", ".phone.phoneNumber"].map { name + $0 }) ?? name + ".email"
    }
  }

  private func firstGiven(_ names: [String]) -> String? { names.first { request[$0] != nil } }

  /// Whether a field has a fault; for a field that names a party, whether any field of that party has one.
  func hasFault(at field: String) -> Bool {
    let party = Self.party(field)
    return request.faults.contains { $0.field == field || party != nil && Self.party($0.field) == party }
  }

  /// The receiver or sender that a field names; nil for other fields.
  private static func party(_ field: String) -> Substring? {
    if field == "senderEmail" { return "sender" }
    for ending in [".email", ".phone.countryCode", ".phone.phoneNumber"] where field.hasSuffix(ending) {
      return field.dropLast(ending.count)
    }
    return nil
  }

  /// The engine's message without the record's name for the field, and without prefixes that only a batch has.
  func requestMessage(_ message: String, named pointer: String) -> String {
    let name = pointer.split(separator: "/").last.map(String.init) ?? ""
    guard message.hasPrefix(name + " is ") else { return message }
    let value = message.dropFirst(name.count + 4)
    let words = ["feePayer": "FEEPAYER_", "paymentType": "TYPE_"][name] ?? ""
    return "is " + (value.hasPrefix(words) ? value.dropFirst(words.count) : value)
  }
}
