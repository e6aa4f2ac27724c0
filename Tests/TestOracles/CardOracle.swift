/// What is wrong with a card, in the words of `cards.md`, by regular expressions. Slow, and without any code of the
/// engine.
public enum CardOracle {
  /// The errors of a card, as code and field.
  ///
  /// - Parameters:
  ///   - card: its fields as JSON; no string has escapes.
  ///   - createdAt: when the payment was made, if it says so: a valid date-time.
  public static func errors(of card: [String: String], createdAt: String?) -> Set<String> {
    var errors: Set<String> = []
    func has(_ name: String) -> Bool { card[name] ?? "null" != "null" }
    func text(_ name: String, _ code: String = "INVALID_VALUE", _ isValid: (String) -> Bool) -> String? {
      guard has(name), let value = card[name] else { return nil }
      guard value.hasPrefix("\"") else {
        errors.insert("WRONG_TYPE /card/\(name)")
        return nil
      }
      let text = String(value.dropFirst().dropLast())
      if isValid(text) { return text }
      errors.insert("\(code) /card/\(name)")
      return nil
    }
    let number = text("cardNumber", "INVALID_CARD_NUMBER") {
      $0.wholeMatch(of: /[0-9]{13,19}/) != nil && CardNumberOracle.luhnSum($0) % 10 == 0
    }
    let month = text("expirationDate") { $0.wholeMatch(of: /(0[1-9]|1[0-2])\/?([0-9]{2}|[0-9]{4})/) != nil }
    let entry = text("entry") { $0 == "SWIPED" || $0 == "KEYED" }
    _ = text("cvv2") {
      guard let number else { return $0.wholeMatch(of: /[0-9]{3,4}/) != nil }
      return $0.wholeMatch(of: number.hasPrefix("34") || number.hasPrefix("37") ? /[0-9]{4}/ : /[0-9]{3}/) != nil
    }
    _ = text("postalCode") { $0.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9 \-]{0,15}/) != nil }
    if !has("entry") { errors.insert("MISSING_FIELD /card/entry") }
    if has("cardNumber"), !has("expirationDate") { errors.insert("MISSING_FIELD /card/expirationDate") }
    if has("cardNumber"), entry == "KEYED", !has("cvv2") { errors.insert("MISSING_FIELD /card/cvv2") }
    if let digits = month?.filter({ $0 != "/" }), let createdAt {
      let year = digits.count == 4 ? "20" + digits.suffix(2) : digits.suffix(4)
      if "\(year)-\(digits.prefix(2))" < createdAt.prefix(7) { errors.insert("CARD_EXPIRED /card/expirationDate") }
    }
    return errors
  }
}
