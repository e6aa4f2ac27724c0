import ExactArithmetic
import TestOracles
import Testing

/// The part of the General Decimal Arithmetic test suite that is about exact results.
///
/// A case runs if all its operands and its result are finite, its rounding mode is one of ``RoundingMode``, no operand
/// has more digits than the precision (the fixed-size formats would round it), and no condition is raised: then the
/// result is exact, and precision and exponent range do not affect it. Only `quantize` may raise Inexact and Rounded.
@Suite(
  .enabled(
    if: DecTestSuite.directory != nil,
    "no decTest files: install libpython3.11-testsuite or set DECTEST_DIR"))
struct DecTestTests {
  /// A file and the minimum number of its cases that must run: about nine in ten of those that run with the files of
  /// Python 3.6 to 3.13.
  struct File: CustomTestStringConvertible {
    var name: String
    var minimum: Int
    var testDescription: String { name }

    init(_ name: String, _ minimum: Int) { (self.name, self.minimum) = (name, minimum) }
  }

  @Test(arguments: [
    File("add", 700), File("ddAdd", 370), File("dqAdd", 440),
    File("subtract", 245), File("ddSubtract", 255), File("dqSubtract", 260),
    File("multiply", 165), File("ddMultiply", 190), File("dqMultiply", 220),
    File("compare", 450), File("ddCompare", 500), File("dqCompare", 510),
    File("quantize", 460), File("ddQuantize", 430), File("dqQuantize", 435),
    File("fma", 890), File("ddFMA", 525), File("dqFMA", 575),
    File("base", 445), File("ddBase", 325), File("dqBase", 320),
    // Not ddReduce and dqReduce: the formats' largest exponents limit results there without any condition.
    File("reduce", 120),
  ])
  func conforms(file: File) throws {
    let cases = try DecTestSuite.cases(of: file.name)
    var (ran, passed) = (0, 0)
    for test in cases {
      guard let (actual, expected) = Self.outcome(of: test) else { continue }
      ran += 1
      if actual == expected {
        passed += 1
      } else {
        Issue.record("\(test.id) \(test.operation) \(test.operands): \(actual) instead of \(expected)")
      }
    }
    print("decTest \(file.name): \(ran) of \(cases.count) cases apply, \(passed) pass")
    #expect(ran >= file.minimum)
  }

  /// Actual and expected result as texts that show sign and exponent; `nil` if the case does not apply.
  private static func outcome(of test: DecTestCase) -> (actual: String, expected: String)? {
    let allowed: Set = test.operation == "quantize" ? ["inexact", "rounded"] : []
    let operands = test.operands.compactMap { ExactDecimal(decTest: $0) }
    guard test.conditions.isSubset(of: allowed), operands.count == test.operands.count,
      let expected = ExactDecimal(decTest: test.result), let mode = test.rounding,
      operands.allSatisfy({ $0.digitCount <= test.precision }),
      let actual = result(of: test.operation, operands, expected: expected, mode)
    else { return nil }
    // toSci is about the exact text.
    let isText = test.operation == "tosci"
    return (actual.scientificDescription, isText ? test.result : expected.scientificDescription)
  }

  private static func result(
    of operation: String, _ operands: [ExactDecimal], expected: ExactDecimal, _ mode: RoundingMode
  ) -> ExactDecimal? {
    switch (operation, operands.count) {
    case ("add", 2): operands[0].adding(operands[1], under: mode)
    case ("subtract", 2): operands[0].adding(-operands[1], under: mode)
    case ("multiply", 2): operands[0] * operands[1]
    case ("compare", 2): ExactDecimal(operands[0] < operands[1] ? -1 : operands[0] == operands[1] ? 0 : 1)
    case ("quantize", 2): operands[0].quantized(to: operands[1].exponent, rounding: mode)
    case ("fma", 3):
      .quantizedProductSum(
        operands[0], operands[1], plus: operands[2], to: expected.exponent, rounding: mode)
    case ("reduce", 1): operands[0].strippingTrailingZeros()
    case ("tosci", 1): operands[0]
    default: nil
    }
  }
}
