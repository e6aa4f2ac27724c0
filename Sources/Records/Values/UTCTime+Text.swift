import Text

extension TextBuffer {
  /// Appends the date of a time, with a mark between its parts: `2026-11-20`.
  public mutating func append(dayOf time: UTCTime, _ mark: StaticString) {
    append(twoDigits: time.year / 100)
    append(twoDigits: time.year % 100)
    append(mark)
    append(twoDigits: time.month)
    append(mark)
    append(twoDigits: time.day)
  }

  /// Appends the time of day: `08:30:00`.
  public mutating func append(clockOf time: UTCTime) {
    append(twoDigits: time.hour)
    append(UInt8(ascii: ":"))
    append(twoDigits: time.minute)
    append(UInt8(ascii: ":"))
    append(twoDigits: time.second)
  }

  private mutating func append(twoDigits number: Int) {
    append(UInt8(ascii: "0") + UInt8(number / 10))
    append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}
