import Money

/// A currency in the sample: how often it is drawn, what a dollar is worth in it, and where it may be used.
struct SampleCurrency: Sendable {
  let currency: Currency
  /// How often it is drawn, of 200.
  let weight: Int
  /// About what a dollar is worth, in the smallest unit in which it is settled.
  let dollar: UInt64
  /// The only country whose parties may use it; nil if all may.
  let onlyCountry: Country?

  private init(_ code: String, _ weight: Int, dollar: UInt64, only country: String? = nil) {
    guard let currency = Currency(code: code) else { preconditionFailure("\(code) is not a currency") }
    self.currency = currency
    self.weight = weight
    self.dollar = dollar
    onlyCountry = country.flatMap(Country.init(code:))
  }

  /// An upper limit of a receiver's fixed fee, with a large margin, in the smallest unit: two dollars.
  ///
  /// The published fixed fees are about 0.30 dollars.
  var fixedFeeAllowance: UInt64 { 2 * dollar }

  static let usDollar = SampleCurrency("USD", 74, dollar: 100)

  static let all = [
    usDollar, SampleCurrency("EUR", 38, dollar: 90), SampleCurrency("GBP", 20, dollar: 80),
    SampleCurrency("CAD", 8, dollar: 130), SampleCurrency("AUD", 8, dollar: 140), SampleCurrency("JPY", 8, dollar: 110),
    SampleCurrency("CHF", 4, dollar: 95), SampleCurrency("SEK", 4, dollar: 900), SampleCurrency("PLN", 3, dollar: 380),
    SampleCurrency("MXN", 3, dollar: 1800), SampleCurrency("BRL", 3, dollar: 500, only: "BR"),
    SampleCurrency("HKD", 3, dollar: 780), SampleCurrency("SGD", 3, dollar: 135), SampleCurrency("NOK", 2, dollar: 900),
    SampleCurrency("DKK", 2, dollar: 650), SampleCurrency("CZK", 2, dollar: 2200),
    SampleCurrency("HUF", 2, dollar: 310), SampleCurrency("ILS", 2, dollar: 340), SampleCurrency("NZD", 2, dollar: 150),
    SampleCurrency("PHP", 2, dollar: 5000), SampleCurrency("THB", 2, dollar: 3200),
    SampleCurrency("TWD", 2, dollar: 31), SampleCurrency("MYR", 2, dollar: 430, only: "MY"),
    SampleCurrency("TRY", 1, dollar: 800, only: "TR"),
  ]

  /// Each currency repeated by its weight.
  static let weighted = all.flatMap { repeatElement($0, count: $0.weight) }

  /// The currencies that only one country's parties may use.
  static let inCountryOnly = all.filter { $0.onlyCountry != nil }
}
