/// A day of the Gregorian calendar, by its number: 0 is 1970-01-01.
public struct CalendarDay: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The days that a ledger's commands take, as `YYYY-MM-DD` (`accounts.md`).
  public static let ofLedgers = "2000-01-01"..."2099-12-31"

  /// Days since 1970-01-01.
  public let number: Int

  public init(number: Int) { self.number = number }

  /// The day of a date that exists.
  init(year: Int, month: Int, day: Int) {
    // Counting years from March puts the leap day last; any 400 years have 146,097 days.
    let marchYear = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    number = 365 * marchYear + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - 719_468
  }

  /// A day written as `YYYY-MM-DD`; nil if there is no such day.
  public init?(_ text: String) {
    guard let time = UTCTime(day: text) else { return nil }
    self.init(time)
  }

  /// The UTC day of a time in seconds since 1970-01-01T00:00:00Z.
  public init(second: Int) { self.init(number: (second - ((second % 86_400) + 86_400) % 86_400) / 86_400) }

  /// The UTC day of a time.
  public init(_ time: UTCTime) { self.init(year: time.year, month: time.month, day: time.day) }

  /// Year, month (1-12) and day of the month (1-31); exact from March of year 0 on.
  public var date: (year: Int, month: Int, day: Int) {
    let days = number + 719_468
    let era = days / 146_097
    let ofEra = days % 146_097
    let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * ofYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, ofYear - (153 * shifted + 2) / 5 + 1)
  }

  public var year: Int { date.year }
  /// The month, 1-12.
  public var month: Int { date.month }
  /// The day of the month, 1-31.
  public var day: Int { date.day }

  /// The day of the week: 0 for Sunday to 6 for Saturday.
  public var weekday: Int { ((number + 4) % 7 + 7) % 7 }

  /// The Sunday on which its week begins.
  var startOfWeek: CalendarDay { CalendarDay(number: number - weekday) }

  public var endOfMonth: CalendarDay {
    let (year, month, _) = date
    return CalendarDay(year: year, month: month, day: Timestamp.days(inMonth: month, ofYear: year))
  }

  /// The same date a year later; for 29 February, 28 February.
  public var oneYearLater: CalendarDay {
    let (year, month, day) = date
    return CalendarDay(year: year + 1, month: month, day: min(day, Timestamp.days(inMonth: month, ofYear: year + 1)))
  }

  /// The date as `YYYY-MM-DD`.
  public var text: String {
    let (year, month, day) = date
    func digits(_ number: Int, _ count: Int) -> String {
      String(repeating: "0", count: max(0, count - "\(number)".count)) + "\(number)"
    }
    return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
  }

  /// Orders days by time.
  public static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.number < right.number }
}

extension Timestamp {
  /// The day, in UTC, of an RFC 3339 date-time or of a calendar date written as `YYYY-MM-DDZ`; nil if the text is
  /// neither.
  public static func day(_ text: Span<UInt8>) -> CalendarDay? {
    if isValid(text) { return CalendarDay(second: seconds(text)) }
    guard text.count == 11, text[10] == UInt8(ascii: "Z") else { return nil }
    return UTCTime(day: String(decoding: text.extracting(first: 10))).map(CalendarDay.init)
  }
}

extension Timestamp {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  /// The day, month or time of a date that does not exist, in words: `there is no 30 February 2026`. Nil if all of them
  /// exist, or the text is not written like a date.
  public static func absence(in text: some Collection<UInt8>) -> String? {
    let text = Array(text.prefix(19))
    func number(_ at: Int) -> Int? { at + 2 <= text.count ? twoDigits(text.span, at: at) : nil }
    guard text.count >= 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), let century = number(0),
      let ofCentury = number(2), let month = number(5), let day = number(8)
    else { return nil }
    let year = 100 * century + ofCentury
    guard 1...12 ~= month else { return "there is no month \(month)" }
    guard 1...days(inMonth: month, ofYear: year) ~= day else {
      return "there is no \(day) \(months[month - 1]) \(year)"
    }
    guard text.count == 19, let hour = number(11), let minute = number(14), let second = number(17) else { return nil }
    if hour < 24, minute < 60, second < 60 { return nil }
    return "there is no \(String(decoding: text[11...], as: UTF8.self)) in a day"
  }
}

extension UTCTime {
  /// Seconds since 1970-01-01T00:00:00Z.
  public var seconds: Int { CalendarDay(self).number * 86_400 + hour * 3_600 + minute * 60 + second }
}
