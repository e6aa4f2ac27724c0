/// The oracle of splits: the steps of `splits.md`, one after the other, in school arithmetic, without any code of the
/// implementation under test. Slow and obvious.
public struct SplitOracle {
  /// How a party's part is given.
  public enum Terms {
    /// Its own amount.
    case fixed(SchoolDecimal)
    /// A percentage of the total.
    case percent(SchoolDecimal)
    /// A weight in the rest.
    case share(SchoolDecimal)
    /// What is left after the shares.
    case rest
  }

  /// A party; bounds are amounts.
  public struct Party {
    let account: String
    let terms: Terms
    let minimum: SchoolDecimal?
    let maximum: SchoolDecimal?

    /// - Parameter account: in lower case.
    public init(account: String, terms: Terms, minimum: SchoolDecimal? = nil, maximum: SchoolDecimal? = nil) {
      self.account = account
      self.terms = terms
      self.minimum = minimum
      self.maximum = maximum
    }
  }

  /// The result of dividing a total.
  public enum Outcome {
    /// The parts promise more than the total.
    case exceedsTotal
    /// A rest is left that no party gets.
    case notWhole
    /// The parties' parts, and which parties got a missing unit.
    case parts([SchoolDecimal], rounded: [Bool])
  }

  /// A target: a quotient of decimals.
  private typealias Target = (numerator: SchoolDecimal, denominator: SchoolDecimal)

  private static let zero = SchoolDecimal("0")
  private static let one = SchoolDecimal("1")

  /// Divides a total among parties, to a number of decimals.
  public static func divide(_ total: SchoolDecimal, among parties: [Party], decimals: Int) -> Outcome {
    var targets = [Target](repeating: (zero, one), count: parties.count)
    var left = total
    var shares: [(place: Int, weight: SchoolDecimal)] = []
    for (place, party) in parties.enumerated() {
      switch party.terms {
      case .fixed(let amount): targets[place].numerator = amount
      case .percent(let percent):
        let exact = total * percent * SchoolDecimal("1", exponent: -2)
        targets[place].numerator = least(most(exact, party.minimum ?? exact), party.maximum)
      case .share(let weight): shares.append((place, weight))
      case .rest: break
      }
      left = left - targets[place].numerator
    }
    guard order(left, zero) >= 0, order(left, sum(shares.map { parties[$0.place].minimum ?? zero })) >= 0 else {
      return .exceedsTotal
    }
    left = left - shareOut(left, among: shares, of: parties, into: &targets)
    if let rest = parties.firstIndex(where: { if case .rest = $0.terms { true } else { false } }) {
      targets[rest].numerator = left
    } else if !left.isZero {
      return .notWhole
    }
    return cut(targets, of: total, parties: parties, decimals: decimals)
  }

  /// Finds `z`, and sets the targets of all shares; returns how much of the rest they take.
  private static func shareOut(
    _ left: SchoolDecimal, among shares: [(place: Int, weight: SchoolDecimal)], of parties: [Party],
    into targets: inout [Target]
  ) -> SchoolDecimal {
    guard !shares.isEmpty else { return zero }
    // The quotients `z` at which a share leaves its minimum or reaches its maximum.
    var stops: [Target] = [(zero, one)]
    for (place, weight) in shares {
      for bound in [parties[place].minimum, parties[place].maximum].compactMap({ $0 }) { stops.append((bound, weight)) }
    }
    // The last of them at which the shares do not take more than the rest.
    var last: Target = (zero, one)
    for stop in stops {
      let taken = shares.map { place, weight in
        let exact = stop.numerator * weight
        let minimum = (parties[place].minimum ?? zero) * stop.denominator
        return least(most(exact, minimum), parties[place].maximum.map { $0 * stop.denominator })
      }
      let fits = order(sum(taken), left * stop.denominator) <= 0
      if fits, order(stop.numerator * last.denominator, last.numerator * stop.denominator) > 0 { last = stop }
    }
    var (free, bounded) = (zero, zero)
    var isFree: [Bool] = []
    for (place, weight) in shares {
      let exact = last.numerator * weight
      if let maximum = parties[place].maximum, order(exact, maximum * last.denominator) >= 0 {
        targets[place].numerator = maximum
      } else if let minimum = parties[place].minimum, order(exact, minimum * last.denominator) < 0 {
        targets[place].numerator = minimum
      } else {
        free = free + weight
        isFree.append(true)
        continue
      }
      bounded = bounded + targets[place].numerator
      isFree.append(false)
    }
    for (share, isFree) in zip(shares, isFree) where isFree {
      targets[share.place] = ((left - bounded) * share.weight, free)
    }
    return free.isZero ? bounded : left
  }

  /// Cuts targets to units and distributes the missing ones.
  private static func cut(_ targets: [Target], of total: SchoolDecimal, parties: [Party], decimals: Int) -> Outcome {
    let unit = SchoolDecimal("1", exponent: -decimals)
    let divided = targets.map { quotient($0.numerator, $0.denominator * unit) }
    var parts = divided.map { $0.whole * unit }
    var missing = total - sum(parts)
    let places = parties.indices.sorted { left, right in
      let fractions = order(
        divided[left].rest * divided[right].divisor, divided[right].rest * divided[left].divisor)
      if fractions != 0 { return fractions > 0 }
      return Array(parties[left].account.utf8).lexicographicallyPrecedes(Array(parties[right].account.utf8))
    }
    var rounded = [Bool](repeating: false, count: parts.count)
    for place in places where !missing.isZero {
      parts[place] = parts[place] + unit
      rounded[place] = true
      missing = missing - unit
    }
    precondition(missing.isZero, "more units are missing than there are parties")
    return .parts(parts, rounded: rounded)
  }

  /// How often a divisor goes into a value, with the rest and its divisor, as integers.
  private static func quotient(
    _ value: SchoolDecimal, _ divisor: SchoolDecimal
  ) -> (whole: SchoolDecimal, rest: SchoolDecimal, divisor: SchoolDecimal) {
    let exponent = min(value.exponent, divisor.exponent)
    let dividend = value.quantized(to: exponent, .down).digits
    let divisor = SchoolDecimal(digits: divisor.quantized(to: exponent, .down).digits)
    var (rest, whole) = (zero, [Int]())
    for digit in dividend.reversed() {
      rest = SchoolDecimal(digits: [digit] + rest.digits)
      var times = 0
      while order(rest, divisor) >= 0 { (rest, times) = (rest - divisor, times + 1) }
      whole.insert(times, at: 0)
    }
    return (SchoolDecimal(digits: whole), rest, divisor)
  }

  private static func order(_ a: SchoolDecimal, _ b: SchoolDecimal) -> Int { SchoolDecimal.order(a, b) }

  private static func sum(_ values: [SchoolDecimal]) -> SchoolDecimal { values.reduce(zero, +) }

  private static func most(_ a: SchoolDecimal, _ b: SchoolDecimal) -> SchoolDecimal { order(a, b) >= 0 ? a : b }

  private static func least(_ a: SchoolDecimal, _ b: SchoolDecimal?) -> SchoolDecimal {
    b.map { order(a, $0) <= 0 ? a : $0 } ?? a
  }
}
