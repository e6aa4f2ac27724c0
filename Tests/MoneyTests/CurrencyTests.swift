import Money
import Testing

@Suite struct CurrencyTests {
  static let table: [(code: String, numeric: Int, name: String, minorUnit: Int, settlement: Int, only: String?)] = [
    ("AUD", 036, "Australian Dollar", 2, 2, nil),
    ("BRL", 986, "Brazilian Real", 2, 2, "BR"),
    ("CAD", 124, "Canadian Dollar", 2, 2, nil),
    ("CHF", 756, "Swiss Franc", 2, 2, nil),
    ("CZK", 203, "Czech Koruna", 2, 2, nil),
    ("DKK", 208, "Danish Krone", 2, 2, nil),
    ("EUR", 978, "Euro", 2, 2, nil),
    ("GBP", 826, "Pound Sterling", 2, 2, nil),
    ("HKD", 344, "Hong Kong Dollar", 2, 2, nil),
    ("HUF", 348, "Hungarian Forint", 2, 0, nil),
    ("ILS", 376, "Israeli New Shekel", 2, 2, nil),
    ("JPY", 392, "Japanese Yen", 0, 0, nil),
    ("MXN", 484, "Mexican Peso", 2, 2, nil),
    ("MYR", 458, "Malaysian Ringgit", 2, 2, "MY"),
    ("NOK", 578, "Norwegian Krone", 2, 2, nil),
    ("NZD", 554, "New Zealand Dollar", 2, 2, nil),
    ("PHP", 608, "Philippine Peso", 2, 2, nil),
    ("PLN", 985, "Polish Zloty", 2, 2, nil),
    ("SEK", 752, "Swedish Krona", 2, 2, nil),
    ("SGD", 702, "Singapore Dollar", 2, 2, nil),
    ("THB", 764, "Thai Baht", 2, 2, nil),
    ("TRY", 949, "Turkish Lira", 2, 2, "TR"),
    ("TWD", 901, "Taiwan New Dollar", 2, 0, nil),
    ("USD", 840, "U.S. Dollar", 2, 2, nil),
  ]

  @Test func theTableIsComplete() {
    #expect(Currency.count == Self.table.count)
    #expect(Currency.all.map(\.code) == Self.table.map(\.code))
    #expect(Currency.all.map { Int($0.index) } == Array(0..<Currency.count))
  }

  @Test(arguments: table.indices)
  func everyCurrencyIsFoundWithItsRow(_ place: Int) throws {
    let row = Self.table[place]
    let currency = try #require(Currency(code: row.code))
    #expect(currency == Currency(index: place))
    #expect(currency.code == row.code)
    let letters = currency.codeBytes
    #expect([letters.0, letters.1, letters.2] == Array(row.code.utf8))
    #expect(currency.numericCode == row.numeric)
    #expect(currency.name == row.name)
    #expect(currency.minorUnitExponent == row.minorUnit)
    #expect(currency.settlementExponent == row.settlement)
    #expect(currency.onlyCountry == row.only.flatMap { Country(code: $0) })
  }

  @Test(arguments: ["", "U", "US", "USDX", "usd", "Usd", "USd", "XXX", "UST", "___", "AUD_", "AU_", "€", "US "])
  func otherCodesAreNotFound(_ code: String) {
    #expect(Currency(code: code) == nil)
  }

  @Test func noOtherThreeLettersAreFound() {
    let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
    var found: [Currency] = []
    for first in letters {
      for second in letters {
        for third in letters {
          if let currency = Currency.find([first, second, third].span) { found.append(currency) }
        }
      }
    }
    #expect(found == Currency.all)
  }

  @Test("ledgers identify a currency by a number that never changes")
  func ledgerNumbers() {
    let first = "AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TRY TWD USD"
    for (number, code) in first.split(separator: " ").enumerated() {
      #expect(Currency(code: String(code))?.ledgerNumber == UInt8(number))
    }
    for currency in Currency.all { #expect(Currency(ledgerNumber: currency.ledgerNumber) == currency) }
    #expect(Currency(ledgerNumber: 127) == nil)
  }

  @Test func placesBeyondTheTableAreNone() {
    #expect(Currency(index: -1) == nil)
    #expect(Currency(index: Currency.count) == nil)
    #expect(Currency(index: 256) == nil)
  }

  @Test func theDollarIsTheDefaultAndOrderIsThatOfTheCodes() {
    #expect(Currency.usd.code == "USD")
    #expect(Currency.all.reversed().sorted() == Currency.all)
    #expect(Currency.all.map(\.code) == Currency.all.map(\.code).sorted())
  }
}
