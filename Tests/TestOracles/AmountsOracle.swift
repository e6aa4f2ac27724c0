/// What `amounts.md` says about a payment, sentence by sentence, on a tree of dictionaries. Slow, in whole cents, and
/// without any code of the engine. It knows USD, receivers with or without `split`, and no profiles.
public struct AmountsOracle {
  /// An object as Foundation reads it.
  public typealias Object = [String: Any]

  /// Code and field of each error in the address, the error code, the adjusted amounts and the taxes.
  public private(set) var errors: Set<String> = []
  /// The control amount in cents; nil if it is unknown.
  public private(set) var control: Int?
  /// Where adjusted amounts replace a receiver's.
  public private(set) var adjusted: Set<String> = []
  /// Code and field of the notices about what no amount depends on, and of taxes within the tolerance.
  public private(set) var noticed: Set<String> = []
  /// Whether there is a notice that no rate fits.
  public private(set) var isTaxUnchecked = false

  private struct Amounts {
    var subtotal: Int
    var tax: Int
    var shipping: Int
    /// The field of the tax; nil if the receiver states no tax.
    var taxField: String?
    var gross: Int { subtotal + tax + shipping }
  }

  /// Reads a payment in the single or the advanced shape.
  ///
  /// - Parameter taxes: the file of `--taxes`, nil without the option. Its percentages have at most three decimals.
  public init(_ payment: Object, taxes: Object? = nil) {
    checkAddress(payment, isRead: taxes != nil)
    let details = payment["receiverPaymentDetails"] as? [Any]
    let receivers = details?.map { $0 as? Object } ?? [payment]
    let entries = readEntries(payment["adjustedAmounts"], isSingle: details == nil, receivers, payment)
    let amounts = receivers.indices.map { place in
      self.amounts(of: place, receivers, entries, payment, isSingle: details == nil)
    }
    setControl(receivers, amounts, payment)
    let given: Bool =
      if details == nil { payment["adjustedAmounts"] is Object } else {
        (payment["adjustedAmounts"] as? [Any]).map { !$0.isEmpty } ?? false
      }
    if given, payment["shippingAddress"] == nil { noticed.insert("ADJUSTED_WITHOUT_ADDRESS /adjustedAmounts") }
    if let taxes { check(taxes, payment, receivers, amounts) }
  }

  // MARK: Fields

  private mutating func checkAddress(_ payment: Object, isRead: Bool) {
    switch payment["amountErrorCode"] as? String ?? "AMOUNT_ERROR_NONE" {
    case "AMOUNT_ERROR_NONE": break
    case "AMOUNT_CANCEL_TXN": errors.insert("ADJUSTMENT_CANCELED /amountErrorCode")
    default: errors.insert("ADJUSTMENT_FAILED /amountErrorCode")
    }
    guard let address = payment["shippingAddress"] else { return }
    guard let address = address as? Object else {
      errors.insert("WRONG_TYPE /shippingAddress")
      return
    }
    for (name, value) in address {
      if value is Int { errors.insert("WRONG_TYPE /shippingAddress/\(name)") }
      if name == "countrycode", let text = value as? String, !["US", "FR"].contains(text) {
        if isRead {
          errors.insert("COUNTRY_NOT_SUPPORTED /shippingAddress/countrycode")
        } else {
          noticed.insert("COUNTRY_NOT_USED /shippingAddress/countrycode")
        }
      }
    }
  }

  /// Cents; nil, with an error, if it is not a valid amount.
  private mutating func cents(_ object: Object, _ name: String, at path: String, isPositive: Bool = false) -> Int? {
    guard let text = object[name] as? String else {
      if !isPositive { return 0 }
      errors.insert("MISSING_FIELD \(path)/\(name)")
      return nil
    }
    let value = Self.cents(text)
    let code =
      text == "x"
      ? "DECIMAL_SYNTAX"
      : text.hasPrefix("-") ? "NEGATIVE_AMOUNT" : value == 0 && isPositive ? "AMOUNT_NOT_POSITIVE" : "AMOUNT_PRECISION"
    if let value, code == "AMOUNT_PRECISION" { return value }
    errors.insert("\(code) \(path)/\(name)")
    return nil
  }

  /// The cents of `12.34` or `12`; nil for anything else.
  private static func cents(_ text: String) -> Int? {
    let parts = text.split(separator: ".")
    guard !text.hasPrefix("-"), parts.count == 1 || parts.last?.count == 2 else { return nil }
    return Int(parts.joined()).map { parts.count == 1 ? $0 * 100 : $0 }
  }

