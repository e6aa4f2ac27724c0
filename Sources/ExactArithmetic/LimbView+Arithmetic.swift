internal import CGMP

// Each operation takes the limbs of its result and its temporaries from the scratch space: at most the number that its
// comment or its companion named ...Limbs says.

extension LimbView {
  /// self + other; takes max(count, other.count) + 1 limbs.
  func sum(_ other: LimbView, in scratch: inout LimbScratch) -> LimbView {
    let (long, short) = count >= other.count ? (self, other) : (other, self)
    guard !short.isZero else { return long }
    let result = unsafe scratch.take(long.count + 1)
    unsafe result[long.count] = unsafe cgmp_add(result, long.limbs, long.count, short.limbs, short.count)
    return unsafe LimbView(trimming: result, count: long.count + 1)
  }

  /// self - other for self >= other; takes `count` limbs.
  func difference(_ other: LimbView, in scratch: inout LimbScratch) -> LimbView {
    guard !other.isZero else { return self }
    let result = unsafe scratch.take(count)
    let borrow = unsafe cgmp_sub(result, limbs, count, other.limbs, other.count)
    assert(borrow == 0, "the subtrahend is larger than the minuend")
    return unsafe LimbView(trimming: result, count: count)
  }

  /// self × other; takes count + other.count limbs.
  func product(_ other: LimbView, in scratch: inout LimbScratch) -> LimbView {
    let (long, short) = count >= other.count ? (self, other) : (other, self)
    guard !short.isZero else { return short }
    let result = unsafe scratch.take(long.count + short.count)
    if short.count == 1 {
      unsafe result[long.count] = unsafe cgmp_mul_limb(result, long.limbs, long.count, short.lowLimb)
    } else {
      unsafe cgmp_mul(result, long.limbs, long.count, short.limbs, short.count)
    }
    return unsafe LimbView(trimming: result, count: long.count + short.count)
  }

  /// The limbs that ``scaled(byTenTo:in:)`` takes.
  func scaledLimbs(byTenTo n: Int) -> Int {
    isZero ? 0 : count + LargePowersOfTen.limbCount(n)
  }

  /// self × 10^n for n >= 0; traps if that has too many digits.
  func scaled(byTenTo n: Int, in scratch: inout LimbScratch) -> LimbView {
    guard n > 0, !isZero else { return self }
    guard n > PowersOfTen.maximumExponent else {
      let result = unsafe scratch.take(count + 1)
      unsafe result[count] = unsafe cgmp_mul_limb(result, limbs, count, PowersOfTen.power(n))
      return unsafe LimbView(trimming: result, count: count + 1)
    }
    return LargePowersOfTen.withPower(n) { product($0, in: &scratch) }
  }

  /// Traps unless self × 10^n is within the limits. Call it before allocating memory for the product.
  func checkScaling(byTenTo n: Int) {
    let limit = ExactDecimalLimits.maximumDigits
    guard n > 0, !isZero, n > limit - maximumDigitCount else { return }
    if n > limit - digitCount { ExactDecimalLimits.trapOnDigits() }
  }

  /// The limbs that ``truncated(byTenTo:in:)`` takes.
  var truncatedLimbs: Int { 2 * count + 2 }

  /// self / 10^n for n > 0, truncated, and the discarded part.
  func truncated(byTenTo n: Int, in scratch: inout LimbScratch) -> (quotient: LimbView, discarded: DiscardedPart) {
    if n <= PowersOfTen.maximumExponent {
      guard !isZero else { return (self, .zero) }
      let power = PowersOfTen.power(n)
      let quotient = unsafe scratch.take(count)
      let remainder = unsafe cgmp_divide_limb(quotient, limbs, count, power)
      return unsafe (
        LimbView(trimming: quotient, count: count),
        DiscardedPart(remainder: remainder, half: power >> 1)
      )
    }
    let nothing = unsafe LimbView(limbs: limbs, count: 0)
    // More zeros than digits: the power might be astronomical and is not needed.
    guard n <= maximumDigitCount else { return (nothing, isZero ? .zero : .belowHalf) }
    return LargePowersOfTen.withPower(n) { power in
      guard count >= power.count else { return (nothing, discarded(of: power, in: &scratch)) }
      let quotientCount = count - power.count + 1
      let quotient = unsafe scratch.take(quotientCount)
      let remainder = unsafe scratch.take(power.count)
      unsafe cgmp_divide(quotient, remainder, limbs, count, power.limbs, power.count)
      return unsafe (
        LimbView(trimming: quotient, count: quotientCount),
        LimbView(trimming: remainder, count: power.count).discarded(of: power, in: &scratch)
      )
    }
  }

  /// Classifies self as a remainder of a division by `divisor`.
  private func discarded(of divisor: LimbView, in scratch: inout LimbScratch) -> DiscardedPart {
    guard !isZero else { return .zero }
    let doubled = unsafe scratch.take(count + 1)
    unsafe doubled[count] = unsafe cgmp_shift_left(doubled, limbs, count, 1)
    let order = unsafe LimbView(trimming: doubled, count: count + 1).compare(divisor)
    return order < 0 ? .belowHalf : order == 0 ? .half : .aboveHalf
  }

  /// The limbs that ``rescaled(by:rounding:isNegative:in:)`` takes.
  func rescaledLimbs(by shift: Int) -> Int {
    shift > 0 ? truncatedLimbs + count + 1 : scaledLimbs(byTenTo: -shift)
  }

  /// The coefficient after the exponent grows by `shift`, which may have either sign.
  func rescaled(
    by shift: Int, rounding: RoundingMode, isNegative: Bool, in scratch: inout LimbScratch
  ) -> LimbView {
    guard shift > 0 else { return scaled(byTenTo: -shift, in: &scratch) }
    let (quotient, discarded) = truncated(byTenTo: shift, in: &scratch)
    let increment = rounding.increment(isOdd: quotient.lowLimb & 1 == 1, discarding: discarded, isNegative: isNegative)
    guard increment != 0 else { return quotient }
    let result = unsafe scratch.take(quotient.count + 1)
    guard !quotient.isZero else {
      unsafe result[0] = 1
      return unsafe LimbView(limbs: result, count: 1)
    }
    unsafe result[quotient.count] = unsafe cgmp_add_limb(result, quotient.limbs, quotient.count, 1)
    return unsafe LimbView(trimming: result, count: quotient.count + 1)
  }
}
