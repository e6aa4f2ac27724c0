extension ExactDecimal: CustomStringConvertible {
  /// An upper bound of the number of bytes that ``writePlain(to:)`` writes. Cheap to compute, and only slightly too
  /// large.
  @inlinable
  public var maximumPlainLength: Int {
    // A sign, a point, a zero before it, and 20 digits, which are enough for 64 bits.
    (_large == nil ? 22 : largeMaximumDigitCount &+ 3) &+ Int(_exponent.magnitude)
  }

  /// Writes the value in plain notation as ASCII and returns the number of bytes written, at most
  /// ``maximumPlainLength``.
  ///
  /// There are exactly max(0, -exponent) decimals, trailing zeros kept: 150 × 10^-2 is `1.50`. For a positive
  /// exponent zeros are appended: 12 × 10^2 is `1200`, zero × 10^2 is `0`. A negative number starts with `-`,
  /// but never a zero: -0.00 is `0.00`.
  ///
  /// The memory must have room for ``maximumPlainLength`` bytes; nothing after the bytes written is touched.
  @inlinable @inline(__always)
  public func writePlain(to output: UnsafeMutablePointer<UInt8>) -> Int {
    guard _large == nil else { return unsafe writeLargePlain(to: output) }
    // Most figures of a row are zero.
    if _small == 0, _exponent == -2 {
      unsafe UnsafeMutableRawPointer(output).storeBytes(of: 0x3030_2E30, as: UInt32.self)  // 0.00
      return 4
    }
    return unsafe PlainNotation.write(_small, exponent: Int(_exponent), isNegative: _isNegative, to: output)
  }

  /// The value in plain notation, as ``writePlain(to:)`` writes it: `-1.50`.
  ///
  /// If that would be longer than ``ExactDecimalLimits/maximumDigits`` and some bytes, it is the
  /// ``scientificDescription`` instead. Reading the text with ``init(_:)`` gives an equal value, and an identical one
  /// unless it is -0 or the exponent is positive.
  public var description: String {
    guard digitCount + abs(exponent) <= ExactDecimalLimits.maximumDigits else { return scientificDescription }
    return unsafe String(unsafeUninitializedCapacity: maximumPlainLength) { unsafe writePlain(to: $0.baseAddress!) }
  }

  /// The text that to-scientific-string of General Decimal Arithmetic gives.
  ///
  /// It shows sign, digits and exponent exactly: 150 × 10^-2 is `1.50`, 12 × 10^2 is `1.2E+3`, 5 × 10^-9 is `5E-9` and
  /// a negative zero is `-0`. Plain notation is used for exponents of at most 0 and numbers of at least 10^-6.
  public var scientificDescription: String {
    let sign = _isNegative ? "-" : ""
    let digits = coefficientDigits
    let adjusted = exponent + digits.count - 1
    if exponent <= 0 && adjusted >= -6 {
      return sign + Self.withPoint(digits, decimals: -exponent)
    }
    let fraction = digits.count > 1 ? ".\(digits.dropFirst())" : ""
    return "\(sign)\(digits.prefix(1))\(fraction)E\(adjusted < 0 ? "-" : "+")\(adjusted.magnitude)"
  }
}

extension ExactDecimal {
  @usableFromInline
  var largeMaximumDigitCount: Int { withLimbs { $0.maximumDigitCount } }

  /// The digits of the coefficient, `0` for zero.
  private var coefficientDigits: String {
    withLimbs { limbs in
      unsafe String(unsafeUninitializedCapacity: limbs.digitBytes) { unsafe limbs.writeDigits(to: $0.baseAddress!) }
    }
  }

  /// The digits with a point before the last `decimals` of them, and a zero before the point if no digit is there.
  private static func withPoint(_ digits: String, decimals: Int) -> String {
    let padded = String(repeating: "0", count: max(0, 1 + decimals - digits.count)) + digits
    return decimals == 0 ? padded : "\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
  }

  /// ``writePlain(to:)`` for any value.
  @usableFromInline @inline(never)
  func writeLargePlain(to output: UnsafeMutablePointer<UInt8>) -> Int {
    withLimbs { limbs in
      unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: limbs.digitBytes) { room in
        let digits = room.baseAddress!
        let count = unsafe limbs.writeDigits(to: digits)
        var end = unsafe output
        func append(zeros: Int) {
          unsafe end.update(repeating: PlainNotation.zero, count: zeros)
          unsafe end += zeros
        }
        func append(_ range: Range<Int>) {
          unsafe end.update(from: digits + range.lowerBound, count: range.count)
          unsafe end += range.count
        }
        func append(_ mark: UInt8) {
          unsafe end.pointee = mark
          unsafe end += 1
        }
        let whole = max(0, count - max(0, -exponent))
        if _isNegative, !isZero { append(UInt8(ascii: "-")) }
        if whole == 0 { append(zeros: 1) }
        append(0..<whole)
        if exponent < 0 {
          append(UInt8(ascii: "."))
          append(zeros: max(0, -exponent - count))
          append(whole..<count)
        } else if !isZero {
          append(zeros: exponent)
        }
        return unsafe end - output
      }
    }
  }
}
