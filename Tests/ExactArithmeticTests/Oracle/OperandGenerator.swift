import TestOracles
import TestSupport

/// Draws operands for which arithmetic is error-prone: around the limits of one and two limbs, powers of ten, ties,
/// carries, zeros of both signs.
struct OperandGenerator {
  var random = SeededGenerator()

  /// An operand with an exponent in -70...70.
  mutating func operand() -> SchoolDecimal {
    SchoolDecimal(digits: coefficient(), exponent: exponent(), isNegative: Bool.random(using: &random))
  }

  /// Two operands, often related: of equal or near exponents, nearly cancelling, or with a product around 2^64.
  mutating func pair() -> (SchoolDecimal, SchoolDecimal) {
    let first = operand()
    var second = operand()
    switch Int.random(in: 0..<6, using: &random) {
    case 0: second.exponent = first.exponent
    case 1: second.exponent = first.exponent + Int.random(in: -21...21, using: &random)
    case 2:
      let unit = SchoolDecimal(digits: [Int.random(in: 0...2, using: &random)], exponent: first.exponent)
      second = -(Bool.random(using: &random) ? first + unit : first - unit)
    case 3:
      // One more trailing zero: the same number with another exponent.
      second = SchoolDecimal(
        digits: [0] + first.digits, exponent: first.exponent - 1, isNegative: first.isNegative)
    case 4:
      second = SchoolDecimal(
        digits: digits(count: max(1, 20 - first.digits.count)), exponent: second.exponent,
        isNegative: second.isNegative)
    default: break
    }
    return (first, second)
  }

  /// An interesting target exponent for the value: from far below its digits to beyond them.
  mutating func target(for value: SchoolDecimal) -> Int {
    value.exponent + Int.random(in: -25...(value.digits.count + 3), using: &random)
  }

  private mutating func exponent() -> Int {
    Bool.random(using: &random) ? Int.random(in: -6...2, using: &random) : Int.random(in: -70...70, using: &random)
  }

  private mutating func digits(count: Int) -> [Int] {
    (0..<count).map { _ in Int.random(in: 0...9, using: &random) }
  }

  private mutating func coefficient() -> [Int] {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return []
    case 1: return digits(count: Int.random(in: 1...4, using: &random))
    case 2: return digits(count: Int.random(in: 17...21, using: &random))
    case 3, 4: return near(Self.powersOfTwo.randomElement(using: &random)!)
    case 5: return near([Int](repeating: 0, count: Int.random(in: 0...45, using: &random)) + [1])
    case 6:
      // A tie at some digit.
      let zeros = [Int](repeating: 0, count: Int.random(in: 0...40, using: &random))
      return zeros + [5] + digits(count: Int.random(in: 0...4, using: &random))
    case 7: return [Int](repeating: 9, count: Int.random(in: 1...42, using: &random))
    default: return digits(count: Int.random(in: 1...45, using: &random))
    }
  }

  private mutating func near(_ digits: [Int]) -> [Int] {
    let offset = SchoolDecimal(digits: [Int.random(in: 0...3, using: &random)])
    let value = SchoolDecimal(digits: digits)
    return (Bool.random(using: &random) ? value + offset : value - offset).digits
  }

  /// 2^31, 2^32, 2^33, 2^63, 2^64, 2^127, 2^128, 2^192.
  private static let powersOfTwo: [[Int]] = {
    var power = SchoolDecimal("1")
    return (0...192).compactMap { bit in
      defer { power = power + power }
      return [31, 32, 33, 63, 64, 127, 128, 192].contains(bit) ? power.digits : nil
    }
  }()
}
