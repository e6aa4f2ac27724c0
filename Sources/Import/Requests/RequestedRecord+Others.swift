import JSON

/// Requests that make no payment: refunds, and what becomes of preapprovals.
extension RequestedRecord {
  /// Takes a `Refund`: from the receivers it names their amounts, without receivers everything.
  mutating func takeRefund(_ payKeyOf: (String) -> String) {
    fields += [("type", .string("refund")), ("refundKey", .string(key))]
    let tracked = takeTrackingID(payKeyOf)
    if let field = request["payKey"] {
      fields.append(("payKey", .string(field.trimmed)))
      if let field = request["trackingId"] { note(field, "is not carried over: payKey names the payment") }
    } else if let tracked {
      fields.append(("payKey", .string(tracked)))
    } else if request["trackingId"] == nil {
      missing("payKey", "a refund names the payment by payKey or trackingId")
    }
    takeTime()
    let currency = request.receivers.isEmpty ? request["currencyCode"] : required("currencyCode")
    if let currency { fields.append(("currencyCode", .string(currency.trimmed))) }
    for index in request.receivers {
      let prefix = PayRequest.name(ofReceiver: index) + "."
      var receiver = takeRecipient(prefix)
      if let amount = takeAmount(prefix) { receiver.append(("amount", amount)) }
      receivers.append(receiver)
    }
    if !receivers.isEmpty { fields.append(("receivers", .array(receivers.map { .object($0) }))) }
  }

  /// Takes a `ConfirmPreapproval` or a `CancelPreapproval`.
  mutating func takePreapproval(_ action: String) {
    fields.append(("type", .string("preapproval")))
    if let field = required("preapprovalKey") { fields.append(("preapprovalKey", .string(field.trimmed))) }
    fields.append(("action", .string(action)))
    takeTime()
    checkTime()
  }

  /// The record's time, where one is given for the import.
  mutating func takeTime() {
    if let createdAt { fields.append(("createdAt", .string(createdAt))) }
  }

  /// Tells where an agreement's record or payment has no time: no request says when it was made.
  mutating func checkTime() {
    guard createdAt == nil, request["preapprovalKey"] != nil else { return }
    request.fault(580029, "preapprovalKey", "needs the time at which the request was made; expected --created-at")
  }
}
