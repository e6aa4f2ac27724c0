import BatchFile
import Payments

/// A day of the years 0001 to 9999.
public struct JournalDay: Comparable, Sendable {
  /// Year, month and day, as a number that sorts as days do; never 0.
  let number: UInt32

  static let first = JournalDay(year: 1, month: 1, day: 1)
  static let last = JournalDay(year: 9999, month: 12, day: 31)

  init(year: Int, month: Int, day: Int) {
    number = UInt32(year << 9 | month << 5 | day)
  }

  /// The day that a number stands for; nil for 0.
  init?(number: UInt32) {
    guard number > 0 else { return nil }
    self.number = number
  }

  /// The day of a second in UTC.
  public init(_ time: UTCTime) {
    self.init(year: time.year, month: time.month, day: time.day)
  }

  /// The day that a text like `2026-11-20` names; nil where it names none.
  public init?(_ text: String) {
    guard let start = UTCTime(day: text) else { return nil }
    self.init(start)
  }

  /// Orders days by time.
  public static func < (left: JournalDay, right: JournalDay) -> Bool { left.number < right.number }

  /// The next day; there must be one.
  var next: JournalDay {
    let time = UTCTime(
      year: Int(number >> 9), month: Int(number >> 5 & 15), day: Int(number & 31), hour: 0, minute: 0, second: 0)
    guard let next = time.nextDay else { preconditionFailure("no day follows the last one") }
    return JournalDay(next)
  }

  /// Appends it like `2026-11-20`.
  func append(to text: inout TextBuffer) {
    let room = text.reserve(10)
    Self.write(number >> 9, digits: 4, to: room)
    room[4] = UInt8(ascii: "-")
    Self.write(number >> 5 & 15, digits: 2, to: room + 5)
    room[7] = UInt8(ascii: "-")
    Self.write(number & 31, digits: 2, to: room + 8)
    text.advance(by: 10)
  }

  private static func write(_ value: UInt32, digits: Int, to room: UnsafeMutablePointer<UInt8>) {
    var left = value
    for place in (0..<digits).reversed() {
      room[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: left % 10)
      left /= 10
    }
  }
}
