import ExactArithmetic
import Text

extension TextBuffer {
  /// Appends an amount of zero or more with two implied decimals, whatever the currency's: 0.05 is `5`, 100 yen `10000`.
  ///
  /// - Precondition: its exponent is 0, -1 or -2, as settlement amounts have it.
  mutating func append(implied amount: ExactDecimal) {
    precondition(!amount.isNegative && amount.exponent <= 0 && amount.exponent >= -2, "no amount of a settlement")
    guard !amount.isZero else { return append(UInt8(ascii: "0")) }
    let zeros = 2 + amount.exponent
    if let magnitude = amount.inlineMagnitude {
      append(ExactDecimal(magnitude: magnitude))
    } else {
      let start = reserve(amount.maximumPlainLength)
      let count = amount.writePlain(to: start)
      // A large one has digits other than zeros before its point.
      var written = 0
      for index in 0..<count where start[index] != UInt8(ascii: ".") {
        start[written] = start[index]
        written += 1
      }
      advance(by: written)
    }
    for _ in 0..<zeros { append(UInt8(ascii: "0")) }
  }
}
