import TestOracles
import TestSupport
import Testing

@testable import ExactArithmetic

/// Every operation gives the same result on the inline path, through GMP, and by school arithmetic.
///
/// The `large...` functions use GMP even for operands that do not need it.
struct PathAgreementTests {
  private static let rounds = 2_000

  /// Records a disagreement; far cheaper than an `#expect` for each of some 200,000 comparisons.
  private func check(
    _ what: @autoclosure () -> String, _ usual: ExactDecimal, _ large: ExactDecimal, _ expected: SchoolDecimal,
    _ generator: OperandGenerator, _ location: SourceLocation = #_sourceLocation
  ) {
    let agree = usual.isIdentical(to: large) && SchoolDecimal(usual) == expected
    if agree && usual.invariantViolation == nil && large.invariantViolation == nil { return }
    Issue.record(
      """
      \(what()): \(usual.scientificDescription), through GMP \(large.scientificDescription), \
      expected \(expected); \(usual.invariantViolation ?? large.invariantViolation ?? "canonical"); \
      \(generator.random.reproduction)
      """, sourceLocation: location)
  }

  @Test func sumsAndDifferences() {
    var generator = OperandGenerator()
    for _ in 0..<Self.rounds {
      let (x, y) = generator.pair()
      let (a, b) = (ExactDecimal(x), ExactDecimal(y))
      check("\(x) + \(y)", a + b, .largeSum(a, b, bIsNegative: b.isNegative), x + y, generator)
      check("\(x) - \(y)", a - b, .largeSum(a, b, bIsNegative: !b.isNegative), x - y, generator)
      var (sum, difference, negated) = (a, a, a)
      sum.add(b)
      difference.subtract(b)
      negated.negate()
      check("\(x) += \(y)", sum, a + b, x + y, generator)
      check("\(x) -= \(y)", difference, a - b, x - y, generator)
      check("-\(x)", negated, -a, -x, generator)
      for mode in RoundingMode.allCases {
        let sum = a.adding(b, under: mode)
        check("\(x) + \(y) under \(mode)", sum, sum, .sum(x, y, mode: mode), generator)
      }
    }
  }

  @Test func products() {
    var generator = OperandGenerator()
    for _ in 0..<Self.rounds {
      let (x, y) = generator.pair()
      let (a, b) = (ExactDecimal(x), ExactDecimal(y))
      check("\(x) * \(y)", a * b, .largeProduct(a, b), x * y, generator)
    }
  }

  @Test func comparisons() {
    var generator = OperandGenerator()
    for _ in 0..<Self.rounds {
      let (x, y) = generator.pair()
      for (x, y) in [(x, y), (y, x), (x, x), (x, -y)] {
        let (a, b) = (ExactDecimal(x), ExactDecimal(y))
        let expected = SchoolDecimal.order(x, y)
        let agree =
          ExactDecimal.largeOrder(a, b) == expected && (a == b) == (expected == 0) && (a < b) == (expected < 0)
          && (a >= b) == (expected >= 0) && a.isIdentical(to: b) == (x == y)
        if !agree { Issue.record("order of \(x) and \(y); \(generator.random.reproduction)") }
      }
    }
  }

  @Test(arguments: RoundingMode.allCases)
  func quantizing(mode: RoundingMode) {
    var generator = OperandGenerator()
    for _ in 0..<Self.rounds {
      let x = generator.operand()
      let target = generator.target(for: x)
      let a = ExactDecimal(x)
      check(
        "\(x) quantized to \(target), \(mode)", a.quantized(to: target, rounding: mode),
        a.largeQuantized(to: target, rounding: mode), x.quantized(to: target, mode), generator)
    }
  }

  @Test(arguments: RoundingMode.allCases)
  func fusedProducts(mode: RoundingMode) {
    var generator = OperandGenerator()
    for _ in 0..<Self.rounds {
      let (x, y) = generator.pair()
      let z = Bool.random(using: &generator.random) ? generator.operand() : -(x * y)
      let (a, b, c) = (ExactDecimal(x), ExactDecimal(y), ExactDecimal(z))
      let target = generator.target(for: x * y)
      check(
        "\(x) * \(y) to \(target), \(mode)", .quantizedProduct(a, b, to: target, rounding: mode),
        .largeQuantizedProduct(a, b, to: target, rounding: mode), (x * y).quantized(to: target, mode), generator)
      let sum = SchoolDecimal.sum(x * y, z, mode: mode)
      let sumTarget = generator.target(for: sum)
      check(
        "\(x) * \(y) + \(z) to \(sumTarget), \(mode)",
        .quantizedProductSum(a, b, plus: c, to: sumTarget, rounding: mode),
        .largeQuantizedProductSum(a, b, plus: c, to: sumTarget, rounding: mode), sum.quantized(to: sumTarget, mode),
        generator)
    }
  }

