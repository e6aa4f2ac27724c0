import ExactArithmetic

/// Parts of a whole, exactly: amounts of any number of digits, without binary floating point.
enum Share {
  /// `part / whole` in steps of 1/`steps`, to the nearest, halves up. `part` is from 0 to `whole`, which is above 0.
  static func steps(_ part: ExactDecimal, of whole: ExactDecimal, _ steps: Int) -> Int {
    precondition(!part.isNegative && part <= whole && !whole.isZero, "the part is not from 0 to the whole")
    // The greatest n for which n - 1/2 <= part * steps / whole.
    let doubled = part * ExactDecimal(2 * steps)
    var (low, high) = (0, steps)
    while low < high {
      let middle = (low + high + 1) / 2
      if whole * ExactDecimal(2 * middle - 1) <= doubled { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// The share in per cent with one or two decimals: `48.5 %`. A part above zero is never `0.0 %`, and a part below the
  /// whole never `100.0 %`. It is `-` if the whole is zero, or the part is not from 0 to the whole.
  static func text(_ part: ExactDecimal, of whole: ExactDecimal, decimals: Int = 1) -> String {
    guard !whole.isZero, !part.isNegative, part <= whole else { return "-" }
    let all = decimals == 1 ? 1000 : 10_000
    let shown = steps(part, of: whole, all)
    func percent(_ steps: Int) -> String { "\(ExactDecimal(steps, exponent: -decimals))\u{A0}%" }
    if shown == 0, !part.isZero { return "< " + percent(1) }
    if shown == all, part < whole { return "> " + percent(all - 1) }
    return percent(shown)
  }

  /// The most units of a bar.
  static let barWidth = 10_000
  /// The least units of a part above zero, so that it is visible.
  static let leastWidth = 100

  /// The widths of the parts in a bar of ``barWidth`` units, which they fill; all 0 if all parts are 0.
  static func widths(_ parts: [ExactDecimal]) -> [Int] {
    let whole = parts.reduce(.zero, +)
    guard !whole.isZero else { return parts.map { _ in 0 } }
    var widths = parts.map { $0.isZero ? 0 : max(leastWidth, steps($0, of: whole, barWidth)) }
    // The largest part absorbs the units that small parts got, and the rounding difference.
    if let largest = widths.indices.max(by: { widths[$0] < widths[$1] }) {
      widths[largest] += barWidth - widths.reduce(0, +)
    }
    return widths
  }
}
