import Text

/// An RFC 3339 date-time, such as the value of `createdAt`.
public enum Timestamp {
  /// Whether `count` bytes at `bytes` are an RFC 3339 date-time.
  ///
  /// `YYYY-MM-DDThh:mm:ss`, an optional fraction, then `Z` or `+hh:mm` / `-hh:mm`: a date that exists in the years
  /// 0001-9999, `T` and `Z` in upper case, seconds 00-59 (no leap second), offsets to 23:59.
  public static func isValid(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    guard count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: "T"),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      let century = twoDigits(bytes), let yearOfCentury = twoDigits(bytes + 2),
      let month = twoDigits(bytes + 5), let day = twoDigits(bytes + 8),
      let hour = twoDigits(bytes + 11), let minute = twoDigits(bytes + 14), let second = twoDigits(bytes + 17)
    else { return false }
    let year = century * 100 + yearOfCentury
    guard year >= 1, (1...12).contains(month), day >= 1, day <= days(inMonth: month, ofYear: year),
      hour <= 23, minute <= 59, second <= 59
    else { return false }
    var at = 19
    if bytes[at] == UInt8(ascii: ".") {
      at += 1
      let fraction = at
      while at < count, ASCIIClass.of(bytes[at]) & ASCIIClass.digit != 0 { at += 1 }
      guard at > fraction, at < count else { return false }
    }
    return isOffset(bytes + at, count: count - at)
  }

  private static func isOffset(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    if count == 1 { return bytes[0] == UInt8(ascii: "Z") }
    guard count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"), bytes[3] == UInt8(ascii: ":"),
      let hours = twoDigits(bytes + 1), let minutes = twoDigits(bytes + 4)
    else { return false }
    return hours <= 23 && minutes <= 59
  }

  static func twoDigits(_ bytes: UnsafePointer<UInt8>) -> Int? {
    let tens = bytes[0] &- UInt8(ascii: "0")
    let ones = bytes[1] &- UInt8(ascii: "0")
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
