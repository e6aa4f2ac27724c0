import Money
import Records
import Text

/// What a refused value probably meant.
enum ValueHint {
  /// Words for a message; nil if there is no hint.
  ///
  /// - Parameter known: the valid strings, if they are enumerated.
  static func words(for text: Span<UInt8>, _ reason: RejectionReason, known: [StaticString]) -> String? {
    let value = Array(text)
    let code = String(
      decoding: value.filter { ASCIIClass.of($0) & ASCIIClass.alphanumeric != 0 }.prefix(4).map(Spelling.upperCase),
      as: UTF8.self)
    let hint: String?
    switch reason {
    case .currencyNotSupported: hint = meant(Currency(code: code)?.code)
    case .countryNotSupported: hint = meant(Country(code: code == "UK" ? "GB" : code)?.code)
    case .invalidRecipient: hint = account(String(decoding: value, as: UTF8.self))
    // A longer value may be a text, which may have any character.
    case .invalidValue where value.count > 255: return nil
    case .invalidValue where known.isEmpty: hint = Timestamp.absence(in: value)
    case .invalidValue, .unknownRecordType:
      let word = otherNames[String(decoding: Spelling.letters(value).map(Spelling.upperCase), as: UTF8.self)]
      hint = meant(
        word.flatMap { word in known.first { $0.description == word } }?.description
          ?? Spelling.value(meantBy: value, among: known)?.description)
    case .decimalSyntax: hint = nil
    default: return nil
    }
    return hint ?? foreignCharacter(String(decoding: value, as: UTF8.self))
  }

  /// What the guides, and PayPal's other APIs, call the values of a batch, in letters and digits.
  private static let otherNames: [String: String] = [
    "HARDGOODS": "TYPE_GOODS", "PAYPALPAYMENTTYPEHARDGOODS": "TYPE_GOODS",
    "PAYMENTTYPEHARDGOODS": "TYPE_GOODS", "TYPEHARDGOODS": "TYPE_GOODS",
    "PHYSICALGOODS": "TYPE_GOODS", "PHYSICAL": "TYPE_GOODS", "DIGITALGOODS": "TYPE_GOODS", "DIGITAL": "TYPE_GOODS",
    "PAYMENTTYPENONE": "TYPE_NOT_SET", "NONE": "TYPE_NOT_SET", "PERSON": "TYPE_PERSONAL",
    "PERSONTOPERSON": "TYPE_PERSONAL", "FRIENDSANDFAMILY": "TYPE_PERSONAL",
  ]

  /// The first character that is not ASCII, by its code: it may look like an ASCII one, or be invisible.
  private static func foreignCharacter(_ text: String) -> String? {
    guard let (place, scalar) = text.unicodeScalars.enumerated().first(where: { !$1.isASCII }) else { return nil }
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "character \(place + 1) is U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)"
  }

  private static func meant(_ word: String?) -> String? { word.map { "did you mean \($0)?" } }

  private static func account(_ text: String) -> String? {
    let at = text.lastIndex(of: "@")
    func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }
    // In an address, drop only the spaces around it: the purpose of one inside it is unknown.
    let visible = text.unicodeScalars.filter { isSpace($0) || !MessageText.isInvisible($0) }
    let trimmed = visible.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
    let kept = at == nil ? trimmed.filter { !isSpace($0) && $0 != "." && $0 != "-" } : Array(trimmed)
    let compact = Array(String(String.UnicodeScalarView(kept)).utf8)
    if !compact.elementsEqual(text.utf8), Account.canonical(compact) != nil {
      return meant(MessageText.quoted(compact))
    }
    if let at {
      return text[at...].utf8.contains { $0 >= 0x80 } ? "write the domain in ASCII: its xn-- form" : nil
    }
    func isDigit(_ byte: UInt8) -> Bool { ASCIIClass.of(byte) & ASCIIClass.digit != 0 }
    let isWritten = text.first == "+" && text.utf8.dropFirst().allSatisfy(isDigit)
    guard text.utf8.contains(where: isDigit), !text.contains(where: \.isLetter), !isWritten else { return nil }
    return "write a phone number as + and digits alone, its country code first"
  }
}
