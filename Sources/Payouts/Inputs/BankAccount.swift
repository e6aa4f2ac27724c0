import Text

/// IBANs, BICs, routing and account numbers (`payouts.md`, Payees).
package enum BankAccount {
  /// A country's IBANs.
  private struct Country {
    /// The class of each character after the check digits: `n`, `a` or `c`.
    var structure: [UInt8]
    var isSEPA: Bool
  }

  /// The countries, indexed by the two letters of their codes.
  private static let countries: [Country?] = {
    var countries = [Country?](repeating: nil, count: 26 * 26)
    for line in PackageResources.iban_csv.split(separator: 0x0A).dropFirst() {
      let fields = line.split(separator: 0x2C)
      var (structure, count) = ([UInt8](), 0)
      for byte in fields[2] {
        if byte <= 0x39 {
          count = 10 * count + Int(byte - 0x30)
        } else {
          structure += [UInt8](repeating: byte, count: count)
          count = 0
        }
      }
      let length = Int(String(decoding: fields[1], as: UTF8.self))
      precondition(structure.count + 4 == length, "iban.csv has a structure of the country's length")
      let isSEPA = fields[3].elementsEqual("yes".utf8)
      let code = fields[0]
      countries[place(code.span)] = Country(structure: structure, isSEPA: isSEPA)
    }
    return countries
  }()

  /// The place of the country whose code begins a text.
  private static func place(_ text: Span<UInt8>) -> Int { 26 * (Int(text[0]) - 0x41) + Int(text[1]) - 0x41 }

  /// Whether IBANs of a country are known, by two capital letters.
  static func isCountry(_ code: Span<UInt8>) -> Bool { countries[place(code)] != nil }

  /// Whether a valid IBAN belongs to a SEPA country.
  static func isSEPA(_ iban: Span<UInt8>) -> Bool { countries[place(iban)]?.isSEPA ?? false }

  /// Appends an IBAN or BIC without spaces, in capital letters.
  static func normalize(_ field: Span<UInt8>, into text: inout TextBuffer) {
    text.removeAll()
    for place in field.indices where field[place] != 0x20 {
      text.append(field[place] &- 0x61 < 26 ? field[place] & 0xDF : field[place])
    }
  }

  /// What is wrong with a normalized IBAN; nil if it is valid.
  static func fault(iban: Span<UInt8>) -> InputFault.Code? {
    guard iban.count >= 5, isLetter(iban[0]), isLetter(iban[1]), isDigit(iban[2]), isDigit(iban[3]),
      iban.extracting(4...).allSatisfy({ isDigit($0) || isLetter($0) })
    else { return .ibanForm }
    guard let country = countries[place(iban)] else { return .ibanCountry }
    guard iban.count == country.structure.count + 4 else { return .ibanLength }
    for (place, kind) in country.structure.enumerated() {
      if kind == UInt8(ascii: "n"), !isDigit(iban[place + 4]) { return .ibanForm }
      if kind == UInt8(ascii: "a"), !isLetter(iban[place + 4]) { return .ibanForm }
    }
    var remainder = 0
    for place in 4..<iban.count + 4 {
      let byte = iban[place < iban.count ? place : place - iban.count]
      remainder = (isDigit(byte) ? 10 * remainder + Int(byte) - 0x30 : 100 * remainder + Int(byte) - 0x37) % 97
    }
    let check = 10 * Int(iban[2] - 0x30) + Int(iban[3] - 0x30)
    return 2...98 ~= check && remainder == 1 ? nil : .ibanChecksum
  }

  /// Whether a normalized text is a BIC.
  static func isBIC(_ text: Span<UInt8>) -> Bool {
    (text.count == 8 || text.count == 11) && text.allSatisfy { isDigit($0) || isLetter($0) }
      && isLetter(text[4]) && isLetter(text[5])
  }

  /// Whether a text is a routing number.
  package static func isRouting(_ text: Span<UInt8>) -> Bool {
    guard text.count == 9, text.allSatisfy(isDigit) else { return false }
    let district = 10 * Int(text[0] - 0x30) + Int(text[1] - 0x30)
    guard 1...12 ~= district || 21...32 ~= district || 61...72 ~= district else { return false }
    return weightedSum(text) % 10 == 0
  }

  /// A routing number of its first eight digits; nil if these are not digits.
  package static func routing(_ digits: [UInt8]) -> [UInt8]? {
    guard digits.count == 8, digits.allSatisfy(isDigit) else { return nil }
    return digits + [0x30 + UInt8((10 - weightedSum(digits.span) % 10) % 10)]
  }

  private static func weightedSum(_ digits: Span<UInt8>) -> Int {
    digits.indices.reduce(0) { $0 + Int(digits[$1] - 0x30) * [3, 7, 1][$1 % 3] }
  }

  /// Whether a text is an account number.
  package static func isAccountNumber(_ text: Span<UInt8>) -> Bool {
    let (zero, hyphen) = (UInt8(ascii: "0"), UInt8(ascii: "-"))
    return 1...17 ~= text.count && text.allSatisfy { isDigit($0) || isLetter($0 & 0xDF) && $0 >= 0x41 || $0 == hyphen }
      && !text.allSatisfy { $0 == zero || $0 == hyphen }
  }

  /// What `payouts.csv` shows of an IBAN or account number: its last four characters, or nothing if it is short.
  @_lifetime(copy number)
  static func ending(_ number: Span<UInt8>) -> Span<UInt8> {
    number.extracting(last: number.count >= 8 ? 4 : 0)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
  private static func isLetter(_ byte: UInt8) -> Bool { byte &- 0x41 < 26 }
}
