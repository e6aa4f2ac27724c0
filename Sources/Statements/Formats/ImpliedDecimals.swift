import ExactArithmetic
import Text

extension TextBuffer {
  /// Appends an amount of zero or more with two implied decimals, whatever the currency's: 0.05 is `5`, 100 yen `10000`.
  ///
  /// - Precondition: its exponent is 0, -1 or -2, as settlement amounts have it.
  mutating func append(implied amount: ExactDecimal) {
    precondition(!amount.isNegative && amount.exponent <= 0 && amount.exponent >= -2, "no amount of a settlement")
    append(amount * ExactDecimal(1, exponent: 2))
  }
}
