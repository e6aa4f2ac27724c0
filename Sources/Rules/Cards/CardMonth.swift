/// A month of a year: the month in which a card expires, or the month of a payment.
public struct CardMonth: Comparable, BitwiseCopyable, Sendable {
  /// The year; 0 to 9999.
  public let year: Int
  /// The month; 1 to 12.
  public let month: Int

  /// The month that an `expirationDate` spells, as `11/26`, `1126`, `11/2026` or `112026`; nil if it is malformed.
  init?(expirationDate text: Span<UInt8>) {
    let hasSlash = text.count > 2 && text[2] == UInt8(ascii: "/")
    let yearStart = min(text.count, hasSlash ? 3 : 2)
    guard let month = Self.number(text.extracting(first: min(text.count, 2))), 1...12 ~= month,
      let number = Self.number(text.extracting(droppingFirst: yearStart))
    else { return nil }
    switch text.count - yearStart {
    case 2: self.year = 2000 + number
    case 4: self.year = number
    default: return nil
    }
    self.month = month
  }

  /// The month of a valid date-time as it is written, not converted to UTC.
  init(of timestamp: Span<UInt8>) {
    year = Self.number(timestamp.extracting(first: 4))!
    month = Self.number(timestamp.extracting(5..<7))!
  }

  private static func number(_ digits: Span<UInt8>) -> Int? {
    var number = 0
    for place in digits.indices {
      let digit = digits[place] &- UInt8(ascii: "0")
      guard digit <= 9, number < 1000 else { return nil }
      number = 10 * number + Int(digit)
    }
    return digits.isEmpty ? nil : number
  }

  /// Orders months by time.
  public static func < (left: CardMonth, right: CardMonth) -> Bool {
    (left.year, left.month) < (right.year, right.month)
  }
}
