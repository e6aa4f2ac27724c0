import Money
import Records

// Writing single values.
extension PaymentComposer {
  /// A key that no other payment of the batch has: three letters and 64 bits, scrambled one to one from the index.
  mutating func writePayKey() {
    let index = UInt64(draft.index - (draft.repeatsKeyBefore ? 1 : 0))
    var bits = SampleRandom.mixed(index ^ SampleRandom.mixed(seed))
    pen.write(#""AP-"#)
    for _ in 0..<13 {
      pen.write(byte: PaymentComposer.keyDigits.utf8Start[Int(bits & 31)])
      bits >>= 5
    }
    pen.write(#"""#)
  }

  private static let keyDigits: StaticString = "0123456789ABCDEFGHJKLMNPRSTUVWXY"

  @inline(__always)
  mutating func writeSpelling(_ spelling: StaticString) {
    pen.write(#"""#)
    pen.write(spelling)
    pen.write(#"""#)
  }

  mutating func writeCurrency() {
    let code = draft.currency.codeBytes
    pen.write(#"""#)
    pen.write(byte: code.0)
    pen.write(byte: code.1)
    pen.write(byte: code.2)
    pen.write(#"""#)
  }

  mutating func writeCountry(_ country: Country) {
    pen.write(#"""#)
    pen.write(vocabulary.countryCodes[Int(country.index)])
    pen.write(#"""#)
  }

  /// The moment of the payment: the batch's day goes by evenly.
  mutating func writeTimestamp() {
    let millisecond = UInt64(draft.index * 86_400_000 / payments)
    pen.write(#""2026-11-19T"#)
    pen.write(number: millisecond / 3_600_000, digits: 2)
    pen.write(":")
    pen.write(number: millisecond / 60_000 % 60, digits: 2)
    pen.write(":")
    pen.write(number: millisecond / 1000 % 60, digits: 2)
    let lot = random.below(32)
    if lot >= 6 {
      pen.write(".")
      pen.write(number: millisecond % 1000, digits: 3)
    }
    pen.write(lot % 16 < 14 ? #"Z""# : lot % 16 == 14 ? #"-05:00""# : #"+01:00""#)
  }

  /// An amount of the payment's currency.
  mutating func writeAmount(_ amount: UInt64) {
    writeDecimal(amount, decimals: draft.currency.settlementExponent)
  }

  /// `mantissa / 10^decimals`: as a string mostly, as a number or in another spelling now and then.
  mutating func writeDecimal(_ mantissa: UInt64, decimals: Int) {
    let lot = random.below(256)
    if lot >= 12 {
      pen.write(#"""#)
      if lot < 24 {
        writeShort(mantissa, decimals: decimals)
      } else {
        pen.write(mantissa: mantissa, decimals: decimals)
      }
      pen.write(#"""#)
    } else if lot >= 2 {
      writeShort(mantissa, decimals: decimals)
    } else {
      if lot == 0 { pen.write(#"""#) }
      pen.write(scientific: mantissa, decimals: decimals)
      if lot == 0 { pen.write(#"""#) }
    }
  }

  /// Without zeros at the end.
  private mutating func writeShort(_ mantissa: UInt64, decimals: Int) {
    var digits = mantissa
    var decimals = decimals
    while decimals > 0, digits % 10 == 0 {
      digits /= 10
      decimals -= 1
    }
    pen.write(mantissa: digits, decimals: decimals)
  }

  mutating func writeCount(_ item: ItemDraft) {
    if item.article & 32 == 0 {
      writeShort(item.count, decimals: item.countDecimals)
    } else {
      pen.write(#"""#)
      writeShort(item.count, decimals: item.countDecimals)
      pen.write(#"""#)
    }
  }
}
