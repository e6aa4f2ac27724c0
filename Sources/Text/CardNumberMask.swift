/// Hides possible card numbers in a text of a batch (`cards.md`, "What counts as a card number"): all their digits
/// except the last four become `*`. Nothing else in the text changes.
public enum CardNumberMask {
  /// How many characters from the first one determine whether a number begins there: 19 digits in five groups, and the
  /// character after them.
  static let lookahead = 24

  /// The groups in which a number may be written, with the same character between all of them.
  private static let groupings = [[4, 4, 4, 4], [4, 4, 4, 4, 3], [4, 6, 5], [4, 6, 4]]

  /// Masks the card numbers in a UTF-8 text; a text without one is not changed.
  ///
  /// - Returns: whether the text had a card number.
  @discardableResult
  public static func apply(to text: inout [UInt8]) -> Bool {
    guard text.count(where: isDigit) >= 13 else { return false }
    // Masked only at the end: a number in groups may begin inside another one.
    var hidden: [Int] = []
    var at = 0
    while at < text.count {
      let end = endOfDigits(text.span, from: at)
      if end > at, at == 0 || !isLetter(text[at - 1]) { hide(numberFrom: at, to: end, in: text.span, &hidden) }
      at = end + 1
    }
    for index in hidden { text[index] = UInt8(ascii: "*") }
    return !hidden.isEmpty
  }

  /// Whether a text has a card number in groups, such as with spaces or hyphens. A run of digits may be another number.
  public static func hasGroupedNumber(_ text: some Sequence<UInt8>) -> Bool {
    var text = Array(text)
    let isInGroups = text.split { !isDigit($0) }.allSatisfy { $0.count < 13 }
    return isInGroups && apply(to: &text)
  }

  /// Masks all digits except the last four, if a text has as many digits as a card number, valid or not. For texts
  /// inside a `card`.
  public static func hideDigits(of text: inout [UInt8]) {
    let digits = text.indices.filter { isDigit(text[$0]) }
    guard digits.count >= 13 else { return }
    for index in digits.dropLast(4) { text[index] = UInt8(ascii: "*") }
  }

  /// Collects the digits to hide of the numbers that begin with the digits from `start` to `end`.
  private static func hide(
    numberFrom start: Int, to end: Int, in text: Span<UInt8>, _ hidden: inout [Int]
  ) {
    if end - start >= 13, end - start <= 19 {
      hide(Array(start..<end), in: text, &hidden)
    } else if end - start == 4, end < text.count {
      guard let separator = separator(at: end, of: text) else { return }
      for groups in groupings {
        if let places = digits(in: groups, apart: separator, from: start, of: text) { hide(places, in: text, &hidden) }
      }
    }
  }

  private static func hide(_ places: [Int], in text: Span<UInt8>, _ hidden: inout [Int]) {
    let digits = places.map { text[$0] }
    let beginning = digits[..<4].reduce(0) { 10 * $0 + Int($1 - UInt8(ascii: "0")) }
    if isBrand(beginning, count: digits.count), passesLuhn(digits.span) {
      hidden += places.dropLast(4)
    }
  }

  /// The places of the digits of these groups, the first at `start`; nil if the text has other groups there.
  private static func digits(
    in groups: [Int], apart separator: Range<Int>, from start: Int, of text: Span<UInt8>
  ) -> [Int]? {
    var places: [Int] = []
    var at = start
    for (number, length) in groups.enumerated() {
      if number > 0 {
        guard text.extracting(droppingFirst: at).starts(with: text.extracting(separator)) else { return nil }
        at += separator.count
      }
      guard endOfDigits(text, from: at) - at == length else { return nil }
      places += at..<at + length
      at += length
    }
    return places
  }

  /// The character at a place that may separate groups; nil if it is a letter or a digit.
  ///
  /// A byte that is not valid UTF-8 counts as a character.
  private static func separator(at place: Int, of text: Span<UInt8>) -> Range<Int>? {
    let length = UTF8Text.sequenceLength(text, at: place)
    if let properties = UTF8Text.scalar(text, at: place, length: length)?.properties,
      properties.isAlphabetic || properties.numericType != nil
    {
      return nil
    }
    return place..<place + max(1, length)
  }

  /// The end of the digits that begin at `start`; `start` itself if there are none.
  private static func endOfDigits(_ text: Span<UInt8>, from start: Int) -> Int {
    var end = start
    while end < text.count, isDigit(text[end]) { end += 1 }
    return end
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }

  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

  /// Whether a brand has numbers of `count` digits that begin with these four.
  private static func isBrand(_ beginning: Int, count: Int) -> Bool {
    switch beginning {
    case 4000...4999: count == 13 || count == 16 || count == 19
    case 5100...5599, 2221...2720, 3528...3589: count == 16
    case 3400...3499, 3700...3799: count == 15
    case 3000...3059, 3600...3699, 3800...3999: count == 14
    case 6011, 6440...6599: count == 16 || count == 19
    case 6200...6299: count >= 16
    case 5000...5099, 5600...5899, 6300...6399, 6700...6799: count == 16 || count >= 18
    default: false
    }
  }

  /// The Luhn check: double every second digit from the right, subtract 9 if above 9; the sum must be a multiple of
  /// ten.
  public static func passesLuhn(_ digits: Span<UInt8>) -> Bool {
    var sum = 0
    for place in digits.indices {
      let digit = Int(digits[digits.count - 1 - place] - UInt8(ascii: "0"))
      sum += place % 2 == 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit
    }
    return sum % 10 == 0
  }
}
