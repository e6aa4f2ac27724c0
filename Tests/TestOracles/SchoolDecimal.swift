import ExactArithmetic

/// The oracle: decimal arithmetic as taught in school, on arrays of digits, without any code of the implementation
/// under test. Slow and obvious.
public struct SchoolDecimal: Equatable, CustomStringConvertible, Sendable {
  /// 0...9, least significant first, without leading zeros; empty for zero.
  public var digits: [Int]
  /// The power of ten of the last digit.
  public var exponent: Int
  /// Whether there is a minus sign; a zero may have one.
  public var isNegative: Bool

  /// A number of digits, least significant first.
  public init(digits: [Int], exponent: Int = 0, isNegative: Bool = false) {
    self.digits = Self.trimmed(digits)
    self.exponent = exponent
    self.isNegative = isNegative
  }

  /// Digits in the usual order.
  public init(_ text: String, exponent: Int = 0, isNegative: Bool = false) {
    self.init(digits: text.reversed().map { $0.wholeNumberValue! }, exponent: exponent, isNegative: isNegative)
  }

  /// A value of the engine, read from its scientific description.
  public init(_ decimal: ExactDecimal) {
    var text = decimal.scientificDescription[...]
    let isNegative = text.first == "-"
    if isNegative { text = text.dropFirst() }
    let parts = text.split(separator: "E")
    let number = parts[0].split(separator: ".")
    let fraction = number.count > 1 ? number[1] : ""
    let exponent = parts.count > 1 ? Int(parts[1])! : 0
    self.init(String(number[0] + fraction), exponent: exponent - fraction.count, isNegative: isNegative)
  }

  /// A literal of exactly this value.
  public var description: String { "\(isNegative ? "-" : "")\(coefficient)e\(exponent)" }

  /// The digits in the usual order, without the point.
  public var coefficient: String { digits.isEmpty ? "0" : digits.reversed().map(String.init).joined() }

  /// Whether it is a zero, of either sign.
  public var isZero: Bool { digits.isEmpty }

  private static func trimmed(_ digits: [Int]) -> [Int] {
    var digits = digits
    while digits.last == 0 { digits.removeLast() }
    return digits
  }
}

extension SchoolDecimal {
  /// The exact sum.
  public static func + (a: SchoolDecimal, b: SchoolDecimal) -> SchoolDecimal { sum(a, b, mode: .halfEven) }

  /// The exact difference.
  public static func - (a: SchoolDecimal, b: SchoolDecimal) -> SchoolDecimal { a + (-b) }

  /// The same with the other sign, also for zero.
  public static prefix func - (a: SchoolDecimal) -> SchoolDecimal {
    SchoolDecimal(digits: a.digits, exponent: a.exponent, isNegative: !a.isNegative)
  }

  /// The sum; only the sign of an exact zero depends on the mode.
  public static func sum(_ a: SchoolDecimal, _ b: SchoolDecimal, mode: RoundingMode) -> SchoolDecimal {
    let exponent = min(a.exponent, b.exponent)
    let (x, y) = (a.padded(to: exponent), b.padded(to: exponent))
    if a.isNegative == b.isNegative {
      return SchoolDecimal(digits: added(x, y), exponent: exponent, isNegative: a.isNegative)
    }
    switch order(x, y) {
    case 0: return SchoolDecimal(digits: [], exponent: exponent, isNegative: mode == .floor)
    case 1...: return SchoolDecimal(digits: subtracted(x, y), exponent: exponent, isNegative: a.isNegative)
    default: return SchoolDecimal(digits: subtracted(y, x), exponent: exponent, isNegative: b.isNegative)
    }
  }

  /// The exact product.
  public static func * (a: SchoolDecimal, b: SchoolDecimal) -> SchoolDecimal {
    var columns = [Int](repeating: 0, count: a.digits.count + b.digits.count + 1)
    for (i, x) in a.digits.enumerated() {
      for (j, y) in b.digits.enumerated() { columns[i + j] += x * y }
    }
    for place in columns.indices.dropLast() {
      columns[place + 1] += columns[place] / 10
      columns[place] %= 10
    }
    return SchoolDecimal(
      digits: columns, exponent: a.exponent + b.exponent, isNegative: a.isNegative != b.isNegative)
  }

