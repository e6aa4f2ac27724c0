import Digests
import ExactArithmetic
import JSON
import Records
import Text

/// The payment that a PayPal Here request becomes, or the request's faults (`here.md`).
struct HerePayment {
  /// How the buyer paid, according to the app.
  private enum Method {
    case unpaid
    case paid(PaymentStatus, FundingSource? = nil, CardEntry? = nil)
  }

  private let request: HereRequest
  private let invoice: HereInvoice?
  private let amounts: HereAmounts?
  private let tip: ExactDecimal?
  private var sender: [UInt8]?
  private var method = Method.paid(.created)
  /// The faults of the request, in the order of `here.md`.
  private(set) var faults: [HereFault] = []
  /// Notes about the request: a field and a reason.
  private(set) var notes: [(field: String, reason: String)] = []

  /// - Parameters:
  ///   - merchant: the account of the signed-in merchant, in lower case.
  ///   - tip: what the buyer gave in addition to the total; if nil, the tip of the response is used.
  init(_ request: HereRequest, merchant: [UInt8]?, tip given: [UInt8]? = nil) {
    self.request = request
    var values = HereValues()
    let phone = Self.checkFields(request, &values)
    var ofInvoice = HereValues(path: "invoice.")
    invoice = request.invoice.map { HereInvoice($0, merchant: merchant, &ofInvoice) }
    var ofTip = HereValues(path: "response.", currency: invoice?.currency)
    tip = (given ?? request.response?[.tip]).flatMap { ofTip.amount($0, HereValue.tip.rawValue) }
    var ofAmounts = HereValues()
    if let invoice, let currency = invoice.currency, ofInvoice.faults.isEmpty, ofTip.faults.isEmpty {
      amounts = HereAmounts(invoice, currency, tip: tip ?? .zero(at: -currency.settlementExponent), &ofAmounts)
    } else {
      amounts = nil
    }
    faults = values.faults + ofInvoice.faults + ofAmounts.faults
    readMethod()
    faults += ofTip.faults
    let email = readResponse()
    checkParties(email: email, phone: phone)
    noteOthers(ofInvoice)
    if !isPayment { faults = [] }
  }

  /// The invoice's number, if it has one.
  var number: [UInt8]? { invoice?.number }

  /// Whether money was paid through PayPal, or is still to be paid.
  var isPayment: Bool {
    if case .unpaid = method { false } else { true }
  }

  // MARK: Checks

  /// Checks the URL's own fields, and returns the phone number as an account.
  private static func checkFields(_ request: HereRequest, _ values: inout HereValues) -> [UInt8]? {
    let fields = request.fields
    let words = ["cash", "card", "invoice", "check", "paypal"]
    let accepted = fields[.accepted] ?? []
    let given = accepted.split(separator: UInt8(ascii: ",")).map { String(decoding: $0, as: UTF8.self) }
    if !Set(given).isSubset(of: words) {
      values.invalid("accepted", accepted, "words from \(words.joined(separator: ", "))")
    }
    if let url = fields[.returnUrl] {
      let scheme = url.prefix { $0.isAlphanumeric || "+._-".utf8.contains($0) }
      if scheme.first?.isLetter != true || url.dropFirst(scheme.count).first != UInt8(ascii: ":") {
        values.invalid("returnUrl", url, "an address that begins with a scheme like myapp:")
      }
    }
    if let form = fields[.as], !form.elementsEqual("b64".utf8) { values.invalid("as", form, "b64") }
    if let step = fields[.step], !step.elementsEqual("choosePayment".utf8) {
      values.invalid("step", step, "choosePayment")
    }
    var phone: [UInt8]?
    if let written = fields[.payerPhone] {
      let digits = written.filter { !" .-()".utf8.contains($0) }
      let isShort = digits.count == 10 && UInt8(ascii: "2")...UInt8(ascii: "9") ~= digits[0]
      phone = Account.canonical(isShort ? "+1".utf8 + digits : digits)
      if phone?.first != UInt8(ascii: "+") {
        phone = nil
        values.invalid("payerPhone", written, "a phone number like +14155551212 or 415 555 1212")
      }
    }
    if fields[.invoice] == nil { values.missing("invoice") }
    return phone
  }

  private mutating func readMethod() {
    guard let response = request.response else { return }
    guard let type = response[.type] else {
      return faults.append(HereFault(id: 580029, field: "response.Type", reason: "is missing; it is required"))
    }
    switch String(decoding: type.map(\.lowercased), as: UTF8.self) {
    case "swipe", "chip", "emv_swipe", "chipcard": method = .paid(.completed, .card, .swiped)
    case "key", "scan": method = .paid(.completed, .card, .keyed)
    case "card", "creditcard", "debitcard": method = .paid(.completed, .card)
    case "paypal": method = .paid(.completed)
    case "invoice": method = .paid(.created)
    case "unknown", "cancel", "cash", "check":
      method = .unpaid
      notes.append(
        ("response.Type", "is \(MessageText.text(type)): no money passed through PayPal, so no payment is made"))
    default:
      method = .paid(.other)
      notes.append(("response.Type", "is \(MessageText.text(type)), which settle does not know: the payment is held"))
    }
  }

