/// How digits that a coarser exponent has no room for are rounded away.
///
/// The table shows every mode's result for the same values, rounded to a whole number:
///
/// | mode       | 2.5 | -2.5 | 3.5 | 2.4 | -2.4 | 2.6 | 2.0 |
/// | ---------- | --- | ---- | --- | --- | ---- | --- | --- |
/// | `halfUp`   | 3   | -3   | 4   | 2   | -2   | 3   | 2   |
/// | `halfDown` | 2   | -2   | 3   | 2   | -2   | 3   | 2   |
/// | `halfEven` | 2   | -2   | 4   | 2   | -2   | 3   | 2   |
/// | `up`       | 3   | -3   | 4   | 3   | -3   | 3   | 2   |
/// | `down`     | 2   | -2   | 3   | 2   | -2   | 2   | 2   |
/// | `ceiling`  | 3   | -2   | 4   | 3   | -2   | 3   | 2   |
/// | `floor`    | 2   | -3   | 3   | 2   | -3   | 2   | 2   |
///
/// The raw value is the mode's name in a fee schedule.
public enum RoundingMode: String, CaseIterable, Sendable {
  /// To the nearest, a tie away from zero: 2.5 → 3, -2.5 → -3, 2.4 → 2.
  case halfUp = "HALF_UP"
  /// To the nearest, a tie towards zero: 2.5 → 2, -2.5 → -2, 2.4 → 2.
  case halfDown = "HALF_DOWN"
  /// To the nearest, a tie to the even neighbour: 2.5 → 2, -2.5 → -2, 2.4 → 2 (and 3.5 → 4).
  case halfEven = "HALF_EVEN"
  /// Away from zero: 2.5 → 3, -2.5 → -3, 2.4 → 3.
  case up = "UP"
  /// Towards zero: 2.5 → 2, -2.5 → -2, 2.4 → 2.
  case down = "DOWN"
  /// Towards positive infinity: 2.5 → 3, -2.5 → -2, 2.4 → 3.
  case ceiling = "CEILING"
  /// Towards negative infinity: 2.5 → 2, -2.5 → -3, 2.4 → 2.
  case floor = "FLOOR"
}

/// How a discarded remainder compares with half a unit of the last digit kept.
struct DiscardedPart: Equatable {
  /// 0 to 3, in the order of the constants below.
  let order: UInt8

  private init(order: UInt8) { self.order = order }

  static let zero = DiscardedPart(order: 0)
  static let belowHalf = DiscardedPart(order: 1)
  static let half = DiscardedPart(order: 2)
  static let aboveHalf = DiscardedPart(order: 3)

  /// Classifies a remainder of a division by 2 × half, if half is at most 5 × 10^18 and not 0.
  ///
  /// It adds sign bits, because the result of the comparison is random and a branch on it would be mispredicted.
  @inline(__always)
  init(remainder: UInt64, half: UInt64) {
    let isNotZero = (remainder | (0 &- remainder)) &>> 63
    let isBelowHalf = (remainder &- half) &>> 63
    let isAboveHalf = (half &- remainder) &>> 63
    order = UInt8(truncatingIfNeeded: 1 &+ isNotZero &- isBelowHalf &+ isAboveHalf)
  }
}

extension RoundingMode {
  /// One bit per case, looked up instead of branched on: bit part.order + 4 × isOdd + 8 × isNegative says
  /// whether the truncated magnitude moves one unit away from zero.
  var decisions: UInt16 {
    switch self {
    // From the right, a hexadecimal digit each: even, odd, negative and even, negative and odd.
    // C is half and above, 8 only above half, E everything but zero.
    case .halfUp: 0xCCCC
    case .halfDown: 0x8888
    case .halfEven: 0xC8C8
    case .up: 0xEEEE
    case .down: 0x0000
    case .ceiling: 0x00EE
    case .floor: 0xEE00
    }
  }

  /// 1 if the truncated magnitude moves one unit away from zero, else 0.
  @inline(__always)
  func increment(isOdd: Bool, discarding part: DiscardedPart, isNegative: Bool) -> UInt64 {
    let position = UInt16(part.order) | (isOdd ? 4 : 0) | (isNegative ? 8 : 0)
    return UInt64((decisions &>> position) & 1)
  }
}
