import Text

/// A valid card number, as written in a record: 13 to 19 digits with a correct Luhn sum (`cards.md`). Write it only as
/// `shown`.
public struct CardNumber {
  private var digits = InlineArray<19, UInt8>(repeating: 0)
  private let count: Int

  /// Makes a card number from a text; nil if the text is not a valid one.
  init?(_ text: Span<UInt8>) {
    guard 13...19 ~= text.count, text.allSatisfy({ $0 &- UInt8(ascii: "0") <= 9 }), CardNumberMask.passesLuhn(text)
    else { return nil }
    count = text.count
    for place in text.indices { digits[place] = text[place] }
  }

  /// Whether it begins with 34 or 37: such cards have a `cvv2` of 4 digits.
  var hasLongCode: Bool {
    digits[0] == UInt8(ascii: "3") && (digits[1] == UInt8(ascii: "4") || digits[1] == UInt8(ascii: "7"))
  }

  /// The number with `*` for all digits except the last four: in groups of 4, 6 and 5 if it has 15 digits and begins
  /// with 34 or 37, otherwise in groups of four from the left.
  public var shown: String {
    let breaks = count == 15 && hasLongCode ? [4, 10] : [4, 8, 12, 16]
    return (0..<count).map { place in
      let digit = place < count - 4 ? "*" : String(UnicodeScalar(digits[place]))
      return breaks.contains(place) ? " " + digit : digit
    }.joined()
  }
}
