import Money
import Text

/// The parts of a postal address: their names in payees and debtors, and their elements in pain.001.
enum PostalAddress {
  struct Part {
    /// The column of payees, and the key of a debtor's terms.
    let name: String
    /// The element of pain.001.
    let element: StaticString
    /// The most characters.
    let limit: Int
    /// Whether no address may lack it.
    var isRequired = false
  }

  static let parts = [
    Part(name: "street", element: "StrtNm", limit: 70), Part(name: "building", element: "BldgNb", limit: 16),
    Part(name: "postcode", element: "PstCd", limit: 16),
    Part(name: "town", element: "TwnNm", limit: 35, isRequired: true),
    Part(name: country, element: "Ctry", limit: 2, isRequired: true),
  ]
  static let country = "country"
  /// Between the parts of an address that is kept as one text.
  static let separator = UInt8(ascii: "\n")

  /// The code of a country in capital letters; nil if there is no such country.
  static func countryCode(_ text: Span<UInt8>) -> [UInt8]? {
    let code = [UInt8](text).map { $0 &- 0x61 < 26 ? $0 & 0xDF : $0 }
    guard code.count == 2, code.allSatisfy({ $0 &- 0x41 < 26 }) else { return nil }
    return Country.find(code.span) != nil || BankAccount.isCountry(code.span) ? code : nil
  }
}

extension TextBuffer {
  /// Appends the element of an address, which is one text; nothing without one.
  mutating func append(address: Span<UInt8>) {
    if address.isEmpty { return }
    append("<PstlAdr>")
    var start = 0
    for part in PostalAddress.parts {
      let end = address.place(of: PostalAddress.separator, from: start) ?? address.count
      if start < end {
        append("<", part.element, ">")
        append(address.extracting(start..<end))
        append("</", part.element, ">")
      }
      start = end + 1
    }
    append("</PstlAdr>")
  }
}
