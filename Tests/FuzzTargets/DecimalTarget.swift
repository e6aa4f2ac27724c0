import ExactArithmetic
import TestOracles

/// Up to three decimals, separated by spaces: each is read and printed, and used in calculations if it is valid.
enum DecimalTarget {
  /// The specification's limits: digits before the exponent mark, and the exponent's absolute value.
  private static let limit = 64

  static func check(_ bytes: [UInt8]) throws(Disagreement) {
    let memory = GuardedBytes(count: bytes.count + 8)
    try checkReading(bytes, in: memory)
    var operands: [(ExactDecimal, SchoolDecimal)] = []
    for text in bytes.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).prefix(3) {
      if let operand = try checkReading(Array(text), in: memory) { operands.append(operand) }
    }
    guard let first = operands.first else { return }
    let target = first.1.exponent + Int(bytes[bytes.count - 1] % 50) - 25
    for operand in operands {
      try checkPrinting(operand)
      try checkRounding(operand, to: target)
    }
    if operands.count >= 2 { try checkPair(operands[0], operands[1]) }
    if operands.count == 3 { try checkProducts(operands, to: target) }
  }

  // MARK: Texts

  /// Reads a text on each of the paths, in memory where one byte too many cannot be read; compares it with the grammar.
  @discardableResult
  private static func checkReading(
    _ text: [UInt8], in memory: GuardedBytes
  ) throws(Disagreement) -> (ExactDecimal, SchoolDecimal)? {
    let expected = WrittenDecimal(text)
    func scan(_ text: [UInt8], digits: Int = limit, exponent: Int = limit) throws(Disagreement) -> DecimalLiteral {
      let literal = DecimalLiteral.scan(memory.line(text, []), digitLimit: digits, exponentLimit: exponent)
      let other = DecimalLiteral.scan(memory.first(text), digitLimit: digits, exponentLimit: exponent)
      try require(literal.isSame(as: other), "\(shown(text)) reads differently at another place")
      return literal
    }
    let literal = try scan(text)
    let isGood = expected.map { $0.digits <= limit && $0.power.magnitude <= limit } ?? false
    try require((literal.form != .malformed) == isGood, "\(shown(text)) is \(isGood ? "refused" : "taken")")
    guard let expected, isGood else { return nil }
    try require(
      try scan(text, digits: expected.digits - 1).form == .malformed, "\(shown(text)) passes the limit of digits")
    try require(
      literal.isSame(as: try scan(text, digits: expected.digits, exponent: Int(expected.power.magnitude))),
      "\(shown(text)) reads differently just within the limits")
    if !expected.hasExponent {
      for mark in ["e0", "E+000", "e-0"] {
        try require(literal.isSame(as: try scan(text + mark.utf8)), "\(shown(text)) with \(mark) reads differently")
      }
    }
    let decimal = literal.decimal(text: memory.line(text, []))
    try require(literal.isNegative == expected.value.isNegative, "\(shown(text)) has the wrong sign")
    try require(SchoolDecimal(decimal) == expected.value, "\(shown(text)) reads as \(decimal.scientificDescription)")
    try require((literal.form == .inline) == decimal.isInline, "\(shown(text)) stands in the wrong form")
    var placed = ExactDecimal(text.count)
    placed.set(literal, text: memory.line(text, []))
    try require(placed.isIdentical(to: decimal), "\(shown(text)) reads differently in the place of another")
    let string = ExactDecimal(String(decoding: text, as: UTF8.self))
    try require(string?.isIdentical(to: decimal) == true, "\(shown(text)) reads differently as a string")
    return (decimal, expected.value)
  }

  private static func checkPrinting(_ operand: (ExactDecimal, SchoolDecimal)) throws(Disagreement) {
    let (decimal, school) = operand
    let plain = decimal.description
    try require(plain == school.plain, "\(school) is written \(plain)")
    try require(plain.utf8.count <= decimal.maximumPlainLength, "\(school) is longer than foretold")
    let reread = ExactDecimal(plain)
    try require(reread == decimal, "\(plain) does not read as what it was written of, \(school)")
    try require(decimal.digitCount == max(1, school.digits.count) || school.isZero, "\(school) has other digits")
  }

  // MARK: Arithmetic

  private static func checkRounding(
    _ operand: (ExactDecimal, SchoolDecimal), to target: Int
  ) throws(Disagreement) {
    let (a, x) = operand
    for mode in RoundingMode.allCases {
      try same(a.quantized(to: target, rounding: mode), x.quantized(to: target, mode), "\(x) to \(target), \(mode)")
    }
    let exact = x.exact(at: target)
    try require((a.exact(at: target) != nil) == (exact != nil), "\(x) exactly at \(target)")
    var rescaled = a
    try require(rescaled.rescale(to: target) == (exact != nil), "\(x) rescaled to \(target)")
    try same(rescaled, exact ?? x, "\(x) rescaled to \(target)")
    try same(a.strippingTrailingZeros(), x.strippingTrailingZeros(), "\(x) without trailing zeros")
  }

  private static func checkPair(
    _ first: (ExactDecimal, SchoolDecimal), _ second: (ExactDecimal, SchoolDecimal)
  ) throws(Disagreement) {
    let ((a, x), (b, y)) = (first, second)
    try same(a + b, x + y, "\(x) + \(y)")
    try same(a - b, x - y, "\(x) - \(y)")
    try same(a * b, x * y, "\(x) * \(y)")
    try same(a.adding(b, under: .floor), SchoolDecimal.sum(x, y, mode: .floor), "\(x) + \(y) rounding down")
    try require((a + b).isIdentical(to: b + a) && (a * b).isIdentical(to: b * a), "\(x) and \(y) do not commute")
    try require(a + b - b == a, "\(x) + \(y) - \(y) is not \(x)")
    let order = SchoolDecimal.order(x, y)
    try require((a < b) == (order < 0) && (a == b) == (order == 0) && (b < a) == (order > 0), "\(x) and \(y) in order")
  }

  private static func checkProducts(
    _ operands: [(ExactDecimal, SchoolDecimal)], to target: Int
  ) throws(Disagreement) {
    let ((a, x), (b, y), (c, z)) = (operands[0], operands[1], operands[2])
    try require(a * (b + c) == a * b + a * c, "\(x) * (\(y) + \(z)) does not distribute")
    try require(a + (b + c) == (a + b) + c, "\(x) + \(y) + \(z) does not associate")
    for mode in RoundingMode.allCases {
      try same(
        ExactDecimal.quantizedProduct(a, b, to: target, rounding: mode), (x * y).quantized(to: target, mode),
        "\(x) * \(y) to \(target), \(mode)")
      try same(
        ExactDecimal.quantizedProductSum(a, b, plus: c, to: target, rounding: mode),
        SchoolDecimal.sum(x * y, z, mode: mode).quantized(to: target, mode),
        "\(x) * \(y) + \(z) to \(target), \(mode)")
    }
  }

  private static func same(
    _ got: ExactDecimal, _ expected: SchoolDecimal, _ words: @autoclosure () -> String
  ) throws(Disagreement) {
    try require(SchoolDecimal(got) == expected, "\(words()): \(got.scientificDescription), not \(expected)")
  }
}

