import ExactArithmetic

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

  /// In the order of the columns of reports.
  var columns: [ExactDecimal] { [delayed, reserved, kept] }
  /// Their sum.
  var sum: ExactDecimal { delayed + reserved + kept }
}