  /// Checks the response except type and tip, and returns the buyer's account.
  private mutating func readResponse() -> [UInt8]? {
    var values = HereValues(path: "response.", currency: invoice?.currency)
    defer { faults += values.faults }
    guard let response = request.response else { return nil }
    if let id = response[.invoiceID] {
      let count = UTF8Text.scalarCount(id.span)
      if count > 255 { values.fault(HereValue.invoiceID.rawValue, "has \(count) characters; expected at most 255") }
    }
    let email = response[.email].flatMap { values.account($0, HereValue.email.rawValue) }
    if let said = response[.number], let number, said != number {
      values.invalid(HereValue.number.rawValue, said, "the invoice's number, \(MessageText.text(number))")
    }
    if let text = response[.grandTotal], let said = values.amount(text, HereValue.grandTotal.rawValue), let amounts,
      said != amounts.total
    {
      values.fault(
        HereValue.grandTotal.rawValue,
        "is \(said), but the invoice's total is \(amounts.total): the order was changed in the app in an unknown way")
    }
    return email
  }

  private mutating func checkParties(email: [UInt8]?, phone: [UInt8]?) {
    let field: String
    if request.response?[.email] != nil {
      (sender, field) = (email, "response.Email")
    } else if invoice?.namesPayer ?? true {
      (sender, field) = (invoice?.payer, "invoice.payerEmail")
    } else {
      (sender, field) = (phone, HereRequest.Field.payerPhone.rawValue)
    }
    if let sender, sender == invoice?.merchant {
      faults.append(HereFault(id: 579033, field: field, reason: "names the merchant, who cannot pay"))
    }
  }

  private mutating func noteOthers(_ values: HereValues) {
    for name in request.others + values.others {
      notes.append((name, "is not carried over: settle does not know this field"))
    }
    guard let invoice, let amounts, amounts.items.count < invoice.items.count else { return }
    let ignored = invoice.items.filter { item in !amounts.items.contains { $0.item.index == item.index } }
    for item in ignored {
      notes.append(
        ("invoice.itemList.item(\(item.index))", "is the same as an earlier one and ignored; give a quantity"))
    }
  }

  // MARK: What becomes of it

  /// The payment's record.
  ///
  /// - Parameter key: the record's pay key: `payKey`, or without a number a derived one.
  /// - Precondition: the request has no faults and is a payment.
  func record(key: String) -> JSONTree {
    guard let invoice, let amounts, let recipient = invoice.merchant, let currency = invoice.currency,
      case .paid(let status, let source, let entry) = method
    else { preconditionFailure("a request with faults is not a payment") }
    var fields: [(String, JSONTree)] = [
      ("payKey", .string(key)), ("status", .string(status.name)), ("paymentCurrency", .string(currency.code)),
    ]
    if let sender { fields.append(("sender", .string(sender))) }
    if let source { fields.append(("fundingSource", .string(source.name))) }
    if let entry { fields.append(("card", ["entry": .string(entry.name)])) }
    var receiver: [(String, JSONTree)] = [
      ("recipient", .string(recipient)), ("subtotal", .string("\(amounts.subtotal)")),
      (
        "invoiceData",
        [
          "totalTax": .string("\(amounts.tax)"), "totalShipping": .string("\(amounts.shipping)"),
          "invoiceItems": .array(items(amounts)),
        ]
      ),
    ]
    if let id = request.response?[.invoiceID] { receiver.append(("description", .string(id))) }
    if let number { receiver.append(("customId", .string(number))) }
    return .object(fields + [("receiverPaymentDetails", .array([.object(receiver)]))])
  }

  private func items(_ amounts: HereAmounts) -> [JSONTree] {
    var items: [JSONTree] = amounts.items.map { line in
      [
        "name": .string(line.item.texts[0]), "itemPrice": .string(line.item.unitPrice.text),
        "itemCount": .string(line.item.quantity.text), "totalPrice": .string("\(line.total)"),
      ]
    }
    if let tip, !tip.isZero {
      items.append([
        "name": .string("Tip"), "itemPrice": .string("\(tip)"), "itemCount": .string("1"),
        "totalPrice": .string("\(tip)"),
      ])
    }
    return items
  }

  /// The pay key derived from recipient and number; nil without a number.
  var payKey: String? {
    guard let number, let merchant = invoice?.merchant else { return nil }
    return "here-" + SHA256.digest(of: merchant + "\n".utf8 + number).hexadecimal.prefix(32)
  }

  /// The URL that the app calls back; nil if the request asks for none.
  ///
  /// - Parameter told: the response's values except number and total; nil if the payment was cancelled.
  func responseURL(_ told: [HereValue: [UInt8]]?) -> [UInt8]? {
    var values = told
    values?[.number] = number
    values?[.grandTotal] = amounts.map { Array("\($0.total)".utf8) }
    return request.fields[.returnUrl].map { HereValue.responseURL($0, values) }
  }
}
