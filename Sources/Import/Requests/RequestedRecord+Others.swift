import JSON
import Records

/// Requests that are not payments: refunds, and making, confirming and canceling agreements.
extension RequestedRecord {
  /// Takes a `Refund`: of the amounts of the receivers that it names, or, without receivers, of everything.
  mutating func convertRefund() {
    fields += [("type", .string("refund")), ("refundKey", .string(key))]
    let tracked = convertTrackingID()
    if let field = request["payKey"] {
      fields.append(("payKey", .string(field.text)))
      if let field = request["trackingId"] { note(field, "is not carried over: payKey names the payment") }
    } else if let tracked {
      fields.append(("payKey", .string(tracked)))
    } else if request["trackingId"] == nil {
      missing("payKey", "a refund names the payment by payKey or trackingId")
    }
    convertTime()
    let currency = request.receivers.isEmpty ? request["currencyCode"] : required("currencyCode")
    if let currency { fields.append(("currencyCode", .string(currency.text))) }
    for index in request.receivers {
      let prefix = PayRequest.name(ofReceiver: index) + "."
      var receiver = convertRecipient(prefix)
      if let amount = convertAmount(prefix) { receiver.append(("amount", amount)) }
      receivers.append(receiver)
    }
    if !receivers.isEmpty { fields.append(("receivers", .array(receivers.map { .object($0) }))) }
  }

  /// Takes a `Preapproval`: a new agreement with its terms. Its key is derived, because PayPal gives one only in its
  /// answer.
  mutating func convertAgreement() {
    request.note(
      "preapprovalKey",
      "is \(key), derived from the request: PayPal's own key, which other requests use, is only in its answer")
    fields += [("type", .string("preapproval")), ("preapprovalKey", .string(key)), ("action", .string("CREATE"))]
    convertTime()
    checkTime(at: "startingDate")
    if let field = request["senderEmail"], checkLength(field, most: 127) {
      fields.append(("senderEmail", .string(field.text)))
    }
    convertNotificationURL()
    for term in PayRequest.terms {
      guard let field = request["\(term.name)"] else { continue }
      fields.append((field.name.text, convertTerm(field, term.shape)))
    }
  }

  private mutating func convertTerm(_ field: RequestField, _ shape: FieldDefinition.Shape) -> JSONTree {
    switch shape {
    case .decimal: return amount(field)
    case .count:
      if let count = Int(field.text) { return .number(count) }
      invalid(field, "a whole number")
    case _ where field.text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T[0-9:.]+)?/) != nil:
      note(field, "has no time zone; it is taken as UTC")
      return .string(field.text + "Z")
    default: break
    }
    return .string(field.text)
  }

  /// Takes a `ConfirmPreapproval` or a `CancelPreapproval`.
  mutating func convertPreapproval(_ action: String) {
    fields.append(("type", .string("preapproval")))
    if let field = required("preapprovalKey") { fields.append(("preapprovalKey", .string(field.text))) }
    fields.append(("action", .string(action)))
    convertTime()
    checkTime()
  }

  /// The record's time, if one is given for the import.
  mutating func convertTime() {
    if let createdAt { fields.append(("createdAt", .string(createdAt))) }
  }

  /// Adds a fault if a record or payment of an agreement has no time. Requests do not say when they were made.
  ///
  /// - Parameter field: the field whose presence makes it one.
  mutating func checkTime(at field: String = "preapprovalKey") {
    guard createdAt == nil, request[field] != nil else { return }
    request.fault(580029, field, "needs the time at which the request was made; expected --created-at")
  }
}
