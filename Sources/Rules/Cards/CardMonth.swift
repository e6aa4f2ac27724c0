import Records

/// A month of a year: the month in which a card expires, or the month of a payment.
public struct CardMonth: Comparable, BitwiseCopyable, Sendable {
  /// The year; 0 to 9999.
  public let year: Int
  /// The month; 1 to 12.
  public let month: Int

  /// The month that an `expirationDate` spells, as `11/26`, `1126`, `11/2026` or `112026`; nil if it is malformed.
  init?(expirationDate text: UnsafeBufferPointer<UInt8>) {
    let hasSlash = text.count > 2 && text[2] == UInt8(ascii: "/")
    let (month, year) = (text.prefix(2), text.dropFirst(hasSlash ? 3 : 2))
    guard let month = Self.number(month), 1...12 ~= month, let number = Self.number(year) else { return nil }
    switch year.count {
    case 2: self.year = 2000 + number
    case 4: self.year = number
    default: return nil
    }
    self.month = month
  }

  /// The month of a valid date-time as it is written, not converted to UTC.
  init(of timestamp: UnsafePointer<UInt8>) {
    let text = UnsafeBufferPointer(start: timestamp, count: 7)
    year = Self.number(text[..<4])!
    month = Self.number(text[5...])!
  }

  private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    var number = 0
    for byte in digits {
      let digit = byte &- UInt8(ascii: "0")
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
