import ExactArithmetic

/// What a second of a call costs and how it is taxed, as the telco benchmark has it.
///
/// Mike Cowlishaw's *telco* benchmark (<https://speleotrove.com/decimal/telco.html>) is a telephone company's billing
/// run: the price of each call, rounded to cents, and two taxes on it, each cut to cents.
public struct Tariff: Sendable {
  /// The price of a second, for a local call and for a distance call.
  public let localRate, distanceRate: ExactDecimal
  /// The share of the price that every call pays as tax, and the share that a distance call pays besides.
  public let basicTaxRate, distanceTaxRate: ExactDecimal

  /// The benchmark's rates: 0.0013 and 0.00894 a second, 6.75 % and 3.41 %.
  public static let published = Tariff(decimals: 5)

  /// The same rates with 40 decimals, nearly all of them zeros: equal numbers whose coefficients are beyond 64 bits,
  /// so that every product is computed with GMP. The amounts must come out the same.
  public static let publishedThroughGMP = Tariff(decimals: 40)

  private init(decimals: Int) {
    func rate(_ tenThousandths: Int, _ exponent: Int) -> ExactDecimal {
      ExactDecimal(tenThousandths, exponent: exponent).quantized(to: -decimals, rounding: .down)
    }
    localRate = rate(13, -4)
    distanceRate = rate(894, -5)
    basicTaxRate = rate(675, -4)
    distanceTaxRate = rate(341, -4)
  }
}

/// The sums of a billing run: exact, at cents.
public struct CallTotals: Equatable, Sendable {
  /// The sum of what the calls cost, taxes included.
  public var prices = ExactDecimal(0, exponent: -2)
  /// The sum of the basic tax.
  public var basicTax = ExactDecimal(0, exponent: -2)
  /// The sum of the tax on distance calls.
  public var distanceTax = ExactDecimal(0, exponent: -2)

  /// The sums of no calls.
  public init() {}
}
