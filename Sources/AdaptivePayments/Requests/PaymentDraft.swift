import BatchFile
import Payments
import Settlement

/// The payment that a request becomes, with what could not be carried over, and what is wrong with the request.
///
/// Values that are wrong go into the payment as they are: the engine then judges the rest of it, and its finding on such
/// a field is left out, as the fault is told already, in PayPal's words.
struct PaymentDraft {
  private(set) var request: PayRequest
  private(set) var notes: [RequestNote] = []
  /// What stands in the record, by names of a batch; a receiver's in `receivers`.
  private(set) var fields: [(name: StaticString, value: [UInt8])] = []
  var receivers: [[(name: StaticString, value: [UInt8])]] = []
  /// Whether receivers have payment types that cannot stand together, which is told.
  var hasMixedTypes = false
  /// The field that the sender is taken from.
  private(set) var senderField = PayRequest.Field.senderEmail

  /// - Parameters:
  ///   - payKey: the key where the request has no `trackingId`.
  ///   - payKeyOf: the key that is made of a `trackingId` which cannot be one itself.
  init(_ request: PayRequest, payKey: String, payKeyOf: ([UInt8]) -> String) {
    self.request = request
    takePayKey(payKey, payKeyOf)
    takeStatus()
    takeCurrency()
    takeFeePayer()
    takeSender()
    takeTexts()
    checkReversal()
    for index in request.receivers.indices { takeReceiver(index) }
    checkTypes()
    if request.receivers.isEmpty, !request.hasNestedReceivers { missing("receiverList") }
    noteOthers()
  }

  // MARK: The request's own fields

  private mutating func takePayKey(_ payKey: String, _ payKeyOf: ([UInt8]) -> String) {
    guard let field = request.fields[.trackingId] else { return add("payKey", Array(payKey.utf8)) }
    guard checkLength(field, .trackingId, most: 127) else { return add("payKey", Array(payKey.utf8)) }
    if PayKey.isValid(field.text, count: field.text.count) { return add("payKey", field.text) }
    let derived = payKeyOf(field.text)
    note(.trackingId, "is no pay key, which takes 1 to 64 of A-Z a-z 0-9 . _ -; \(derived) is made of it")
    add("payKey", Array(derived.utf8))
  }

  private mutating func takeStatus() {
    guard let field = request.fields[.actionType] else { return missing(PayRequest.Field.actionType.rawValue) }
    switch field.word {
    case "PAY": add("status", PaymentStatus.completed)
    case "CREATE":
      add("status", PaymentStatus.created)
      note(.actionType, "CREATE: the payment is pending until it is executed")
    case "PAY_PRIMARY":
      add("status", PaymentStatus.other)
      let primaries = request.receivers.count { $0[.primary].flatMap { RequestValues.boolean($0.word) } == true }
      if primaries == 1, request.receivers.count > 1 {
        note(
          .actionType, "PAY_PRIMARY: the payment is held; a batch cannot settle a primary receiver before the others")
      } else {
        request.fault(
          580023, "actionType", "is PAY_PRIMARY, which takes a primary receiver and others", line: field.line)
      }
    default:
      add("status", field.text)
      invalid(.actionType, "PAY, CREATE or PAY_PRIMARY")
    }
  }

  private mutating func takeCurrency() {
    guard let field = request.fields[.currencyCode] else { return missing(PayRequest.Field.currencyCode.rawValue) }
    add("paymentCurrency", field.trimmed)
  }

  private mutating func takeFeePayer() {
    guard let field = request.fields[.feesPayer] else { return }
    guard let payer = FeePayer.find("FEEPAYER_" + field.word) else {
      add("feePayer", field.text)
      return invalid(.feesPayer, "SENDER, PRIMARYRECEIVER, EACHRECEIVER or SECONDARYONLY")
    }
    add("feePayer", payer)
  }

