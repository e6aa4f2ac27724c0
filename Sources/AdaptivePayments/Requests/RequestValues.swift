/// Values as PayPal writes them, brought into the form of a batch.
enum RequestValues {
  /// The most characters of an amount; no batch takes as many.
  private static let longestAmount = 200

  /// A decimal of XML Schema, or a JSON number, in the grammar of a batch: `+05.` becomes `5`, `.50` becomes `0.50`.
  ///
  /// Every digit stays as it is but for zeros in front; nil where it is no decimal.
  static func decimal(_ text: [UInt8]) -> [UInt8]? {
    guard text.count <= longestAmount else { return nil }
    var rest = text[...]
    let sign = rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") ? rest.removeFirst() : 0
    let whole = takeDigits(&rest)
    var fraction: ArraySlice<UInt8> = []
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = takeDigits(&rest)
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    var exponent = rest
    if !rest.isEmpty {
      guard rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") else { return nil }
      rest.removeFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
      guard !takeDigits(&rest).isEmpty, rest.isEmpty else { return nil }
    } else {
      exponent = []
    }
    let significant = whole.drop { $0 == UInt8(ascii: "0") }
    var decimal = sign == UInt8(ascii: "-") ? [sign] : []
    decimal += significant.isEmpty ? [UInt8(ascii: "0")] : Array(significant)
    if !fraction.isEmpty { decimal += [UInt8(ascii: ".")] + fraction }
    return decimal + exponent
  }

  private static func takeDigits(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = rest.prefix { isDigit($0) }
    rest = rest.dropFirst(digits.count)
    return digits
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

  /// A boolean of XML Schema in any letter case, as programs print theirs; nil where it is none.
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
  /// - Returns: nil where there is anything but digits; whether the number is one, the rules of an account say.
  static func phone(countryCode: [UInt8], number: [UInt8]) -> (account: [UInt8], droppedZero: Bool)? {
    guard var country = digits(countryCode), var national = digits(number) else { return nil }
    if country.starts(with: "00".utf8) { country.removeFirst(2) }
    if number.first == UInt8(ascii: "+") { return ([UInt8(ascii: "+")] + national, false) }
    let dropsZero =
      national.first == UInt8(ascii: "0") && !countriesWithZeros.contains(String(decoding: country, as: UTF8.self))
    if dropsZero { national.removeFirst() }
    return ([UInt8(ascii: "+")] + country + national, dropsZero)
  }

  /// A phone number that is written as a whole, a `+` and the country code in front, in the form of E.164.
  ///
  /// - Returns: nil where there is no `+`, or anything but digits and what stands between them.
  static func phone(whole number: [UInt8]) -> [UInt8]? {
    guard number.first == UInt8(ascii: "+"), let digits = digits(number) else { return nil }
    return [UInt8(ascii: "+")] + digits
  }

  /// Country codes in whose numbers a zero in front counts: Côte d'Ivoire, Benin, Gabon, the Congo, Italy, San Marino
  /// and the Vatican.
  private static let countriesWithZeros: Set<String> = ["225", "229", "241", "242", "39", "378", "379"]

  private static func digits(_ text: [UInt8]) -> [UInt8]? {
    let plain = text.drop { $0 == UInt8(ascii: "+") }.filter { !" -./()".utf8.contains($0) }
    return plain.isEmpty || !plain.allSatisfy(isDigit) ? nil : Array(plain)
  }
}
