import Testing
import TestSupport

@testable import BatchRun
@testable import RunSupport

@Suite("Agreements at their edges: first and last days, periods, limits")
struct AgreementEdgeTests {
  /// An agreement over 2026-03-10 to 2027-03-10, and payments under it, each with the codes that it is refused with.
  struct Case: CustomTestStringConvertible, Sendable {
    var terms: String
    var payments: [Payment]
    var testDescription: String { terms }

    init(_ terms: String, _ payments: Payment...) { (self.terms, self.payments) = (terms, payments) }
  }

  struct Payment: Sendable {
    var time: String
    var amount = "10.00"
    var codes: [String]

    init(_ time: String, _ amount: String = "10.00", _ codes: String...) {
      self.time = time.contains("T") ? time : "\(time)T12:00:00Z"
      (self.amount, self.codes) = (amount, codes)
    }
  }

  private static func create(_ more: String, ends: String = "2027-03-10") -> String {
    #"{"type":"preapproval","preapprovalKey":"A","createdAt":"2026-03-09T12:00:00Z","senderEmail":"payer@a.example","#
      + #""startingDate":"2026-03-10Z","endingDate":"\#(ends)Z","currencyCode":"USD","#
      + #""maxTotalAmountOfAllPayments":"1000.00"\#(more.isEmpty ? "" : ",")\#(more)}"#
  }

  private static func confirm(_ time: String = "2026-03-09T13:00:00Z") -> String {
    #"{"type":"preapproval","preapprovalKey":"A","action":"CONFIRM","createdAt":"\#(time)"}"#
  }

