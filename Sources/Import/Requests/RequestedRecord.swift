import JSON
import Records
import Text

/// The record that a request becomes, the request's faults, and notes on what is not carried over.
///
/// Wrong values go into the record unchanged, so that the engine can judge the rest. Its findings on such fields are
/// left out, because the fault was already reported in PayPal's words.
struct RequestedRecord {
  /// Fields of a record, in order.
  typealias Fields = [(String, JSONTree)]

  var request: PayRequest
  /// The fields of the record, with a batch's names.
  var fields: Fields = []
  var receivers: [Fields] = []
  /// The key of the new payment, refund or agreement.
  private(set) var key = ""
  /// When the requests were made, in the form of a record; nil if it was not given.
  let createdAt: String?

  /// - Parameter keys: derives the record's key if its request names none.
  init(_ given: PayRequest, createdAt: String?, _ keys: inout RequestKeys) {
    request = given
    self.createdAt = createdAt
    request.sortFields()
    switch request.operation {
    case "Refund":
      key = keys.next(for: request)
      convertRefund()
    case "Preapproval":
      key = keys.next(for: request)
      convertAgreement()
    case "ConfirmPreapproval": convertPreapproval("CONFIRM")
    case "CancelPreapproval": convertPreapproval("CANCEL")
    default:
      key = convertTrackingID() ?? keys.next(for: request)
      convertPayment()
    }
    noteOthers()
  }

  private mutating func convertPayment() {
    fields.append(("payKey", .string(key)))
    convertStatus()
    convertTime()
    if let field = required("currencyCode") { fields.append(("paymentCurrency", .string(field.text))) }
    convertFeePayer()
    convertSender()
    convertTexts()
    checkReversal()
    for index in request.receivers { convertReceiver(PayRequest.name(ofReceiver: index) + ".") }
    checkTypes()
    if request.receivers.isEmpty { missing("receiverList") }
    fields.append(("receiverPaymentDetails", .array(receivers.map { .object($0) })))
  }

  // MARK: The request's own fields

  /// The pay key for the `trackingId`; nil without one, or if it has a fault, which is reported.
  mutating func convertTrackingID() -> String? {
    guard let field = request["trackingId"], checkLength(field, most: 127) else { return nil }
    if CardNumberMask.hasGroupedNumber(field.text.utf8) {
      invalid(field, "an id that is not a card number")
      return nil
    }
    if PayKey.isValid(Array(field.text.utf8).span) { return field.text }
    let derived = RequestKeys.payKey(for: field.text)
    note(field, "is not a valid pay key (1 to 64 of A-Z a-z 0-9 . _ -) and becomes \(derived)\(field.hint)")
    return derived
  }

  private mutating func convertStatus() {
    guard let field = required("actionType") else { return }
    var status = field.text
    switch field.text {
    case "PAY": status = PaymentStatus.completed.name
    case "CREATE":
      status = PaymentStatus.created.name
      note(field, "CREATE: the payment is pending until it is executed")
    case "PAY_PRIMARY":
      status = PaymentStatus.other.name
      let primaries = request.receivers.count { index in
        request[PayRequest.name(ofReceiver: index) + ".primary"].flatMap { RequestValues.boolean($0.text) } == true
      }
      if primaries == 1, request.receivers.count > 1 {
        note(field, "PAY_PRIMARY: the payment is held; a batch cannot settle a primary receiver before the others")
      } else {
        request.fault(580023, "actionType", "is PAY_PRIMARY, which needs a primary receiver and others")
      }
    default: invalid(field, "PAY, CREATE or PAY_PRIMARY")
    }
    fields.append(("status", .string(status)))
  }

  private mutating func convertFeePayer() {
    guard let field = request["feesPayer"] else { return }
    let payer = FeePayer.find("FEEPAYER_" + field.text)
    if payer == nil { invalid(field, "SENDER, PRIMARYRECEIVER, EACHRECEIVER or SECONDARYONLY") }
    fields.append(("feePayer", .string(payer?.name ?? field.text)))
  }

  private mutating func convertSender() {
    let (email, identifier) = (request["senderEmail"], request["sender.email"])
    if let email, let identifier, email.text.lowercased() != identifier.text.lowercased() {
      request.fault(580022, "sender.email", "differs from senderEmail")
    }
    if let account = account("the sender", email: email ?? identifier, phone: "sender.phone") {
      fields.append(("sender", .string(account)))
    }
    guard let key = request["preapprovalKey"] else { return }
    fields.append(("preapprovalKey", .string(key.text)))
    checkTime()
  }

