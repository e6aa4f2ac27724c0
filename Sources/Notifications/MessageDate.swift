import Records

/// Times as PayPal's notifications write them: `Thu Jan 05 06:43:04 UTC 2012`.
enum MessageDate {
  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// The text of a `createdAt` in UTC, without its fraction; the year has at least four digits. Empty if `time` is.
  static func text(ofCreatedAt time: [UInt8]) -> [UInt8] {
    if time.isEmpty { return [] }
    let seconds = Timestamp.seconds(time.span)
    let ofDay = (seconds % 86_400 + 86_400) % 86_400
    let day = CalendarDay(number: (seconds - ofDay) / 86_400)
    func digits(_ number: Int, _ count: Int = 2) -> String {
      String(repeating: "0", count: max(0, count - "\(number)".count)) + "\(number)"
    }
    let clock = [ofDay / 3600, ofDay / 60 % 60, ofDay % 60].map { digits($0) }.joined(separator: ":")
    return Array(
      "\(weekdays[day.weekday]) \(months[day.month - 1]) \(digits(day.day)) \(clock) UTC \(digits(day.year, 4))".utf8)
  }
}