  private static func payment(_ number: Int, _ payment: Payment, _ more: String = "") -> String {
    Line.payment(
      "P\(number)", payment.amount,
      more: #","sender":"payer@a.example","preapprovalKey":"A","createdAt":"\#(payment.time)"\#(more)"#)
  }

  /// The codes of each line.
  private func codes(_ lines: [String]) throws -> [[String]] {
    let settled = try Workshop().settle(lines.joined(separator: "\n"))
    #expect(settled.failure == nil)
    let rows = settled.exceptions.map { $0.split(separator: " ").map(String.init) }
    return lines.indices.map { number in rows.filter { $0[0] == "\(number + 1)" }.map { $0[2] } }
  }

  private static let perPeriod = #""maxNumberOfPaymentsPerPeriod":1,"paymentPeriod":"#
  private static let (dates, period) = ("PREAPPROVAL_DATES", "PREAPPROVAL_PERIOD_COUNT")
  private static let (monthDay, weekDay) = ("PREAPPROVAL_DAY_OF_MONTH", "PREAPPROVAL_DAY_OF_WEEK")

  static let cases = [
    // The first day and the last one, in UTC.
    Case(
      "", Payment("2026-03-09T23:59:59Z", "10.00", dates), Payment("2026-03-10T00:00:00Z"),
      Payment("2026-03-10T01:00:00+02:00", "10.00", dates), Payment("2027-03-10"), Payment("2027-03-10T23:59:59Z"),
      Payment("2027-03-11T00:00:00Z", "10.00", dates), Payment("2027-03-10T23:00:00-02:00", "10.00", dates)),
    // One payment a period: a second one in the same period is refused.
    Case(
      perPeriod + #""SEMIMONTHLY""#, Payment("2026-04-01"), Payment("2026-04-15", "10.00", period),
      Payment("2026-04-16"), Payment("2026-04-30", "10.00", period), Payment("2026-05-15"), Payment("2026-05-16"),
      Payment("2026-06-01"), Payment("2026-06-16")),
    Case(
      perPeriod + #""MONTHLY""#, Payment("2026-04-01"), Payment("2026-04-30", "10.00", period), Payment("2026-05-01"),
      Payment("2026-05-31", "10.00", period), Payment("2027-02-28"), Payment("2027-03-01")),
    // A Saturday, and the Sunday after it.
    Case(
      perPeriod + #""WEEKLY""#, Payment("2026-03-14"), Payment("2026-03-15"), Payment("2026-03-21", "10.00", period),
      Payment("2026-03-22")),
    // Two weeks from Sunday, 8 March, on.
    Case(
      perPeriod + #""BIWEEKLY""#, Payment("2026-03-10"), Payment("2026-03-21", "10.00", period), Payment("2026-03-22"),
      Payment("2026-04-04", "10.00", period), Payment("2026-04-05"), Payment("2026-03-07", "10.00", dates)),
    Case(
      perPeriod + #""DAILY""#, Payment("2026-03-14T00:00:00Z"), Payment("2026-03-14T23:59:59Z", "10.00", period),
      Payment("2026-03-15T00:00:00Z")),
    Case(
      perPeriod + #""ANNUALLY""#, Payment("2026-03-10"), Payment("2026-12-31", "10.00", period), Payment("2027-01-01"),
      Payment("2027-03-10", "10.00", period)),
    Case(
      perPeriod + #""NO_PERIOD_SPECIFIED""#, Payment("2026-03-10"), Payment("2027-03-10", "10.00", period)),
    Case(
      #""maxNumberOfPaymentsPerPeriod":2,"paymentPeriod":"MONTHLY""#, Payment("2026-04-01"), Payment("2026-04-02"),
      Payment("2026-04-03", "10.00", period)),
    // The last day of a shorter month counts as the 31st.
    Case(
      #""dateOfMonth":31"#, Payment("2026-03-31"), Payment("2026-03-30", "10.00", monthDay), Payment("2026-04-30"),
      Payment("2026-04-29", "10.00", monthDay), Payment("2027-02-28")),
    Case(
      #""dateOfMonth":15"#, Payment("2026-04-15"), Payment("2026-04-14", "10.00", monthDay),
      Payment("2026-04-30", "10.00", monthDay)),
    Case(
      #""dayOfWeek":"SUNDAY""#, Payment("2026-03-15"), Payment("2026-03-14", "10.00", weekDay),
      Payment("2026-03-16", "10.00", weekDay)),
    Case(
      #""dayOfWeek":"SATURDAY""#, Payment("2026-03-14"), Payment("2026-03-15", "10.00", weekDay)),
    // Amounts at the limits are allowed; a cent or a payment more is not.
    Case(
      #""maxAmountPerPayment":"10.00""#, Payment("2026-03-10", "10.00"),
      Payment("2026-03-10", "10.01", "PREAPPROVAL_PAYMENT_MAX")),
    Case(
      "", Payment("2026-03-10", "600.00"), Payment("2026-03-10", "400.01", "PREAPPROVAL_TOTAL"),
      Payment("2026-03-10", "400.00"), Payment("2026-03-10", "0.01", "PREAPPROVAL_TOTAL")),
    Case(
      #""maxNumberOfPayments":2"#, Payment("2026-03-10"), Payment("2026-03-11"),
      Payment("2026-03-12", "10.00", "PREAPPROVAL_COUNT")),
  ]

  @Test("payments", arguments: cases)
  func payments(_ example: Case) throws {
    let lines = [Self.create(example.terms), Self.confirm()] + example.payments.enumerated().map(Self.line)
    #expect(try codes(lines) == [[], []] + example.payments.map(\.codes))
  }

  private static func line(_ number: Int, _ payment: Payment) -> String { Self.payment(number, payment) }

  @Test(
    "fees that the sender bears on top are part of what a payment costs",
    arguments: [("10.59", true), ("10.58", false)])
  func feesOnTop(most: String, isAllowed: Bool) throws {
    let terms = #""feesPayer":"SENDER","maxAmountPerPayment":"\#(most)""#
    let lines = [
      Self.create(terms), Self.confirm(),
      Self.payment(0, Payment("2026-03-10"), #","feePayer":"FEEPAYER_SENDER""#),
    ]
    #expect(try codes(lines)[2] == (isAllowed ? [] : ["PREAPPROVAL_PAYMENT_MAX"]))
  }

  @Test(
    "a payment that is pending or refused uses nothing of the agreement",
    arguments: [(#","status":"STATUS_CREATED""#, "STATUS_CREATED"), (#","country":"QQ""#, "COUNTRY_NOT_SUPPORTED")])
  func unsettled(more: String, code: String) throws {
    let lines = [
      Self.create(#""maxNumberOfPayments":1"#), Self.confirm(), Self.payment(0, Payment("2026-03-10"), more),
      Self.payment(1, Payment("2026-03-10")), Self.payment(2, Payment("2026-03-10")),
    ]
    #expect(try codes(lines).suffix(3) == [[code], [], ["PREAPPROVAL_COUNT"]])
  }

  @Test(
    "a confirmation comes 0 to 3 hours after, both included",
    arguments: [
      ("2026-03-09T12:00:00Z", true), ("2026-03-09T15:00:00Z", true), ("2026-03-09T15:00:00.999Z", true),
      ("2026-03-09T15:00:01Z", false), ("2026-03-09T11:59:59Z", false),
    ])
  func confirmation(time: String, isTaken: Bool) throws {
    let lines = [Self.create(""), Self.confirm(time), Self.payment(0, Payment("2026-03-10"))]
    #expect(
      try codes(lines) == (isTaken ? [[], [], []] : [[], ["PREAPPROVAL_NOT_PENDING"], ["PREAPPROVAL_NOT_CONFIRMED"]]))
  }

  @Test(
    "an agreement lasts a year at most, and a limit may be the total",
    arguments: [
      ("", "2027-03-10", []), ("", "2027-03-11", ["DATE_RANGE_TOO_WIDE"]), ("", "2026-03-10", []),
      ("", "2026-03-09", ["DATE_OUT_OF_RANGE"]), (#""maxAmountPerPayment":"1000.00""#, "2027-03-10", []),
      (#""maxAmountPerPayment":"1000.01""#, "2027-03-10", ["LIMIT_ABOVE_TOTAL"]),
    ] as [(String, String, [String])])
  func creation(terms: String, ends: String, wanted: [String]) throws {
    #expect(try codes([Self.create(terms, ends: ends)]) == [wanted])
  }
}
