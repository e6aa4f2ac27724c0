/// What becomes of the digits that a coarser exponent has no room for.
///
/// The table gives every mode's result for the same values, rounded to a whole number:
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
public enum RoundingMode: UInt8, CaseIterable, Sendable {
  /// To the nearest, a tie away from zero: 2.5 → 3, -2.5 → -3, 2.4 → 2.
  case halfUp
  /// To the nearest, a tie towards zero: 2.5 → 2, -2.5 → -2, 2.4 → 2.
  case halfDown
  /// To the nearest, a tie to the even neighbour: 2.5 → 2, -2.5 → -2, 2.4 → 2 (and 3.5 → 4).
  case halfEven
  /// Away from zero: 2.5 → 3, -2.5 → -3, 2.4 → 3.
  case up
  /// Towards zero: 2.5 → 2, -2.5 → -2, 2.4 → 2.
  case down
  /// Towards positive infinity: 2.5 → 3, -2.5 → -2, 2.4 → 3.
  case ceiling
  /// Towards negative infinity: 2.5 → 2, -2.5 → -3, 2.4 → 2.
  case floor

  /// The mode's name in configuration and reports, for example `"HALF_EVEN"`.
  public var name: String {
    switch self {
    case .halfUp: "HALF_UP"
    case .halfDown: "HALF_DOWN"
    case .halfEven: "HALF_EVEN"
    case .up: "UP"
    case .down: "DOWN"
    case .ceiling: "CEILING"
    case .floor: "FLOOR"
    }
  }

  /// The mode of that ``name``, in capitals exactly; `nil` for any other text.
  public init?(name: String) {
    guard let mode = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = mode
  }
}

/// How a discarded remainder compares with half a unit of the last digit kept.
@usableFromInline
enum DiscardedPart: UInt8 {
  case zero, belowHalf, half, aboveHalf

  /// Classifies a remainder, where `isInexact` stands for further non-zero digits below it.
  @inlinable
  init(remainder: UInt64, half: UInt64, isInexact: Bool) {
    if remainder > half {
      self = .aboveHalf
    } else if remainder == half {
      self = isInexact ? .aboveHalf : .half
    } else {
      self = remainder == 0 && !isInexact ? .zero : .belowHalf
    }
  }
}

extension RoundingMode {
  /// Whether the truncated magnitude moves one unit away from zero.
  @inlinable
  func increments(isOdd: Bool, discarding part: DiscardedPart, isNegative: Bool) -> Bool {
    switch self {
    case .halfUp: part.rawValue >= DiscardedPart.half.rawValue
    case .halfDown: part == .aboveHalf
    case .halfEven: part == .aboveHalf || (part == .half && isOdd)
    case .up: part != .zero
    case .down: false
    case .ceiling: part != .zero && !isNegative
    case .floor: part != .zero && isNegative
    }
  }
}
