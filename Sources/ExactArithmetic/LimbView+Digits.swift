internal import CGMP

extension LimbView {
  /// The number of bytes that ``writeDigits(to:)`` needs, slightly more than it returns.
  var digitBytes: Int { maximumDigitCount + 20 }

  /// Writes the decimal digits as ASCII, `0` for zero, and returns their number.
  func writeDigits(to output: UnsafeMutablePointer<UInt8>) -> Int {
    guard !isZero else {
      unsafe output.pointee = PlainNotation.zero
      return 1
    }
    // GMP destroys its input.
    let written = withLimbScratch(count + 1) { scratch in
      let copy = unsafe scratch.take(count + 1)
      unsafe copy.initialize(from: limbs, count: count)
      return unsafe cgmp_get_digits(output, copy, count)
    }
    var leadingZeros = 0
    while leadingZeros < written - 1, unsafe output[leadingZeros] == 0 { leadingZeros += 1 }
    let digits = written - leadingZeros
    for position in 0..<digits { unsafe output[position] = unsafe output[position + leadingZeros] | PlainNotation.zero }
    return digits
  }

  /// The number that the given digits, values 0...9, spell; takes ``readingLimbs(count:)`` limbs.
  static func reading(digits: [UInt8], in scratch: inout LimbScratch) -> LimbView {
    let limbs = unsafe scratch.take(readingLimbs(count: digits.count))
    return unsafe LimbView(trimming: limbs, count: cgmp_set_digits(limbs, digits, digits.count))
  }

  /// The limbs that ``reading(digits:in:)`` takes.
  static func readingLimbs(count: Int) -> Int { LargePowersOfTen.limbCount(count) + 2 }
}