extension DecimalLiteral {
  fileprivate func isSame(as other: DecimalLiteral) -> Bool {
    form == other.form
      && (form == .malformed
        || (magnitude, exponent, isNegative) == (other.magnitude, other.exponent, other.isNegative))
  }
}

/// A decimal split at its marks, exponent first: not the way in which the scanner reads it.
private struct WrittenDecimal {
  let value: SchoolDecimal
  /// The number of digits before the exponent mark.
  let digits: Int
  /// The number after the exponent mark.
  let power: Int
  let hasExponent: Bool

  init?(_ text: [UInt8]) {
    func areDigits(_ part: ArraySlice<UInt8>) -> Bool {
      !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
    var number = text[...]
    let mark = text.firstIndex { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
    hasExponent = mark != nil
    var power = 0
    if let mark {
      var exponent = text[(mark + 1)...]
      let sign = exponent.first
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { exponent.removeFirst() }
      guard areDigits(exponent) else { return nil }
      // A number beyond any limit.
      let size = Int(String(decoding: exponent, as: UTF8.self)) ?? 1 << 40
      power = sign == UInt8(ascii: "-") ? -size : size
      number = text[..<mark]
    }
    let isNegative = number.first == UInt8(ascii: "-")
    if isNegative { number.removeFirst() }
    let parts = number.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy(areDigits) else { return nil }
    guard parts[0].count == 1 || parts[0].first != UInt8(ascii: "0") else { return nil }
    let decimals = parts.count == 2 ? parts[1].count : 0
    digits = parts[0].count + decimals
    self.power = power
    let coefficient = String(decoding: parts.joined(), as: UTF8.self)
    value = SchoolDecimal(coefficient, exponent: power - decimals, isNegative: isNegative)
  }
}
