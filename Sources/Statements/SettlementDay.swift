import BatchFile
import Payments

/// The day that statements are of, in UTC.
public struct SettlementDay: Equatable, Sendable {
  /// Its first second.
  public let start: UTCTime

  /// The day of a second.
  public init(of time: UTCTime) {
    start = UTCTime(year: time.year, month: time.month, day: time.day, hour: 0, minute: 0, second: 0)
  }

  /// The day written as `YYYY-MM-DD`, of the years 0001 to 9999; nil where it is none that exists.
  public init?(_ text: String) {
    guard let start = UTCTime(day: text) else { return nil }
    self.init(of: start)
  }

  /// Its last second.
  var end: UTCTime {
    UTCTime(year: start.year, month: start.month, day: start.day, hour: 23, minute: 59, second: 59)
  }

  /// The day as `YYYYMMDD`.
  var digits: String {
    var text = TextBuffer()
    text.append(start, "", "", "")
    text.truncate(to: 8)
    return text.string
  }
}

extension TextBuffer {
  /// The length of a time in a settlement report.
  static let stlTimeLength = 25

  /// Appends a time as a settlement report has it: `2026/11/20 08:30:00 +0000`.
  mutating func append(stl time: UTCTime) {
    append(time, "/", " ", ":")
    append(" +0000")
  }

  /// Appends a time by RFC 3339: `2026-11-20T08:30:00Z`.
  mutating func append(rfc3339 time: UTCTime) {
    append(time, "-", "T", ":")
    append(UInt8(ascii: "Z"))
  }

  /// Appends a time, with something between the parts of the date, between date and time, and between those of the time.
  mutating func append(
    _ time: UTCTime, _ dateMark: StaticString, _ middle: StaticString, _ timeMark: StaticString
  ) {
    append(twoDigits: time.year / 100)
    append(twoDigits: time.year % 100)
    append(dateMark)
    append(twoDigits: time.month)
    append(dateMark)
    append(twoDigits: time.day)
    append(middle)
    append(twoDigits: time.hour)
    append(timeMark)
    append(twoDigits: time.minute)
    append(timeMark)
    append(twoDigits: time.second)
  }

  private mutating func append(twoDigits number: Int) {
    append(UInt8(ascii: "0") + UInt8(number / 10))
    append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}
