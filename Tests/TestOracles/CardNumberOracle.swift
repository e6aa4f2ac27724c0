/// What counts as a card number, and how it is shown, in the words of `cards.md`. Slow, and without any code of the
/// engine.
public enum CardNumberOracle {
  /// The brands: how their numbers begin, and how many digits they have.
  private static let brands: [(beginnings: [ClosedRange<Int>], lengths: [Int])] = [
    ([4...4], [13, 16, 19]), ([51...55, 2221...2720], [16]), ([34...34, 37...37], [15]),
    ([300...305, 36...36, 38...38, 39...39], [14]), ([6011...6011, 644...649, 65...65], [16, 19]),
    ([3528...3589], [16]), ([62...62], [16, 17, 18, 19]), ([50...50, 56...58, 63...63, 67...67], [16, 18, 19]),
  ]

  /// Digits without separators, and in groups.
  private static let forms = (13...19).map { [$0] } + [[4, 4, 4, 4], [4, 4, 4, 4, 3], [4, 6, 5], [4, 6, 4]]

  /// The text with all digits of each card number but the last four as `*`.
  public static func masked(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var shown = scalars
    for start in scalars.indices {
      for form in forms {
        guard let places = places(of: form, from: start, in: scalars) else { continue }
        for place in places.dropLast(4) { shown[place] = "*" }
      }
    }
    return String(String.UnicodeScalarView(shown))
  }

  /// The places of the digits of a number of this form, if one begins here.
  private static func places(of form: [Int], from start: Int, in text: [Unicode.Scalar]) -> [Int]? {
    var places: [Int] = []
    var separators: [Unicode.Scalar] = []
    var at = start
    for (number, length) in form.enumerated() {
      if number > 0 {
        guard at < text.count else { return nil }
        separators.append(text[at])
        at += 1
      }
      guard at + length <= text.count, text[at..<at + length].allSatisfy(isDigit) else { return nil }
      places += at..<at + length
      at += length
    }
    if start > 0, isDigit(text[start - 1]) || text[start - 1].isASCII && text[start - 1].properties.isAlphabetic {
      return nil
    }
    if at < text.count, isDigit(text[at]) { return nil }
    guard Set(separators).count <= 1, !separators.contains(where: isLetterOrDigit) else { return nil }
    let digits = places.map { String(text[$0]) }.joined()
    return isOfABrand(digits) && luhnSum(digits) % 10 == 0 ? places : nil
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    Character(scalar).isLetter || Character(scalar).isNumber
  }

  private static func isOfABrand(_ digits: String) -> Bool {
    brands.contains { brand in
      brand.lengths.contains(digits.count)
        && brand.beginnings.contains { range in
          Int(digits.prefix(String(range.lowerBound).count)).map(range.contains) ?? false
        }
    }
  }

  static func luhnSum(_ digits: String) -> Int {
    digits.reversed().enumerated().map { place, digit in
      let weighed = (digit.wholeNumberValue ?? 0) * (place % 2 == 1 ? 2 : 1)
      return weighed > 9 ? weighed - 9 : weighed
    }.reduce(0, +)
  }
}
