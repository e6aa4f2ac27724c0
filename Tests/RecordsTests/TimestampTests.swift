import Records
import Testing

@Suite("Timestamps: date-times of RFC 3339")
struct TimestampTests {
  static let date = "2026-11-20"
  static let time = "08:30:00"

  static let takesDatesExamples: [String] = [
    "0001-01-01", "9999-12-31", "2024-02-29", "2000-02-29", "2400-02-29", "2023-02-28", "1900-02-28", "2026-01-31",
    "2026-03-31", "2026-04-30",
    "2026-05-31", "2026-06-30", "2026-07-31", "2026-08-31", "2026-09-30", "2026-10-31", "2026-11-30", "2026-12-31",
    "0004-02-29", "1582-10-10",
  ]

  @Test("dates that exist", arguments: takesDatesExamples)
  func takesDates(date: String) {
    #expect(Judged.timestamp("\(date)T\(Self.time)Z"))
  }

  static let refusesDatesExamples: [String] = [
    "0000-01-01", "2023-02-29", "1900-02-29", "2100-02-29", "2026-02-30", "2026-01-32", "2026-03-32", "2026-04-31",
    "2026-05-32", "2026-06-31", "2026-07-32",
    "2026-08-32", "2026-09-31", "2026-10-32", "2026-11-31", "2026-12-32", "2026-00-10", "2026-13-10", "2026-01-00",
    "2026-1-10", "2026-01-1", "26-01-10",
    "12026-01-10", "2026/01/10", "20260110", "2026-0a-10", "-026-01-10", "+026-01-10", "2026-01- 1", "２026-01-10",
  ]

  static let absences: [(text: String, absence: String?)] = [
    ("2026-02-30", "there is no 30 February 2026"), ("2026-02-29T00:00:00Z", "there is no 29 February 2026"),
    ("2026-04-31Z", "there is no 31 April 2026"), ("2026-01-00", "there is no 0 January 2026"),
    ("2026-13-01T08:30:00+01:00", "there is no month 13"), ("2026-00-10", "there is no month 0"),
    ("2026-11-20T24:00:00Z", "there is no 24:00:00 in a day"), ("2026-11-20 23:59:60", "there is no 23:59:60 in a day"),
    ("2024-02-29", nil), ("2026-11-20", nil), ("2026-11-20 08:30:00", nil), ("2026-11-20T24", nil), ("30.02.2026", nil),
    ("2026/02/30", nil), ("2026-2-30", nil), ("2026-02-3", nil), ("", nil),
  ]

  @Test("in a text written like a date: the part that does not exist", arguments: absences)
  func absence(text: String, absence: String?) {
    #expect(Timestamp.absence(in: text.utf8) == absence)
  }

  @Test("dates that do not exist", arguments: refusesDatesExamples)
  func refusesDates(date: String) {
    #expect(!Judged.timestamp("\(date)T\(Self.time)Z"))
  }

  static let timesExamples: [(time: String, isValid: Bool)] = [
    ("00:00:00", true), ("23:59:59", true), ("24:00:00", false), ("23:60:00", false), ("23:59:60", false),
    ("08:30", false), ("8:30:00", false), ("08:30:0", false),
    ("08-30-00", false), ("083000", false), ("0a:30:00", false), ("08:3a:00", false), ("08:30:0a", false),
    ("-8:30:00", false), ("08:30:00.", false), ("08:30:00.0", true),
    ("08:30:00.123456789012345678901234567890", true), ("08:30:00,5", false), ("08:30:00.5a", false),
    ("08:30:00.-5", false), ("08:30.5", false), ("08:30:00..5", false),
  ]

  @Test("times", arguments: timesExamples)
  func times(time: String, isValid: Bool) {
    #expect(Judged.timestamp("\(Self.date)T\(time)Z") == isValid)
    #expect(Judged.timestamp("\(Self.date)T\(time)+05:30") == isValid)
  }

  static let offsetsExamples: [(offset: String, isValid: Bool)] = [
    ("Z", true), ("+00:00", true), ("-00:00", true), ("+23:59", true), ("-23:59", true), ("+05:30", true), ("", false),
    ("z", false), ("+24:00", false), ("-24:00", false), ("+23:60", false),
    ("+0530", false), ("+05", false), ("+5:30", false), ("+05:3", false), ("+05:30 ", false), ("05:30", false),
    ("ZZ", false), ("Z+00:00", false), ("UTC", false), ("+05:30Z", false), ("+aa:00", false), ("\u{2212}05:30", false),
    ("+05-30", false),
  ]

  @Test("offsets", arguments: offsetsExamples)
  func offsets(offset: String, isValid: Bool) {
    for time in [Self.time, Self.time + ".25"] {
      #expect(Judged.timestamp("\(Self.date)T\(time)\(offset)") == isValid)
    }
  }

  @Test("nothing around or between")
  func separators() {
    #expect(Characters.taken { Judged.timestamp("\(Self.date)\($0)\(Self.time)Z") } == "T")
    #expect(Characters.taken { Judged.timestamp("\(Self.date)T\(Self.time)Z\($0)") } == "")
    #expect(Characters.taken { Judged.timestamp("\($0)\(Self.date)T\(Self.time)Z") } == "")
    #expect(!Judged.timestamp("\(Self.date)t\(Self.time)z"))
  }

  @Test("a prefix of one is one only if it ends inside the fraction")
  func prefixes() {
    let text = "2026-11-20T08:30:00.25+05:30"
    for length in 0..<text.utf8.count { #expect(!Judged.timestamp(String(text.prefix(length))), "\(length)") }
    #expect(Judged.timestamp(text))
  }
}