  private mutating func takeSender() {
    let email = request.fields[.senderEmail]
    let identifier = request.fields[.senderIdentifier]
    if let email, let identifier, email.word.lowercased() != identifier.word.lowercased() {
      request.fault(580022, "sender.email", "is another address than senderEmail", line: identifier.line)
    }
    let code = request.fields[.senderCountryCode]
    let number = request.fields[.senderPhoneNumber]
    if let field = email ?? identifier {
      senderField = email == nil ? .senderIdentifier : .senderEmail
      checkLength(field, senderField, most: 127)
      add("sender", field.trimmed)
      if (code ?? number ?? request.fields[.senderPhone]) != nil {
        note("sender.phone", "is not carried over: the sender is named by the email address", line: request.line)
      }
    } else if code != nil || number != nil {
      senderField = .senderPhoneNumber
      if let account = phone(code, number, named: "sender.phone") { add("sender", account) }
    } else if let field = request.fields[.senderPhone] {
      senderField = .senderPhone
      if let account = phone(whole: field, named: "sender.phone") { add("sender", account) }
    } else if let key = request.fields[.preapprovalKey], !namesSenderOtherwise {
      // PayPal's guide has both: the error, and a list of what such a request takes (page 75) without the sender.
      note("senderEmail", "is missing; PayPal may refuse a preapproved request without it, with 579010", line: key.line)
    }
    if let key = request.fields[.preapprovalKey] { note("preapprovalKey", Self.noPlace, line: key.line) }
  }

  /// Whether the sender is named in a way that a batch has no place for: by credentials or an account's number.
  private var namesSenderOtherwise: Bool { request.others.contains { $0.name.parts.first == .name("sender") } }

  private mutating func takeTexts() {
    if let field = request.fields[.memo] {
      if checkLength(field, .memo, most: 1000) { add("memo", masked(field, "memo")) }
    }
    guard let field = request.fields[.ipnNotificationUrl] else { return }
    guard checkLength(field, .ipnNotificationUrl, most: NotificationURL.maximumLength) else { return }
    let address = field.trimmed
    if NotificationURL.isValid(address, count: address.count) { return add("ipnUrl", address) }
    let scheme = String(decoding: address.prefix(8), as: UTF8.self).lowercased()
    guard ["http://", "https://"].contains(where: { scheme.hasPrefix($0) && address.count > $0.utf8.count }) else {
      return invalid(.ipnNotificationUrl, "an http or https address")
    }
    note(.ipnNotificationUrl, "is not carried over: it is no http or https address that a batch takes")
  }

  private mutating func checkReversal() {
    guard let field = request.fields[.reverseAllParallelPaymentsOnError] else { return }
    if RequestValues.boolean(field.word) == nil {
      invalid(.reverseAllParallelPaymentsOnError, "true or false")
    } else {
      note(.reverseAllParallelPaymentsOnError, RequestNote.reversal)
    }
  }

  // MARK: What is told

  /// What is wrong with the request.
  var faults: [RequestFault] { request.faults }

  /// Whether something is wrong with a field; with a party, whichever of its fields names it.
  func hasFault(at field: String) -> Bool {
    if field == "receiverList", request.hasNestedReceivers { return true }
    let party = Self.party(field)
    return request.faults.contains { $0.field == field || party != nil && Self.party($0.field) == party }
  }

  /// The receiver or sender that a field names, or nil for other fields.
  private static func party(_ field: String) -> Substring? {
    if field == PayRequest.Field.senderEmail.rawValue { return "sender" }
    for ending in [".email", ".phone", ".phone.countryCode", ".phone.phoneNumber"] where field.hasSuffix(ending) {
      return field.dropLast(ending.count)
    }
    return nil
  }

  /// Adds what is wrong with a field of the request.
  mutating func fault(_ payPalErrorID: Int, _ field: String, _ reason: String) {
    request.fault(payPalErrorID, field, reason, line: line(of: field))
  }

  /// Adds what became of a field of the request.
  mutating func note(_ field: String, _ reason: String) { note(field, reason, line: line(of: field)) }

  /// The payment's key.
  var payKey: [UInt8]? { fields.first { $0.name.description == "payKey" }?.value }

