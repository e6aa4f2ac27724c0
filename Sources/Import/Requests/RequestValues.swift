import ExactArithmetic

/// Values as PayPal writes them, brought into the form of a batch.
enum RequestValues {
  /// A decimal of XML Schema, or a JSON number, in the grammar of a batch: `+05.` becomes `5`, `.50` becomes `0.50`.
  ///
  /// Every digit stays as it is except zeros in front; nil if it is no decimal.
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

  /// A boolean of XML Schema in any letter case, as programs print theirs; nil if it is not one.
  static func boolean(_ word: String) -> Bool? {
    switch word.lowercased() {
    case "true", "1": true
    case "false", "0": false
    default: nil
    }
  }

  /// A phone number in the form of E.164, `+` and digits, of a country code and a number as people write them.
  ///
  /// Spaces, dashes, points, slashes and brackets are left out. A zero in front of the number is the prefix for calls
  /// within the country, and left out, too, but in countries whose numbers begin with a zero.
  /// - Returns: nil if there is anything but digits; whether the number is one, the rules of an account say.
  static func phone(countryCode: String, number: String) -> (account: String, droppedZero: Bool)? {
    guard let country = digits(countryCode), let national = digits(number) else { return nil }
    if number.hasPrefix("+") { return ("+" + national, false) }
    let code = country.hasPrefix("00") ? String(country.dropFirst(2)) : country
    let dropsZero = national.hasPrefix("0") && !countriesWithZeros.contains(code)
    return ("+" + code + (dropsZero ? String(national.dropFirst()) : national), dropsZero)
  }

  /// Country codes in whose numbers a zero in front counts: Côte d'Ivoire, Benin, Gabon, the Congo, Italy, San Marino
  /// and the Vatican.
  private static let countriesWithZeros: Set = ["225", "229", "241", "242", "39", "378", "379"]

  private static func digits(_ text: String) -> String? {
    let plain = text.utf8.drop { $0 == UInt8(ascii: "+") }.filter { !" -./()".utf8.contains($0) }
    guard !plain.isEmpty, plain.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    return String(decoding: plain, as: UTF8.self)
  }
}
