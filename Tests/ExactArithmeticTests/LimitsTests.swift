import ExactArithmetic
import TestOracles
import Testing

/// Coefficients of thousands of digits, and refused operations.
struct LimitsTests {
  private static func digits(_ count: Int, _ pattern: String) -> ExactDecimal {
    ExactDecimal(String(String(repeating: pattern, count: count / pattern.count + 1).prefix(count)))!
  }

  @Test(arguments: [30, 100, 1_000, 1_300, 20_000])
  func binomialFormulaHolds(count: Int) {
    let a = Self.digits(count, "9876543210123")
    let b = Self.digits(count * 2 / 3, "31415926535897932384626433")
    #expect(((a + b) * (a - b)).isIdentical(to: a * a - b * b))
    #expect(a * a > b * b && a * b < a * a && a - b - a == -b)
  }

  @Test(arguments: [30, 1_000, 1_300, 20_000])
  func roundsLongCoefficients(count: Int) {
    let nines = Self.digits(count, "9")
    let one = ExactDecimal(1, exponent: count)
    #expect(nines.quantized(to: count, rounding: .halfUp).isIdentical(to: one))
    #expect(nines.quantized(to: count, rounding: .down) == .zero)
    #expect((nines + ExactDecimal(1)).strippingTrailingZeros().isIdentical(to: one))
    #expect(nines.quantized(to: 1, rounding: .down).description == String(repeating: "9", count: count - 1) + "0")
    #expect(nines.exact(at: 1) == nil && one.exact(at: 0) == nines + ExactDecimal(1))
  }

  @Test func reachesTheLimit() {
    let limit = ExactDecimalLimits.maximumDigits
    let longest = ExactDecimal(1, exponent: limit - 1) - ExactDecimal(1)
    #expect(longest.digitCount == limit - 1)
    let half = Self.digits(limit / 2, "9")
    #expect((half * half).digitCount == limit)
    #expect((ExactDecimal(1, exponent: limit - 1) + ExactDecimal(1)).digitCount == limit)
    // The product has more digits than allowed, but is never stored.
    let product = ExactDecimal.quantizedProduct(longest, longest, to: 2 * limit - 10, rounding: .up)
    #expect(product.inlineMagnitude == 100_000_000)
  }

  @Test func zerosNeedNoDigits() {
    let zero = ExactDecimal(0, exponent: 2_000_000_000)
    #expect((zero + ExactDecimal(5)).isIdentical(to: ExactDecimal(5)))
    #expect(zero.quantized(to: -2_000_000_000, rounding: .up).isZero)
    #expect((zero * ExactDecimal(5, exponent: -2_000_000_000)).isIdentical(to: .zero))
  }

  @Test func trapsOnTooManyDigits() async {
    await expectMessage("more than 100000 digits") {
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = ExactDecimal(1, exponent: 2_000_000_000) + ExactDecimal(1)
      }
    }
    await expectMessage("more than 100000 digits") {
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = ExactDecimal(1).quantized(to: -100_000, rounding: .down)
      }
    }
    await expectMessage("more than 100000 digits") {
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let half = ExactDecimal(1, exponent: 50_000).quantized(to: 0, rounding: .down)
        _ = half * half
      }
    }
  }

  @Test func trapsOnExponents() async {
    await expectMessage("outside the range of Int32") {
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = ExactDecimal(1, exponent: 2_147_483_648)
      }
    }
    await expectMessage("outside the range of Int32") {
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = ExactDecimal(1, exponent: 2_000_000_000) * ExactDecimal(1, exponent: 2_000_000_000)
      }
    }
    await expectMessage("outside the range of Int32") {
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = ExactDecimal(0).quantized(to: -2_147_483_649, rounding: .down)
      }
    }
  }

  @Test func trapsOnMalformedLiteral() async {
    await expectMessage("a malformed text has no value") {
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let literal = DecimalLiteral.scan([120].span, digitLimit: 9, exponentLimit: 9)
        _ = literal.decimal(text: [120].span)
      }
    }
  }

  /// Requires that a process that was expected to fail did so with this message, and not for another reason.
  private func expectMessage(
    _ message: String, location: SourceLocation = #_sourceLocation, from exit: () async -> ExitTest.Result?
  ) async {
    let output = await exit()?.standardErrorContent ?? []
    #expect(String(decoding: output, as: UTF8.self).contains(message), sourceLocation: location)
  }
}