  /// -1, 0 or 1 as a is less than, equal to or greater than b.
  public static func order(_ a: SchoolDecimal, _ b: SchoolDecimal) -> Int {
    let difference = a - b
    return difference.isZero ? 0 : difference.isNegative ? -1 : 1
  }

  /// The value at an exponent, rounded if digits are lost.
  public func quantized(to target: Int, _ mode: RoundingMode) -> SchoolDecimal {
    guard target > exponent else {
      return SchoolDecimal(digits: padded(to: target), exponent: target, isNegative: isNegative)
    }
    let cut = min(target - exponent, digits.count + 1)
    let kept = Array(digits.dropFirst(cut))
    let lost = Array((digits + [0]).prefix(cut))
    let tie = lost.last == 5 && lost.dropLast().allSatisfy { $0 == 0 }
    let above = lost.last! >= 5 && !tie
    let inexact = lost.contains { $0 != 0 }
    let away =
      switch mode {
      case .halfUp: above || tie
      case .halfDown: above
      case .halfEven: above || (tie && (kept.first ?? 0) % 2 == 1)
      case .up: inexact
      case .down: false
      case .ceiling: inexact && !isNegative
      case .floor: inexact && isNegative
      }
    return SchoolDecimal(
      digits: away ? Self.added(kept, [1]) : kept, exponent: target, isNegative: isNegative)
  }

  /// The value at an exponent; nil if digits would be lost.
  public func exact(at target: Int) -> SchoolDecimal? {
    let (down, up) = (quantized(to: target, .down), quantized(to: target, .up))
    return down == up ? down : nil
  }

  /// The same value without trailing zeros; a zero gets the exponent 0.
  public func strippingTrailingZeros() -> SchoolDecimal {
    guard !isZero else { return SchoolDecimal(digits: [], isNegative: isNegative) }
    let zeros = digits.prefix { $0 == 0 }.count
    return SchoolDecimal(digits: Array(digits.dropFirst(zeros)), exponent: exponent + zeros, isNegative: isNegative)
  }

  /// Plain notation.
  public var plain: String {
    let sign = isNegative && !isZero ? "-" : ""
    if exponent >= 0 { return sign + (isZero ? "0" : coefficient + String(repeating: "0", count: exponent)) }
    let padding = String(repeating: "0", count: max(0, 1 - exponent - coefficient.count))
    let all = padding + coefficient
    return sign + all.dropLast(-exponent) + "." + all.suffix(-exponent)
  }

  private func padded(to target: Int) -> [Int] {
    isZero ? [] : [Int](repeating: 0, count: exponent - target) + digits
  }

  private static func added(_ a: [Int], _ b: [Int]) -> [Int] {
    var (sum, carry) = ([Int](), 0)
    for place in 0...max(a.count, b.count) {
      let column = (place < a.count ? a[place] : 0) + (place < b.count ? b[place] : 0) + carry
      sum.append(column % 10)
      carry = column / 10
    }
    return sum
  }

  /// a - b for a >= b.
  private static func subtracted(_ a: [Int], _ b: [Int]) -> [Int] {
    var (difference, borrow) = ([Int](), 0)
    for place in a.indices {
      let column = a[place] - (place < b.count ? b[place] : 0) - borrow
      difference.append(column < 0 ? column + 10 : column)
      borrow = column < 0 ? 1 : 0
    }
    return difference
  }

  private static func order(_ a: [Int], _ b: [Int]) -> Int {
    if a.count != b.count { return a.count < b.count ? -1 : 1 }
    for (x, y) in zip(a.reversed(), b.reversed()) where x != y { return x < y ? -1 : 1 }
    return 0
  }
}