  private mutating func readAmounts(_ object: Object, at path: String) -> Amounts? {
    if let currency = object["currency"] as? String, currency != "USD" {
      errors.insert((currency == "XXX" ? "CURRENCY_NOT_SUPPORTED" : "ADJUSTED_AMOUNTS_MISMATCH") + " \(path)/currency")
    }
    let subtotal = cents(object, "payment_amount", at: path, isPositive: true)
    let tax = cents(object, "tax", at: path)
    let shipping = cents(object, "shipping", at: path)
    guard let subtotal, let tax, let shipping else { return nil }
    return Amounts(subtotal: subtotal, tax: tax, shipping: shipping, taxField: "\(path)/tax")
  }

  // MARK: Entries

  private struct Entry {
    var account: String?
    var amounts: Amounts?
  }

  /// The entries; nil if it is unknown whose amounts are adjusted.
  private mutating func readEntries(
    _ value: Any?, isSingle: Bool, _ receivers: [Object?], _ payment: Object
  ) -> [Entry]? {
    guard let value else { return [] }
    if isSingle, let object = value as? Object {
      return [Entry(account: nil, amounts: readAmounts(object, at: "/adjustedAmounts"))]
    }
    guard !isSingle, let elements = value as? [Any] else {
      errors.insert("WRONG_TYPE /adjustedAmounts")
      return nil
    }
    var entries: [Entry] = []
    var isTold = true
    for (index, element) in elements.enumerated() {
      let path = "/adjustedAmounts/\(index)"
      var entry = Entry()
      if let object = element as? Object {
        if let amounts = object["amounts"] as? Object {
          entry.amounts = readAmounts(amounts, at: "\(path)/amounts")
        } else {
          errors.insert((object["amounts"] == nil ? "MISSING_FIELD" : "WRONG_TYPE") + " \(path)/amounts")
        }
        entry.account = Self.account(object)
        if entry.account == nil {
          errors.insert((object["recipient"] == nil ? "MISSING_FIELD" : "INVALID_RECIPIENT") + " \(path)/recipient")
        } else if isMismatch(entry, earlier: entries, receivers, payment) {
          errors.insert("ADJUSTED_AMOUNTS_MISMATCH \(path)/recipient")
        }
      } else {
        errors.insert("WRONG_TYPE \(path)")
      }
      if entry.account == nil { isTold = false }
      entries.append(entry)
    }
    return isTold ? entries : nil
  }

  private func isMismatch(_ entry: Entry, earlier: [Entry], _ receivers: [Object?], _ payment: Object) -> Bool {
    if earlier.contains(where: { $0.account == entry.account }) { return true }
    let own = receivers.first { $0.flatMap(Self.account) == entry.account }
    guard let own = own ?? nil else {
      return !receivers.isEmpty && receivers.allSatisfy { $0.flatMap(Self.account) != nil }
    }
    return own["split"] != nil || own["isPrimary"] as? Bool == true && payment["splitTotal"] != nil
  }

  /// A valid account in lower case.
  private static func account(_ object: Object) -> String? {
    (object["recipient"] as? String).flatMap { $0.contains("@") ? $0.lowercased() : nil }
  }

  // MARK: Receivers

  private mutating func amounts(
    of place: Int, _ receivers: [Object?], _ entries: [Entry]?, _ payment: Object, isSingle: Bool
  ) -> Amounts? {
    guard let entries, let receiver = receivers[place] else { return nil }
    let path = isSingle ? "" : "/receiverPaymentDetails/\(place)"
    var entry = isSingle ? entries.first : nil
    if !isSingle, !entries.isEmpty {
      guard let account = Self.account(receiver) else { return nil }
      let isFirst = !receivers[..<place].contains { $0.flatMap(Self.account) == account }
      entry = isFirst ? entries.first { $0.account == account } : nil
    }
    if let entry {
      let hasPart = receiver["split"] != nil || receiver["isPrimary"] as? Bool == true && payment["splitTotal"] != nil
      if entry.amounts != nil, isSingle || !hasPart { adjusted.insert(path) }
      return entry.amounts
    }
    guard let subtotal = receiver[isSingle ? "subTotal" : "subtotal"] as? String else { return nil }
    let invoice = receiver["invoiceData"] as? Object
    func own(_ name: String) -> Int? { invoice == nil ? 0 : (invoice?[name] as? String).flatMap(Self.cents) }
    guard let subtotal = Self.cents(subtotal), let tax = own("totalTax"), let shipping = own("totalShipping") else {
      return nil
    }
    return Amounts(
      subtotal: subtotal, tax: tax, shipping: shipping,
      taxField: invoice == nil ? nil : "\(path)/invoiceData/totalTax")
  }

