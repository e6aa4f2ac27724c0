/// A moment in seconds since the beginning of 2024, and how it is written.
struct CourseTime {
  var seconds: Int
  /// The UTC offset of the clock that writes it, in minutes.
  var offset = 0
  var hasFraction = false

  var day: CourseDay { CourseDay(number: seconds / 86_400) }

  var text: String {
    let local = seconds + offset * 60
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let zone = offset == 0 ? "Z" : "\(offset < 0 ? "-" : "+")\(two(abs(offset) / 60)):\(two(abs(offset) % 60))"
    let clock = [local / 3600 % 24, local / 60 % 60, local % 60].map(two).joined(separator: ":")
    return "\(CourseDay(number: local / 86_400).text)T\(clock)\(hasFraction ? ".999" : "")\(zone)"
  }
}

/// A day of the years 2024 to 2027 by its number from 0: looked up in a list of all of them.
struct CourseDay: Comparable {
  var number: Int

  private static let all: [(year: Int, month: Int, day: Int, isLast: Bool)] = (2024...2027).flatMap { year in
    (1...12).flatMap { month in
      let last = month == 2 ? (year == 2024 ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
      return (1...last).map { (year, month, $0, $0 == last) }
    }
  }

  var year: Int { Self.all[number].year }
  var month: Int { Self.all[number].month }
  var day: Int { Self.all[number].day }
  var isLastOfMonth: Bool { Self.all[number].isLast }
  /// From 0, Sunday; the first day of 2024 was a Monday.
  var weekday: Int { (number + 1) % 7 }
  /// The week from Sunday to Saturday.
  var week: Int { (number + 1) / 7 }
  var text: String { "\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)" }

  static func < (first: CourseDay, second: CourseDay) -> Bool { first.number < second.number }

  /// Whether another day is after the same date one year on.
  func isOverAYear(before other: CourseDay) -> Bool {
    let day = month == 2 && day == 29 ? 28 : day
    return (other.year, other.month, other.day) > (year + 1, month, day)
  }
}

/// A payment, refund or preapproval as a test draws it; amounts are minor units of its own currency.
enum CourseRecord {
  struct Payment {
    var key: String?
    var status: String?
    var time: CourseTime?
    var currency = "USD"
    var feePayer: String?
    var sender: String?
    var agreement: String?
    var pin: Bool?
    var isByCard = false
    var isPersonal = false
    var receivers: [(account: String, amount: Int, isPrimary: Bool, country: String?)] = []
  }

  struct Refund {
    var key: String?
    var payKey: String?
    var currency: String?
    var amount: Int?
    var receivers: [(account: String?, amount: Int?)]?
  }

  struct Preapproval {
    var key: String?
    var action: String?
    var time: CourseTime?
    var sender: String?
    var first: CourseDay?
    var last: CourseDay?
    var currency: String?
    var total: Int?
    var perPayment: Int?
    var count: Int?
    var perPeriod: Int?
    var period: String?
    var dateOfMonth: Int?
    /// From 0, Sunday.
    var weekday: Int?
    var needsPIN = false
    var feesPayer: String?
  }

  case payment(Payment)
  case refund(Refund)
  case preapproval(Preapproval)

  static let weekdays = ["SUNDAY", "MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY"]

  /// An amount as reports write it.
  static func amount(_ units: Int, _ currency: String?) -> String {
    guard currency == "USD" else { return "\(units)" }
    let cents = abs(units) % 100
    return "\(units < 0 ? "-" : "")\(abs(units) / 100).\(cents < 10 ? "0" : "")\(cents)"
  }

  var json: String {
    func object(_ fields: [(String, String?)]) -> String {
      "{" + fields.compactMap { name, value in value.map { #""\#(name)":\#($0)"# } }.joined(separator: ",") + "}"
    }
    func text(_ value: String?) -> String? { value.map { #""\#($0)""# } }
    func money(_ units: Int?, _ currency: String?) -> String? { text(units.map { Self.amount($0, currency) }) }
    switch self {
    case .payment(let payment):
      let receivers = payment.receivers.map { receiver in
        object([
          ("recipient", text(receiver.account)), ("subtotal", money(receiver.amount, payment.currency)),
          ("isPrimary", receiver.isPrimary ? "true" : nil), ("country", text(receiver.country)),
          ("paymentType", payment.isPersonal ? #""TYPE_PERSONAL""# : nil),
        ])
      }
      return object([
        ("payKey", text(payment.key)), ("status", text(payment.status.map { "STATUS_\($0)" })),
        ("createdAt", text(payment.time?.text)), ("paymentCurrency", text(payment.currency)),
        ("feePayer", text(payment.feePayer.map { "FEEPAYER_\($0)" })), ("sender", text(payment.sender)),
        ("preapprovalKey", text(payment.agreement)), ("pinVerified", payment.pin.map { "\($0)" }),
        ("fundingSource", payment.isByCard ? #""CARD""# : nil),
        ("receiverPaymentDetails", "[\(receivers.joined(separator: ","))]"),
      ])
    case .refund(let refund):
      let receivers = refund.receivers?.map {
        object([("recipient", text($0.account)), ("amount", money($0.amount, refund.currency))])
      }
      return object([
        ("type", #""refund""#), ("refundKey", text(refund.key)), ("payKey", text(refund.payKey)),
        ("currencyCode", text(refund.currency)), ("amount", money(refund.amount, refund.currency)),
        ("receivers", receivers.map { "[\($0.joined(separator: ","))]" }),
      ])
    case .preapproval(let record):
      return object([
        ("type", #""preapproval""#), ("preapprovalKey", text(record.key)), ("action", text(record.action)),
        ("createdAt", text(record.time?.text)), ("senderEmail", text(record.sender)),
        ("startingDate", text(record.first.map { "\($0.text)Z" })),
        ("endingDate", text(record.last.map { "\($0.text)T23:59:59Z" })), ("currencyCode", text(record.currency)),
        ("maxTotalAmountOfAllPayments", money(record.total, record.currency)),
        ("maxAmountPerPayment", money(record.perPayment, record.currency)),
        ("maxNumberOfPayments", record.count.map { "\($0)" }),
        ("maxNumberOfPaymentsPerPeriod", record.perPeriod.map { "\($0)" }), ("paymentPeriod", text(record.period)),
        ("dateOfMonth", record.dateOfMonth.map { "\($0)" }),
        ("dayOfWeek", text(record.weekday.map { Self.weekdays[$0] })),
        ("pinType", record.needsPIN ? #""REQUIRED""# : nil), ("feesPayer", text(record.feesPayer)),
      ])
    }
  }
}
