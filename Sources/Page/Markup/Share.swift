import ExactArithmetic

/// Parts of a whole, exactly: amounts of any number of digits, nothing in binary floating point.
enum Share {
  /// `part / whole` in steps of 1/`steps`, to the nearest, halves up; the part is from 0 to the whole, which is above 0.
  static func steps(_ part: ExactDecimal, of whole: ExactDecimal, _ steps: Int) -> Int {
    precondition(!part.isNegative && part <= whole && !whole.isZero, "no part of a whole")
    // The greatest n for which n - 1/2 <= part * steps / whole.
    let doubled = part * ExactDecimal(2 * steps)
    var (low, high) = (0, steps)
    while low < high {
      let middle = (low + high + 1) / 2
      if whole * ExactDecimal(2 * middle - 1) <= doubled { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// The share in per cent with one or two decimals: `48.5 %`. What is not nothing is never `0.0 %`, and what is not
  /// all never `100.0 %`; `-` if there is no whole, or the part is no part of it.
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
  /// The least units of a part that is not nothing: it is to be seen.
  static let leastWidth = 100

  /// The widths of the parts in a bar of ``barWidth`` units, which they fill; all 0 if the parts are.
  static func widths(_ parts: [ExactDecimal]) -> [Int] {
    let whole = parts.reduce(.zero, +)
    guard !whole.isZero else { return parts.map { _ in 0 } }
    var widths = parts.map { $0.isZero ? 0 : max(leastWidth, steps($0, of: whole, barWidth)) }
    // What the small parts were given and what rounding left over is the largest one's.
    if let largest = widths.indices.max(by: { widths[$0] < widths[$1] }) {
      widths[largest] += barWidth - widths.reduce(0, +)
    }
    return widths
  }
}
