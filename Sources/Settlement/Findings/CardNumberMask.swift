/// Hides card numbers in texts that come from a batch: at most the first six and the last four digits stay.
///
/// A card number is 13 to 19 digits that pass the Luhn check, written together or with single spaces or dashes between
/// them.
enum CardNumberMask {
  private static let lengths = 13...19

  /// Replaces the inner digits of every card number in the text by `*`.
  static func apply(to text: inout [UInt8]) {
    guard text.count >= lengths.lowerBound else { return }
    var at = 0
    while at < text.count {
      if isDigit(text[at]) {
        at = maskRun(in: &text, from: at)
      } else {
        at += 1
      }
    }
  }

  /// Masks the card numbers in the run of digits that begins at `start`; returns where the run ends.
  private static func maskRun(in text: inout [UInt8], from start: Int) -> Int {
    var places: [Int] = []
    var at = start
    while at < text.count {
      if isDigit(text[at]) {
        places.append(at)
        at += 1
      } else if text[at] == UInt8(ascii: " ") || text[at] == UInt8(ascii: "-"), at + 1 < text.count,
        isDigit(text[at + 1])
      {
        at += 1
      } else {
        break
      }
    }
    let digits = places.map { text[$0] - UInt8(ascii: "0") }
    for first in digits.indices {
      for length in lengths.reversed()
      where first + length <= digits.count && passesLuhn(digits[first..<first + length]) {
        for hidden in first + 6..<first + length - 4 { text[places[hidden]] = UInt8(ascii: "*") }
        break
      }
    }
    return at
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

  private static func passesLuhn(_ digits: ArraySlice<UInt8>) -> Bool {
    var sum = 0
    for (place, digit) in digits.reversed().enumerated() {
      let doubled = Int(digit) * (place % 2 == 0 ? 1 : 2)
      sum += doubled > 9 ? doubled - 9 : doubled
    }
    return sum % 10 == 0
  }
}
