import Text

/// An RFC 3339 date-time, such as the value of `createdAt`.
public enum Timestamp {
  /// Whether a text is an RFC 3339 date-time.
  ///
  /// `YYYY-MM-DDThh:mm:ss`, an optional fraction, then `Z` or `+hh:mm` / `-hh:mm`: a date that exists in the years
  /// 0001-9999, `T` and `Z` in upper case, seconds 00-59 (no leap second), offsets to 23:59.
  public static func isValid(_ text: Span<UInt8>) -> Bool {
    let count = text.count
    guard count >= 20, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), text[10] == UInt8(ascii: "T"),
      text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
      let century = twoDigits(text, at: 0), let yearOfCentury = twoDigits(text, at: 2),
      let month = twoDigits(text, at: 5), let day = twoDigits(text, at: 8), let hour = twoDigits(text, at: 11),
      let minute = twoDigits(text, at: 14), let second = twoDigits(text, at: 17)
    else { return false }
    let year = century * 100 + yearOfCentury
    guard year >= 1, (1...12).contains(month), day >= 1, day <= days(inMonth: month, ofYear: year),
      hour <= 23, minute <= 59, second <= 59
    else { return false }
    var at = 19
    if text[at] == UInt8(ascii: ".") {
      at += 1
      let fraction = at
      while at < count, ASCIIClass.of(text[at]) & ASCIIClass.digit != 0 { at += 1 }
      guard at > fraction, at < count else { return false }
    }
    return isOffset(text.extracting(droppingFirst: at))
  }

  private static func isOffset(_ text: Span<UInt8>) -> Bool {
    if text.count == 1 { return text[0] == UInt8(ascii: "Z") }
    guard text.count == 6, text[0] == UInt8(ascii: "+") || text[0] == UInt8(ascii: "-"), text[3] == UInt8(ascii: ":"),
      let hours = twoDigits(text, at: 1), let minutes = twoDigits(text, at: 4)
    else { return false }
    return hours <= 23 && minutes <= 59
  }

  @inline(__always)
  static func twoDigits(_ text: Span<UInt8>, at place: Int) -> Int? {
    let tens = text[place] &- UInt8(ascii: "0")
    let ones = text[place + 1] &- UInt8(ascii: "0")
    guard tens <= 9, ones <= 9 else { return nil }
    return Int(tens) * 10 + Int(ones)
  }

  static func days(inMonth month: Int, ofYear year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