  // MARK: Shared by both

  mutating func phone(_ code: RequestField?, _ number: RequestField?, named name: String) -> [UInt8]? {
    guard let code else {
      missing(name + ".countryCode")
      return nil
    }
    guard let number else {
      missing(name + ".phoneNumber")
      return nil
    }
    guard let phone = RequestValues.phone(countryCode: code.trimmed, number: number.trimmed) else {
      request.fault(580022, name + ".phoneNumber", "is no phone number; expected digits", line: number.line)
      return nil
    }
    if phone.droppedZero {
      note(name + ".phoneNumber", "begins with the 0 of calls within a country, which is left out", line: number.line)
    }
    return phone.account
  }

  mutating func phone(whole field: RequestField, named name: String) -> [UInt8]? {
    if let account = RequestValues.phone(whole: field.trimmed) { return account }
    request.fault(
      580022, name, "is \(Self.quoted(field)); expected +, the country code and the number", line: field.line)
    return nil
  }

  mutating func masked(_ field: RequestField, _ name: String) -> [UInt8] {
    let plain = field.text.map { $0 < 0x20 && $0 != 0x0A ? 0x20 : $0 }
    if plain != field.text { note(name, "holds control characters, which are spaces in the batch", line: field.line) }
    var text = plain
    if CardNumberMask().apply(to: &text) { note(name, "holds a card number, which is masked", line: field.line) }
    return text
  }

  @discardableResult
  private mutating func checkLength(_ field: RequestField, _ name: PayRequest.Field, most: Int) -> Bool {
    checkLength(field, name.rawValue, most: most)
  }

  /// Whether a text is no longer than it may be; where it is, that is told.
  @discardableResult
  mutating func checkLength(_ field: RequestField, _ name: String, most: Int) -> Bool {
    let length = field.length
    guard length > most else { return true }
    request.fault(580022, name, "has \(length) characters; expected at most \(most)", line: field.line)
    return false
  }

  mutating func missing(_ name: String, _ expected: String = "it is required") {
    request.fault(580029, name, "is missing; \(expected)")
  }

  private mutating func invalid(_ name: PayRequest.Field, _ expected: String) {
    guard let field = request.fields[name] else { return }
    request.fault(580022, name.rawValue, "is \(Self.quoted(field)); expected \(expected)", line: field.line)
  }

  mutating func invalid(_ field: RequestField, _ name: String, _ index: Int, _ expected: String) {
    request.fault(
      580022, "\(PayRequest.name(ofReceiver: index)).\(name)", "is \(Self.quoted(field)); expected \(expected)",
      line: field.line)
  }

  private static func quoted(_ field: RequestField) -> String {
    var text = TextBuffer()
    text.append("\"")
    field.text.withUnsafeBufferPointer { bytes in
      if let start = bytes.baseAddress { MessageText.append(start, count: bytes.count, to: &text) }
    }
    text.append("\"")
    return text.string
  }

  private mutating func add(_ name: StaticString, _ value: [UInt8]) { fields.append((name, value)) }

  private mutating func add(_ name: StaticString, _ value: some Spelled) { add(name, Array(value.name.utf8)) }

  mutating func addToReceiver(_ name: StaticString, _ value: [UInt8]) {
    receivers[receivers.count - 1].append((name, value))
  }

  private mutating func note(_ name: PayRequest.Field, _ reason: String) {
    note(name.rawValue, reason, line: request.fields[name]?.line ?? request.line)
  }

  mutating func note(_ field: String, _ reason: String, line: Int) {
    notes.append(RequestNote(line: line, field: field, reason: reason))
  }

  private static let noPlace = "is not carried over: a batch has no place for it"

  private mutating func noteOthers() {
    for field in request.others {
      let reason = field.name.parts.first.flatMap { part -> String? in
        guard case .name(let name) = part else { return nil }
        return RequestNote.reasons[name]
      }
      note(
        field.name.shown, reason ?? "is not carried over: no field of a Pay request that settle knows",
        line: field.line)
    }
  }
}
