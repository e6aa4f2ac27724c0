import ExactArithmetic
import JSON
import Money

/// The invoice of a PayPal Here request (`here.md`, "Invoice"); values with faults are absent.
struct HereInvoice {
  /// A decimal as the invoice writes it.
  struct Figure {
    let text: [UInt8]
    let value: ExactDecimal
  }

  /// A discount: a percentage or an amount; at most one of them is above zero.
  struct Discount {
    var percent = ExactDecimal.zero
    var amount = ExactDecimal.zero

    var member: String { percent.isZero ? "discountAmount" : "discountPercent" }
  }

  struct Item {
    /// The position in `item`, from 0.
    let index: Int
    /// Name, description and the tax's name.
    var texts: [[UInt8]] = []
    var unitPrice = Figure(text: [], value: .zero)
    var quantity = Figure(text: [], value: .zero)
    var taxRate = ExactDecimal.zero
    var discount = Discount()

    func isSame(as other: Item) -> Bool {
      texts == other.texts && unitPrice.value == other.unitPrice.value && quantity.value == other.quantity.value
        && taxRate == other.taxRate && discount.percent == other.discount.percent
        && discount.amount == other.discount.amount
    }
  }

  private(set) var merchant: [UInt8]?
  private(set) var payer: [UInt8]?
  /// Whether a payer is named, even with an invalid account.
  private(set) var namesPayer = false
  private(set) var currency: Currency?
  private(set) var number: [UInt8]?
  private(set) var isTaxedAfterDiscount = false
  private(set) var includesTax = false
  private(set) var discount = Discount()
  private(set) var shipping = ExactDecimal.zero
  private(set) var shippingTaxRate = ExactDecimal.zero
  private(set) var items: [Item] = []

  /// Reads an invoice.
  ///
  /// - Parameters:
  ///   - merchant: the account of the signed-in merchant, in lower case.
  ///   - values: reads the values and takes their faults.
  init(_ tree: JSONTree, merchant: [UInt8]?, _ values: inout HereValues) {
    values.noteOthers(tree, JSONTree.membersOfInvoice)
    convertParties(tree, merchant, &values)
    if let code = values.text(tree, "currencyCode", isRequired: true) {
      currency = Currency.find(code.span)
      if currency == nil { values.invalid("currencyCode", code, "a currency that settle knows", id: 580027) }
    }
    values.currency = currency
    number = values.text(tree, "number", 25)
    if number?.elementsEqual("12345678".utf8) == true {
      number = nil
      values.fault("number", "is the number that the app treats as missing")
    }
    _ = values.text(tree, "paymentTerms")
    isTaxedAfterDiscount = values.boolean(tree, "taxCalculatedAfterDiscount")
    includesTax = values.boolean(tree, "taxInclusive")
    discount = values.discount(tree)
    shipping = values.amount(tree, "shippingAmount")
    shippingTaxRate = values.percent(tree, "shippingTaxRate")
    for name in ["customAmountValue", "gratuityAmount"] {
      if let figure = values.decimal(tree, name), !figure.value.isZero {
        values.invalid(name, figure.text, "zero, because a batch has no field for it")
      }
    }
    convertItems(tree, &values)
  }

  private mutating func convertParties(_ tree: JSONTree, _ signedIn: [UInt8]?, _ values: inout HereValues) {
    merchant = tree["merchantEmail"] == nil ? signedIn : values.account(tree, "merchantEmail")
    if merchant == nil, tree["merchantEmail"] == nil { values.missing("merchantEmail") }
    if let given = merchant, let signedIn, given != signedIn {
      merchant = nil
      values.fault("merchantEmail", "differs from --merchant, \(String(decoding: signedIn, as: UTF8.self))")
    }
    namesPayer = tree["payerEmail"] != nil
    payer = values.account(tree, "payerEmail")
  }

  private mutating func convertItems(_ tree: JSONTree, _ values: inout HereValues) {
    guard let list = values.given(tree, "itemList", isRequired: true) else { return }
    guard case .object = list else { return values.fault("itemList", "is \(list.kindName); expected an object") }
    values.path += "itemList."
    guard let given = values.given(list, "item", isRequired: true) else { return }
    guard let elements = given.elements else { return values.fault("item", "is \(given.kindName); expected an array") }
    guard !elements.isEmpty else { return values.missing("item") }
    guard elements.count <= 100 else {
      return values.fault("item", "has \(elements.count) items; expected at most 100")
    }
    let path = values.path
    for (index, element) in elements.enumerated() {
      values.path = path
      guard case .object = element else {
        values.fault("item(\(index))", "is \(element.kindName); expected an object")
        continue
      }
      values.path += "item(\(index))."
      values.noteOthers(element, JSONTree.membersOfItem)
      var item = Item(index: index)
      item.texts = [values.text(element, "name", 30, isRequired: true) ?? []]
      item.texts += ["description", "taxName"].map { values.text(element, $0) ?? [] }
      if let price = values.decimal(element, "unitPrice", isRequired: true) { item.unitPrice = price }
      if let quantity = values.decimal(element, "quantity", isRequired: true) {
        item.quantity = quantity
        if quantity.value.isZero { values.fault("quantity", "is zero; expected more") }
      }
      item.taxRate = values.percent(element, "taxRate")
      item.discount = values.discount(element)
      items.append(item)
    }
  }
}

extension JSONTree {
  fileprivate static let membersOfInvoice = [
    "merchantEmail", "payerEmail", "currencyCode", "number", "paymentTerms", "taxCalculatedAfterDiscount",
    "taxInclusive", "discountPercent", "discountAmount", "shippingAmount", "shippingTaxRate", "customAmountValue",
    "gratuityAmount", "itemList",
  ]

  fileprivate static let membersOfItem = [
    "name", "description", "taxName", "unitPrice", "quantity", "taxRate", "discountPercent", "discountAmount",
  ]

  /// The name of a member that occurs twice in the invoice, its list or one of its items, or nil.
  var repeatedMember: String? {
    let items = self["itemList"]?["item"]?.elements ?? []
    return repeatedField(among: Self.membersOfInvoice) ?? self["itemList"]?.repeatedField(among: ["item"])
      ?? items.lazy.compactMap { $0.repeatedField(among: Self.membersOfItem) }.first
  }
}
