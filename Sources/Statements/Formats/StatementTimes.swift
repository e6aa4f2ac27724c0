import Records
import Text

extension UTCTime {
  /// The first second of its day.
  var dayStart: UTCTime { UTCTime(year: year, month: month, day: day, hour: 0, minute: 0, second: 0) }
  /// The last second of its day.
  var dayEnd: UTCTime { UTCTime(year: year, month: month, day: day, hour: 23, minute: 59, second: 59) }
  /// The time as a settlement report writes it.
  var stl: String { TextBuffer.string { $0.append(stl: self) } }
}

extension TextBuffer {
  /// The length of a time in a settlement report.
  static let stlTimeLength = 25

  /// Appends a time as a settlement report writes it: `2026/11/20 08:30:00 +0000`.
  mutating func append(stl time: UTCTime) {
    append(dayOf: time, "/")
    append(UInt8(ascii: " "))
    append(clockOf: time)
    append(" +0000")
  }

  /// Appends a time by RFC 3339: `2026-11-20T08:30:00Z`.
  mutating func append(rfc3339 time: UTCTime) {
    append(dayOf: time, "-")
    append(UInt8(ascii: "T"))
    append(clockOf: time)
    append(UInt8(ascii: "Z"))
  }
}
