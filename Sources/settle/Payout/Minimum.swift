import ArgumentParser
import ExactArithmetic
import Money

/// The least balance that is paid in a currency, as `--minimum` gives it: `CUR=AMOUNT`.
struct Minimum {
  let currency: Currency
  /// With the currency's decimals.
  let amount: ExactDecimal

  /// Throws if a text is not a currency and an amount of zero or more.
  @Sendable static func parsed(_ text: String) throws -> Minimum {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if let code = parts.first?.uppercased(), code != parts[0], Currency(code: code) != nil {
      throw ValidationError("expected a currency in capital letters: \(code)")
    }
    guard parts.count == 2, let currency = Currency(code: String(parts[0])),
      let amount = DecimalLimits.decimal(Array(parts[1].utf8))?.exact(at: -currency.settlementExponent),
      !amount.isNegative || amount.isZero
    else { throw ValidationError("expected a currency and an amount, such as USD=1") }
    let least = amount.isZero ? ExactDecimal.zero(at: -currency.settlementExponent) : amount
    return Minimum(currency: currency, amount: least)
  }
}
