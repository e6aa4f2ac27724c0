import ExactArithmetic
import Records

/// Converts values from PayPal's form to that of a batch.
enum RequestValues {
  /// A decimal of XML Schema, or a JSON number, in the grammar of a batch: `+05.` becomes `5`, `.50` becomes `0.50`.
  ///
  /// Every digit is kept except leading zeros; nil if the text is not a decimal.
  static func decimal(_ text: String) -> String? {
    let unsigned = text.utf8.drop { $0 != UInt8(ascii: ".") && !$0.isAlphanumeric }
    let sign = Substring(text.utf8[..<unsigned.startIndex])
    guard ["", "+", "-"].contains(sign) else { return nil }
    let mantissa = unsigned.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
    var digits = Substring(mantissa.drop { $0 == UInt8(ascii: "0") })
    guard mantissa.contains(where: \.isAlphanumeric) else { return nil }
    if digits.last == "." { digits.removeLast() }
    if digits.isEmpty || digits.first == "." { digits = "0" + digits }
    let decimal = (sign == "-" ? "-" : "") + digits + Substring(unsigned[mantissa.endIndex...])
    return ExactDecimal(decimal) == nil ? nil : decimal
  }

  /// A boolean of XML Schema in any letter case, because programs print them differently; nil if it is not one.
  static func boolean(_ word: String) -> Bool? {
    switch word.lowercased() {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }

  /// A country code's digits; nil if the text is not one, with or without `+` before it.
  static func countryCode(_ text: String) -> Substring? { text.wholeMatch(of: /\+?([1-9][0-9]{0,2})/)?.1 }

  /// The account of a phone number: `+` and digits that begin with the country code, or the digits after the code.
  ///
  /// Spaces, dots and hyphens are left out. Digits without `+` that begin with 0, with the code, or with 8 after code 7
  /// are refused: that may be a prefix for domestic calls, and only the country's numbering plan says whether it is.
  static func phone(_ countryCode: Substring, _ number: String) -> String? {
    let plain = String(decoding: number.utf8.filter { !" .-".utf8.contains($0) }, as: UTF8.self)
    let code = "+" + countryCode
    let prefixes = ["+", "0", String(countryCode)] + (countryCode == "7" ? ["8"] : [])
    guard plain.hasPrefix(code) || !prefixes.contains(where: plain.hasPrefix) else { return nil }
    let account = plain.hasPrefix(code) ? plain : code + plain
    return Account.canonical(account.utf8) == nil ? nil : account
  }
}
