import Money

/// What the sample knows of each currency: how often it comes up, what a dollar is worth in it, where it may be used.
struct SampleCurrencies: Sendable {
  private let drawn: [Currency]
  private let perDollar: [UInt64]
  private let inCountry: [Country?]

  init() {
    var drawn: [Currency] = []
    var perDollar = [UInt64](repeating: 100, count: Currency.count)
    var inCountry = [Country?](repeating: nil, count: Currency.count)
    for row in SampleCurrencies.rows {
      guard let currency = Currency(code: row.code) else { preconditionFailure("\(row.code) is no currency") }
      drawn += [Currency](repeating: currency, count: row.weight)
      perDollar[Int(currency.index)] = row.perDollar
      inCountry[Int(currency.index)] = row.only.flatMap(Country.init(code:))
    }
    self.drawn = drawn
    self.perDollar = perDollar
    self.inCountry = inCountry
  }

  /// A currency, the common ones often.
  @inline(__always)
  func any(_ random: inout SampleRandom) -> Currency { drawn[random.below(drawn.count)] }

  /// One of the currencies that only one country's parties may use.
  func anyInCountryOnly(_ random: inout SampleRandom) -> Currency {
    let bound = Currency.all.filter { inCountry[Int($0.index)] != nil }
    return bound[random.below(bound.count)]
  }

  /// The only country whose parties may use a currency, or nil where all may.
  @inline(__always)
  func onlyCountry(of currency: Currency) -> Country? { inCountry[Int(currency.index)] }

  /// About what a dollar is worth, in the smallest amounts of a currency that the settlement takes.
  @inline(__always)
  func dollar(in currency: Currency) -> UInt64 { perDollar[Int(currency.index)] }

  /// What a receiver's fixed fee stays below, with much to spare, in the smallest amounts of a currency: two dollars.
  ///
  /// The published fixed fees are some 0.30 dollars.
  @inline(__always)
  func fixedFeeAllowance(in currency: Currency) -> UInt64 { 2 * dollar(in: currency) }

  /// By code: how often of 200, smallest amounts to the dollar, the only country.
  private static let rows: [(code: String, weight: Int, perDollar: UInt64, only: String?)] = [
    ("USD", 74, 100, nil), ("EUR", 38, 90, nil), ("GBP", 20, 80, nil), ("CAD", 8, 130, nil), ("AUD", 8, 140, nil),
    ("JPY", 8, 110, nil), ("CHF", 4, 95, nil), ("SEK", 4, 900, nil), ("PLN", 3, 380, nil), ("MXN", 3, 1800, nil),
    ("BRL", 3, 500, "BR"), ("HKD", 3, 780, nil), ("SGD", 3, 135, nil), ("NOK", 2, 900, nil), ("DKK", 2, 650, nil),
    ("CZK", 2, 2200, nil), ("HUF", 2, 310, nil), ("ILS", 2, 340, nil), ("NZD", 2, 150, nil), ("PHP", 2, 5000, nil),
    ("THB", 2, 3200, nil), ("TWD", 2, 31, nil), ("MYR", 2, 430, "MY"), ("TRY", 1, 800, "TR"),
  ]
}