  private mutating func setControl(_ receivers: [Object?], _ amounts: [Amounts?], _ payment: Object) {
    if payment["receiverPaymentDetails"] != nil, let total = payment["splitTotal"] as? String {
      control = Self.cents(total)
      return
    }
    let primaries = receivers.indices.filter { receivers[$0]?["isPrimary"] as? Bool == true }
    guard receivers.allSatisfy({ $0 != nil }) else { return }
    if primaries.count == 1 {
      control = amounts[primaries[0]]?.gross
    } else if receivers.indices.allSatisfy({ amounts[$0] != nil && receivers[$0]?["split"] == nil }) {
      control = amounts.reduce(0) { $0 + ($1?.gross ?? 0) }
    }
  }

  // MARK: Taxes

  private mutating func check(_ taxes: Object, _ payment: Object, _ receivers: [Object?], _ amounts: [Amounts?]) {
    guard let address = payment["shippingAddress"] as? Object, address["countrycode"] != nil else {
      isTaxUnchecked = payment["shippingAddress"] == nil || payment["shippingAddress"] is Object
      return
    }
    let texts = ["countrycode", "state", "postalcode"].map { address[$0] ?? "" }.map { $0 as? String }
    guard let country = texts[0], let state = texts[1], let postal = texts[2], ["US", "FR"].contains(country) else {
      return
    }
    let fitting = (taxes["rates"] as? [Object] ?? []).filter { rate in
      rate["country"] as? String == country && (rate["state"] as? String ?? state).lowercased() == state.lowercased()
        && Self.postal(postal).starts(with: Self.postal(rate["postal"] as? String ?? ""))
    }
    let best = fitting.max { left, right in
      func rank(_ rate: Object) -> Int {
        Self.postal(rate["postal"] as? String ?? "").count * 2 + (rate["state"] == nil ? 0 : 1)
      }
      return rank(left) < rank(right)
    }
    guard let best else {
      isTaxUnchecked = true
      return
    }
    let primaries = receivers.count { $0?["isPrimary"] as? Bool == true }
    guard receivers.allSatisfy({ $0 != nil }), (1...6).contains(receivers.count), primaries < 2,
      primaries == 0 || receivers.count > 1
    else { return }
    for (receiver, amounts) in zip(receivers, amounts) {
      guard let receiver, let amounts, let field = amounts.taxField, receiver["split"] == nil else { continue }
      let isPrimary = receiver["isPrimary"] as? Bool == true
      if primaries == 1, !isPrimary || payment["splitTotal"] != nil { continue }
      let type = receiver["paymentType"] as? String ?? "TYPE_NOT_SET"
      guard ["TYPE_NOT_SET", "TYPE_GOODS", "TYPE_PERSONAL"].contains(type) else { continue }
      let isExempt = (taxes["exempt"] as? [String] ?? []).contains(type)
      let base = amounts.subtotal + (best["shipping"] as? Bool == true ? amounts.shipping : 0)
      let due = isExempt ? 0 : Self.due(best["percent"] as? String ?? "0", of: base, taxes["rounding"] as? String ?? "")
      if amounts.tax == due { continue }
      if !isExempt, abs(amounts.tax - due) <= taxes["tolerance"] as? Int ?? 0 {
        noticed.insert("TAX_ROUNDED \(field)")
      } else {
        errors.insert("TAX_MISMATCH \(field)")
      }
    }
  }

  private static func postal(_ text: String) -> [Character] {
    Array(text.lowercased().filter { $0 != " " && $0 != "-" })
  }

  /// Rounds whole numbers that are not negative by hand.
  private static func due(_ percent: String, of cents: Int, _ rounding: String) -> Int {
    let parts = percent.split(separator: ".")
    let decimals = parts.count > 1 ? String(parts[1]) : ""
    let zeros = String(repeating: "0", count: 3 - decimals.count)
    let thousandths = Int("\(parts[0])\(decimals)\(zeros)") ?? 0
    let (whole, rest) = (thousandths * cents).quotientAndRemainder(dividingBy: 100_000)
    return switch rounding {
    case "UP", "CEILING": whole + (rest > 0 ? 1 : 0)
    case "HALF_UP": whole + (rest >= 50_000 ? 1 : 0)
    case "HALF_DOWN": whole + (rest > 50_000 ? 1 : 0)
    case "HALF_EVEN": whole + (rest > 50_000 || rest == 50_000 && whole % 2 == 1 ? 1 : 0)
    default: whole
    }
  }
}
