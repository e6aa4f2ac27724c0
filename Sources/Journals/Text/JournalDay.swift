import Records
import Text

/// A day of the years 0001 to 9999, as a number that sorts as days do.
struct JournalDay: Comparable, CustomStringConvertible {
  static let first = JournalDay(.first)
  static let last = JournalDay(.last)

  /// Its number, which is not 0.
  let number: UInt32

  /// The day of a second in UTC.
  init(_ time: UTCTime) { number = UInt32(time.year << 9 | time.month << 5 | time.day) }

  /// The day of a number; nil if it is 0.
  init?(number: UInt32) {
    if number == 0 { return nil }
    self.number = number
  }

  static func < (left: JournalDay, right: JournalDay) -> Bool { left.number < right.number }

  private var start: UTCTime {
    UTCTime(year: Int(number >> 9), month: Int(number >> 5 & 15), day: Int(number & 31), hour: 0, minute: 0, second: 0)
  }

  /// The next day; there must be one.
  var next: JournalDay {
    guard let next = start.nextDay else { preconditionFailure("no day follows the last one") }
    return JournalDay(next)
  }

  /// Like `2026-11-20`.
  var description: String { TextBuffer.string(append) }

  /// Appends it like `2026-11-20`.
  func append(to text: inout TextBuffer) { text.append(dayOf: start, "-") }
}