  /// Prices as in a pricing loop: with products and sums below and around 2^64.
  @Test(arguments: RoundingMode.allCases)
  func inlineProductSums(mode: RoundingMode) {
    var generator = OperandGenerator()
    var answered = 0
    for _ in 0..<Self.rounds {
      func magnitude() -> UInt64 {
        .random(in: 0 ... .max, using: &generator.random) &>> .random(in: 0..<64, using: &generator.random)
      }
      let (x, y, z) = (magnitude(), magnitude(), magnitude())
      func exponent() -> Int { .random(in: -6...1, using: &generator.random) }
      let (a, b, c) = (exponent(), exponent(), exponent())
      let target = a + b + .random(in: -1...21, using: &generator.random)
      guard
        let sum = ExactDecimal.inlineProductSum(
          x, exponent: a, y, exponent: b, plus: z, exponent: c, to: target, rounding: mode)
      else { continue }
      answered += 1
      let expected = ExactDecimal.largeQuantizedProductSum(
        ExactDecimal(magnitude: x, exponent: a), ExactDecimal(magnitude: y, exponent: b),
        plus: ExactDecimal(magnitude: z, exponent: c), to: target, rounding: mode)
      if !ExactDecimal(magnitude: sum, exponent: target).isIdentical(to: expected) {
        let sums = "\(x)E\(a) * \(y)E\(b) + \(z)E\(c) to \(target), \(mode)"
        Issue.record("\(sums): \(sum), not \(expected.scientificDescription); \(generator.random.reproduction)")
      }
    }
    #expect(answered > Self.rounds / 10, "hardly any price took this path; \(generator.random.reproduction)")
  }

  @Test func exactRescalingAndStripping() {
    var generator = OperandGenerator()
    for _ in 0..<Self.rounds {
      let x = generator.operand()
      let target = generator.target(for: x)
      let a = ExactDecimal(x)
      let (usual, expected) = (a.exact(at: target), x.exact(at: target))
      if let usual, let expected {
        check("\(x) exactly at \(target)", usual, usual, expected, generator)
        var rescaled = a
        check("\(x) rescaled to \(target)", rescaled.rescale(to: target) ? rescaled : .zero, usual, expected, generator)
      } else if usual != nil || expected != nil {
        Issue.record("\(x) exactly at \(target); \(generator.random.reproduction)")
      } else {
        var rescaled = a
        if rescaled.rescale(to: target) || !rescaled.isIdentical(to: a) {
          Issue.record("\(x) rescaled to \(target); \(generator.random.reproduction)")
        }
      }
      let stripped = a.strippingTrailingZeros()
      check("\(x) stripped", stripped, stripped, x.strippingTrailingZeros(), generator)
    }
  }

  @Test func texts() {
    var generator = OperandGenerator()
    for _ in 0..<Self.rounds {
      let x = generator.operand()
      let a = ExactDecimal(x)
      let reread = a.digitCount == a.largeDigitCount && a.digitCount == x.coefficient.count
      if !reread || a.plain() != x.plain || a.largePlain() != x.plain || a.description != x.plain {
        Issue.record("\(x) printed as \(a.plain()) and \(a.largePlain()); \(generator.random.reproduction)")
      }
      let read = ExactDecimal(x.plain)!
      let positive = x.exponent > 0 ? x.quantized(to: 0, .down) : x
      let expected = x.isZero ? SchoolDecimal(digits: [], exponent: min(x.exponent, 0)) : positive
      check("reading \(x.plain)", read, read.throughLargeLiteral(x.plain), expected, generator)
      // Replacing another value, inline or not.
      var placed = ExactDecimal(generator.operand())
      placed.set(literal: x.plain)
      check("taking \(x.plain)", placed, read, expected, generator)
    }
  }
}

extension ExactDecimal {
  init(_ school: SchoolDecimal) { self = ExactDecimal(school.description)! }

  /// What `writePlain` writes, checked against `maximumPlainLength`.
  func plain() -> String { written { writePlain(to: $0) } }

  /// The same, through GMP.
  func largePlain() -> String { written { writeLargePlain(to: $0) } }

  private func written(_ write: (UnsafeMutablePointer<UInt8>) -> Int) -> String {
    let canary: UInt8 = 0xAA
    let capacity = maximumPlainLength
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity + 1)
    defer { memory.deallocate() }
    memory.initialize(repeating: canary, count: capacity + 1)
    let count = write(memory)
    let untouched = (count...capacity).allSatisfy { memory[$0] == canary }
    guard count <= capacity, untouched else { return "wrote \(count) bytes and more into \(capacity)" }
    return String(decoding: UnsafeBufferPointer(start: memory, count: count), as: UTF8.self)
  }

  /// The value of a text whose digits are read through GMP, however many there are.
  fileprivate mutating func set(literal text: String) {
    let bytes = Array(text.utf8)
    let literal = DecimalLiteral.scan(
      bytes.span, digitLimit: ExactDecimalLimits.maximumDigits,
      exponentLimit: ExactDecimalLimits.maximumTextExponent)
    set(literal, text: bytes.span)
  }

  fileprivate func throughLargeLiteral(_ text: String) -> ExactDecimal {
    let bytes = Array(text.utf8)
    let literal = DecimalLiteral(
      magnitude: 0, exponent: Int32(exponent), isNegative: isNegative, form: .large)
    return literal.decimal(text: bytes.span)
  }
}
