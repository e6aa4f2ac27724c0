import ExactArithmetic
import Text

// Writes single values.
extension PaymentComposer {
  /// Writes a key that no other payment of the batch has: three letters and 64 bits, scrambled one to one from the
  /// index.
  mutating func writePayKey() {
    let index = UInt64(draft.index - (draft.repeatsKeyBefore ? 1 : 0))
    writeKey("AP", SampleRandom.mixed(index ^ SampleRandom.mixed(seed)))
  }

  /// Writes a key of two letters and 64 bits.
  mutating func writeKey(_ letters: StaticString, _ bits: UInt64) {
    var bits = bits
    text.append(#"""#)
    text.append(letters)
    text.append("-")
    for _ in 0..<13 {
      text.append(PaymentComposer.keyDigits[Int(bits & 31)])
      bits >>= 5
    }
    text.append(#"""#)
  }

  private static let keyDigits = Array("0123456789ABCDEFGHJKLMNPRSTUVWXY".utf8)

  mutating func writeQuoted(_ spelling: StaticString) {
    text.append(#"""#)
    text.append(spelling)
    text.append(#"""#)
  }

  mutating func writeQuoted(_ code: String) {
    text.append(#"""#)
    text.append(code)
    text.append(#"""#)
  }

  /// Writes a code after the name of its field.
  mutating func writeQuoted(_ name: StaticString, _ code: String) {
    text.append(name)
    writeQuoted(code)
  }

  /// Writes the time of the payment: payments are spread evenly over the batch's day.
  mutating func writeTimestamp() {
    let millisecond = UInt64(draft.index * 86_400_000 / options.payments)
    text.append("\"\(day)T")
    text.append(number: millisecond / 3_600_000, digits: 2)
    text.append(":")
    text.append(number: millisecond / 60_000 % 60, digits: 2)
    text.append(":")
    text.append(number: millisecond / 1000 % 60, digits: 2)
    let lot = random.below(32)
    if lot >= 6 {
      text.append(".")
      text.append(number: millisecond % 1000, digits: 3)
    }
    text.append(lot % 16 < 14 ? #"Z""# : lot % 16 == 14 ? #"-05:00""# : #"+01:00""#)
  }

  /// Writes an amount of the payment's currency.
  mutating func writeAmount(_ amount: UInt64) {
    writeDecimal(amount, decimals: draft.currency.currency.settlementExponent)
  }

  /// Writes an amount after the name of its field.
  mutating func writeAmount(_ name: StaticString, _ amount: UInt64) {
    text.append(name)
    writeAmount(amount)
  }

  /// Writes `mantissa / 10^decimals`: mostly as a string, sometimes as a number or in another spelling.
  mutating func writeDecimal(_ mantissa: UInt64, decimals: Int) {
    let lot = random.below(256)
    let isString = lot == 0 || lot >= 12
    let decimal = ExactDecimal(magnitude: mantissa, exponent: -decimals)
    if isString { text.append(#"""#) }
    if lot < 2 {
      text.append(PaymentComposer.scientific(mantissa, decimals: decimals))
    } else {
      text.append(lot < 24 ? decimal.strippingTrailingZeros() : decimal)
    }
    if isString { text.append(#"""#) }
  }

  /// `mantissa / 10^decimals` as `1.5e1`: one digit before the point, no zeros at the end.
  static func scientific(_ mantissa: UInt64, decimals: Int) -> String {
    let digits = String(mantissa)
    var fraction = digits.dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return "\(digits.prefix(1))\(fraction.isEmpty ? "" : ".")\(fraction)e\(digits.count - 1 - decimals)"
  }

  mutating func writeCount(_ item: ItemDraft) {
    let isString = item.article & 32 != 0
    if isString { text.append(#"""#) }
    text.append(ExactDecimal(magnitude: item.count, exponent: -item.countDecimals).strippingTrailingZeros())
    if isString { text.append(#"""#) }
  }
}

extension TextBuffer {
  /// Appends a whole number in decimal, with leading zeros up to `digits` digits.
  mutating func append(number: UInt64, digits: Int = 1) {
    let decimal = ExactDecimal(magnitude: number)
    for _ in 0..<max(0, digits - decimal.digitCount) { append(UInt8(ascii: "0")) }
    append(decimal)
  }
}
