/// A time in UTC, to the second, in the years 0001 to 9999.
public struct UTCTime: Equatable, Sendable {
  /// The year, 1-9999.
  public let year: Int
  /// The month, 1-12.
  public let month: Int
  /// The day of the month, 1-31.
  public let day: Int
  /// The hour, 0-23.
  public let hour: Int
  /// The minute, 0-59.
  public let minute: Int
  /// The second, 0-59.
  public let second: Int

  /// The earliest time.
  public static let first = UTCTime(year: 1, month: 1, day: 1, hour: 0, minute: 0, second: 0)
  /// The latest time.
  public static let last = UTCTime(year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59)

  /// A time; its date must exist.
  public init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
    self.year = year
    self.month = month
    self.day = day
    self.hour = hour
    self.minute = minute
    self.second = second
  }

  /// The first second of a day written as `YYYY-MM-DD`; nil if there is no such day.
  public init?(day text: String) {
    let time = Array("\(text)T00:00:00Z".utf8)
    guard time.count == 20, Timestamp.isValid(time.span) else { return nil }
    self = Timestamp.utc(time.span)
  }

  /// The UTC time for the same wall clock `offset` minutes east of Greenwich; the earliest or latest time if that would
  /// be outside the years 0001 to 9999.
  ///
  /// - Parameter offset: minutes, less than a day.
  func shifted(fromOffset offset: Int) -> UTCTime {
    let minutes = hour * 60 + minute - offset
    let days = (minutes + 1440) / 1440 - 1
    guard let day = adding(days: days) else { return days < 0 ? .first : .last }
    let ofDay = minutes - days * 1440
    return UTCTime(
      year: day.year, month: day.month, day: day.day, hour: ofDay / 60, minute: ofDay % 60, second: second)
  }

  /// The same time on the next day; nil after the last day.
  public var nextDay: UTCTime? { adding(days: 1) }

  private func adding(days: Int) -> UTCTime? {
    let (year, month, day) = CalendarDay(number: CalendarDay(self).number + days).date
    guard 1...9999 ~= year else { return nil }
    return UTCTime(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
  }
}

extension Timestamp {
  /// The UTC time of a valid date-time, without its fraction.
  ///
  /// If the time is within the years 0001 to 9999 as written but not in UTC, returns the earliest or latest time of
  /// these years.
  public static func utc(_ text: Span<UInt8>) -> UTCTime {
    let (local, offset) = parts(text)
    return offset == 0 ? local : local.shifted(fromOffset: offset)
  }

  /// The seconds from 1970-01-01T00:00:00Z to a valid date-time, without its fraction.
  ///
  /// Exact even if the year in UTC is 0 or 10000.
  public static func seconds(_ text: Span<UInt8>) -> Int {
    let (local, offset) = parts(text)
    return local.seconds - 60 * offset
  }

  /// A valid date-time as written, and its offset in minutes east of Greenwich.
  private static func parts(_ text: Span<UInt8>) -> (local: UTCTime, offset: Int) {
    precondition(isValid(text), "a date-time that was not checked")
    let count = text.count
    func number(_ at: Int) -> Int { twoDigits(text, at: at)! }
    let local = UTCTime(
      year: number(0) * 100 + number(2), month: number(5), day: number(8), hour: number(11), minute: number(14),
      second: number(17))
    if text[count - 1] == UInt8(ascii: "Z") { return (local, 0) }
    let offset = number(count - 5) * 60 + number(count - 2)
    return (local, text[count - 6] == UInt8(ascii: "-") ? -offset : offset)
  }
}
