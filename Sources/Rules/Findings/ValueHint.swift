import Money
import Records
import Text

/// What a refused value probably meant.
enum ValueHint {
  /// Words for a message; nil if there is no hint.
  ///
  /// - Parameter known: the valid strings, if they are enumerated.
  static func words(for value: UnsafeBufferPointer<UInt8>, _ reason: RejectionReason, known: [StaticString]) -> String?
  {
    let code = String(
      decoding: value.filter { ASCIIClass.of($0) & ASCIIClass.alphanumeric != 0 }.prefix(4).map(Spelling.upperCase),
      as: UTF8.self)
    return switch reason {
    case .currencyNotSupported: meant(Currency(code: code)?.code)
    case .countryNotSupported: meant(Country(code: code == "UK" ? "GB" : code)?.code)
    case .invalidRecipient: account(String(decoding: value, as: UTF8.self))
    case .invalidValue where known.isEmpty: Timestamp.absence(in: value)
    case .invalidValue, .unknownRecordType: meant(Spelling.value(meantBy: value, among: known)?.description)
    default: nil
    }
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