  private mutating func convertTexts() {
    if let field = request["memo"] { fields.append(("memo", .string(masked(field)))) }
    convertNotificationURL()
  }

  /// Takes the URL for notifications as it is.
  mutating func convertNotificationURL() {
    if let field = request["ipnNotificationUrl"] { fields.append(("ipnUrl", .string(field.text))) }
  }

  private mutating func checkReversal() {
    guard let field = request["reverseAllParallelPaymentsOnError"] else { return }
    guard RequestValues.boolean(field.text) != nil else { return invalid(field, "true or false") }
    note(field, RequestFinding.reversal)
  }

  private mutating func noteOthers() {
    for field in request.others {
      let name = field.name.text.prefix { $0 != "." && $0 != "(" }
      if name == "payKey", request.operation == "Pay" {
        request.fault(580022, "payKey", "names an existing payment; a Pay request makes a new one", line: field.line)
        continue
      }
      if let meant = request.fieldMeant(by: field) {
        request.fault(
          580022, field.name.shown, "a \(request.operation) request has no such field; did you mean \(meant)?",
          line: field.line)
        continue
      }
      note(
        field,
        RequestFinding.reasons[String(name)]
          ?? "is not carried over: settle knows no such field of a \(request.operation) request")
    }
  }

  // MARK: Shared with receivers

  /// The account of a sender or receiver: its email address, or its phone number.
  ///
  /// - Returns: nil if there is none, or if it has a fault, which is reported.
  mutating func account(_ party: String, email: RequestField?, phone: String) -> String? {
    if let field = email {
      checkLength(field, most: 127)
      if hasPhone(phone) {
        request.note(phone, "is not carried over: \(party) is named by the email address", line: field.line)
      }
      return field.text
    }
    guard hasPhone(phone), let code = required(phone + ".countryCode"), let number = required(phone + ".phoneNumber")
    else { return nil }
    guard let digits = RequestValues.countryCode(code.text) else {
      refuse(code, "expected a country code like 49", id: 589039)
      return nil
    }
    // Without its + a foreign number looks like a domestic one.
    let account = number.plus == .first ? nil : RequestValues.phone(digits, number.text)
    if account == nil {
      refuse(
        number, "write the number with +, as it is dialed from abroad: +\(digits) and only digits, 7 to 15 in total",
        id: 589039)
    }
    return account
  }

  /// Whether a party has any part of a phone number.
  func hasPhone(_ name: String) -> Bool { request[name + ".countryCode"] ?? request[name + ".phoneNumber"] != nil }

  /// The text with spaces for control characters and with card numbers masked. Both are noted.
  mutating func masked(_ field: RequestField) -> String {
    var bytes = field.text.utf8.map { $0 < 0x20 && $0 != 0x0A ? 0x20 : $0 }
    if !bytes.elementsEqual(field.text.utf8) {
      note(field, "contains control characters, which become spaces in the batch")
    }
    if CardNumberMask.apply(to: &bytes) {
      note(field, "contains a card number, which is masked")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a text is short enough; if not, that is reported.
  @discardableResult
  mutating func checkLength(_ field: RequestField, most: Int) -> Bool {
    let length = field.text.unicodeScalars.count
    guard length > most else { return true }
    request.fault(580022, field.name.text, "has \(length) characters; expected at most \(most)")
    return false
  }

  // MARK: Findings

  /// The field of this name; if it is missing, that is reported.
  mutating func required(_ name: String) -> RequestField? {
    if request[name] == nil { missing(name) }
    return request[name]
  }

  mutating func missing(_ name: String, _ expected: String = "it is required") {
    request.fault(580029, name, "is missing; \(expected)")
  }

  mutating func invalid(_ field: RequestField, _ expected: String) { refuse(field, "expected \(expected)") }

  mutating func refuse(_ field: RequestField, _ advice: String, id: Int = 580022) {
    request.fault(id, field.name.text, "is \"\(MessageText.text(field.text.utf8))\"; \(advice)\(field.hint)")
  }

  mutating func note(_ field: RequestField, _ reason: String) {
    request.note(field.name.shown, reason, line: field.line)
  }
}
