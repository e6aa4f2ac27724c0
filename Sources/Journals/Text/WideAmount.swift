import ExactArithmetic

/// An amount in parts of 18 digits before the point, for beancount, which rounds sums to 28 digits.
///
/// Part n counts units of 10^(18 n); part 0 counts those of the currency, with its decimals. Each part is added on its
/// own and never carried, so a part of a sum is the sum of its terms' parts. With up to 10^8 terms of two decimals, no
/// part has more than 28 digits.
struct WideAmount {
  /// The digits of a part.
  static let digits = 18
  /// The smallest amount that is written in parts, above or below zero.
  static let threshold = ExactDecimal(magnitude: 1_000_000_000_000_000_000)

  /// The parts, from the currency's own unit upwards.
  private(set) var parts: [ExactDecimal] = []

  /// Whether an amount is written in parts.
  @inline(__always)
  static func isWide(_ amount: ExactDecimal) -> Bool {
    if let magnitude = amount.inlineMagnitude, magnitude < 1_000_000_000_000_000_000 { return false }
    return amount >= threshold || amount <= -threshold
  }

  /// An amount of zero, without parts.
  init() {}

  /// The parts of an amount; each has the sign of the amount or is zero.
  init(_ amount: ExactDecimal) {
    let text = amount.description.drop { $0 == "-" }
    var whole = text.prefix { $0 != "." }
    var decimals = text[whole.endIndex...]
    while !whole.isEmpty {
      guard let part = ExactDecimal(Self.withoutZeros(whole.suffix(Self.digits) + decimals)) else {
        preconditionFailure("the digits are not a number")
      }
      parts.append(amount.isNegative ? -part : part)
      whole = whole.dropLast(Self.digits)
      decimals = ""
    }
  }

  /// Adds a part of another amount.
  mutating func add(_ part: ExactDecimal, at number: Int) {
    while parts.count <= number { parts.append(.zero) }
    parts[number].add(part)
  }

  /// Adds an amount, in the parts in which it is written.
  mutating func add(_ amount: ExactDecimal) {
    guard Self.isWide(amount) else { return add(amount, at: 0) }
    for (number, part) in WideAmount(amount).parts.enumerated() { add(part, at: number) }
  }

  /// An amount minus all parts except the lowest.
  func lowest(of amount: ExactDecimal) -> ExactDecimal {
    var lowest = amount
    for number in parts.indices.dropFirst() {
      lowest.subtract(parts[number] * ExactDecimal(magnitude: 1, exponent: Self.digits * number))
    }
    return lowest
  }

  /// The name of a currency's part, like `USD` or `USD.E18`.
  static func name(_ currency: String, part number: Int) -> String {
    number > 0 ? "\(currency).E\(digits * number)" : currency
  }

  private static func withoutZeros(_ digits: some StringProtocol) -> String {
    let rest = digits.drop { $0 == "0" }
    return rest.isEmpty || rest.first == "." ? "0\(rest)" : String(rest)
  }
}
