import ExactArithmetic
import Text

/// What terms hold of a balance. With what is free they add up to a balance above zero (`free.md`, What is free).
package struct HeldAmounts {
  /// What the terms delay.
  package let delayed: ExactDecimal
  /// What they reserve.
  package let reserved: ExactDecimal
  /// What is kept as the minimum balance.
  package let kept: ExactDecimal
  /// What is left.
  package let free: ExactDecimal

  /// - Parameters:
  ///   - balance: what limits the others, the reserve first.
  init(of balance: ExactDecimal, reserved: ExactDecimal, delayed: ExactDecimal, kept: ExactDecimal) {
    var left = balance.isNegative ? ExactDecimal.zero(at: balance.exponent) : balance
    func part(_ most: ExactDecimal) -> ExactDecimal {
      let part = min(most, left)
      left.subtract(part)
      return part
    }
    self.reserved = part(reserved)
    self.delayed = part(delayed)
    self.kept = part(kept)
    free = left
  }

  /// What a report says, which may be anything.
  init(delayed: ExactDecimal, reserved: ExactDecimal, kept: ExactDecimal) {
    (self.delayed, self.reserved, self.kept) = (delayed, reserved, kept)
    free = .zero(at: kept.exponent)
  }

  /// Their sum.
  var sum: ExactDecimal { delayed + reserved + kept }
}

extension TextBuffer {
  /// Appends the fields of a report for what terms hold; nothing without terms.
  mutating func append(_ held: HeldAmounts?) {
    guard let held else { return }
    append(",")
    append(held.delayed)
    append(",")
    append(held.reserved)
    append(",")
    append(held.kept)
  }
}
