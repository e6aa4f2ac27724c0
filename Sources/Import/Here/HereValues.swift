import ExactArithmetic
import JSON
import Money
import Records
import Text

/// Reads the values of a PayPal Here request one by one, and keeps their faults.
struct HereValues {
  /// The faults, one per field.
  private(set) var faults: [HereFault] = []
  /// The fields that are not read because they are unknown.
  private(set) var others: [String] = []
  /// The prefix of a field's name.
  var path = ""
  /// The invoice's currency. If it is unknown, so is the number of decimals that an amount may have.
  var currency: Currency?

  /// Adds a fault of a field.
  mutating func fault(_ name: String, _ reason: String, id: Int = 580022) {
    faults.append(HereFault(id: id, field: path + name, reason: reason))
  }

  /// Adds the fault that a field has a wrong value.
  mutating func invalid(_ name: String, _ text: [UInt8], _ expected: String, id: Int = 580022) {
    fault(name, "is \"\(MessageText.text(text))\"; expected \(expected)", id: id)
  }

  /// Adds the fault that a field is missing.
  mutating func missing(_ name: String) { fault(name, "is missing; it is required", id: 580029) }

  /// Keeps the names of an object's unknown members.
  mutating func noteOthers(_ tree: JSONTree, _ members: [String]) {
    for (name, _) in tree.fields ?? [] where !members.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
      others.append(path + MessageText.text(name.utf8))
    }
  }

  // MARK: Members

  /// A member's value; nil if it is absent, `null` or empty.
  mutating func given(_ tree: JSONTree, _ name: String, isRequired: Bool = false) -> JSONTree? {
    guard let value = tree[name] else {
      if isRequired { missing(name) }
      return nil
    }
    switch value {
    case .null: fault(name, "is null; expected a value, or no \(name)")
    case .string(let text) where text.isEmpty: fault(name, "is empty; expected a value, or no \(name)")
    default: return value
    }
    return nil
  }

  /// A string of at most `most` characters.
  mutating func text(_ tree: JSONTree, _ name: String, _ most: Int = .max, isRequired: Bool = false) -> [UInt8]? {
    guard let value = given(tree, name, isRequired: isRequired) else { return nil }
    guard case .string(let text) = value else {
      fault(name, "is \(value.kindName); expected a string")
      return nil
    }
    let count = UTF8Text.scalarCount(text.span)
    guard count <= most else {
      fault(name, "has \(count) characters; expected at most \(most)")
      return nil
    }
    return text
  }

  /// An account in lower case.
  mutating func account(_ tree: JSONTree, _ name: String) -> [UInt8]? {
    text(tree, name).flatMap { account($0, name) }
  }

  /// A boolean, or one in a string; false if it is absent.
  mutating func boolean(_ tree: JSONTree, _ name: String) -> Bool {
    switch given(tree, name) {
    case nil: return false
    case .boolean(let value): return value
    case .string(let text) where text.elementsEqual("true".utf8): return true
    case .string(let text) where text.elementsEqual("false".utf8): return false
    case .number(let text), .string(let text): invalid(name, text, "true or false")
    case let value?: fault(name, "is \(value.kindName); expected true or false")
    }
    return false
  }

  /// A decimal, zero or more.
  mutating func decimal(_ tree: JSONTree, _ name: String, isRequired: Bool = false) -> HereInvoice.Figure? {
    switch given(tree, name, isRequired: isRequired) {
    case nil: return nil
    case .number(let text), .string(let text):
      return decimal(text, name).map { HereInvoice.Figure(text: text, value: $0) }
    case let value?:
      fault(name, "is \(value.kindName); expected a decimal like 12.50")
      return nil
    }
  }

  /// An amount, zero or more; zero if it is absent.
  mutating func amount(_ tree: JSONTree, _ name: String) -> ExactDecimal {
    decimal(tree, name).flatMap { amount($0, name) } ?? .zero
  }

  /// A decimal from 0 to 100; zero if it is absent.
  mutating func percent(_ tree: JSONTree, _ name: String) -> ExactDecimal {
    guard let percent = decimal(tree, name) else { return .zero }
    if ExactDecimal(100) < percent.value { invalid(name, percent.text, "at most 100") }
    return percent.value
  }

  /// A discount. A percentage and an amount both above zero are a fault.
  mutating func discount(_ tree: JSONTree) -> HereInvoice.Discount {
    let before = faults.count
    let discount = HereInvoice.Discount(
      percent: percent(tree, "discountPercent"), amount: amount(tree, "discountAmount"))
    if faults.count == before, !discount.percent.isZero, !discount.amount.isZero {
      fault("discountAmount", "is given together with a discountPercent; PayPal's own sources disagree on which wins")
    }
    return discount
  }

  // MARK: Texts

  /// An account in lower case.
  mutating func account(_ text: [UInt8], _ name: String) -> [UInt8]? {
    let account = Account.canonical(text)
    if account == nil {
      invalid(name, text, "an email address or a phone number like +14155551212\(Self.hint(text))", id: 589039)
    }
    return account
  }

  /// Advice on how to turn the text into an account.
  private static func hint(_ text: [UInt8]) -> String {
    if text.drop(while: { $0 != UInt8(ascii: "@") }).contains(where: { $0 >= 0x80 }) {
      return "; write the domain in ASCII, with xn--"
    }
    let digits = text.filter { !" .-".utf8.contains($0) }
    let isPhone = digits.first == UInt8(ascii: "+") && Account.canonical(digits) != nil
    return isPhone ? "; write the phone number without spaces, dots and hyphens" : ""
  }

  /// An amount, zero or more, with its currency's decimals.
  mutating func amount(_ text: [UInt8], _ name: String) -> ExactDecimal? {
    decimal(text, name).flatMap { amount(HereInvoice.Figure(text: text, value: $0), name) }
  }

  private mutating func decimal(_ text: [UInt8], _ name: String) -> ExactDecimal? {
    let decimal = DecimalLimits.decimal(text)
    if decimal == nil { invalid(name, text, "a decimal like 12.50") }
    guard let decimal, decimal < .zero else { return decimal }
    invalid(name, text, "zero or more")
    return nil
  }

  private mutating func amount(_ figure: HereInvoice.Figure, _ name: String) -> ExactDecimal? {
    guard let currency else { return figure.value }
    let amount = figure.value.exact(at: -currency.settlementExponent)
    if amount == nil { invalid(name, figure.text, "no more decimals than \(currency.code) has") }
    return amount
  }
}
