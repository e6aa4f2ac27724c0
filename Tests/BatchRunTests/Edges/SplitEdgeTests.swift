import TestSupport
import Testing

@testable import RunSupport

@Suite("Splits at their edges: whole percentages, equal bounds, parts of zero")
struct SplitEdgeTests {
  /// The terms of a total of 10.00, and the parts, or the code that the payment is rejected with.
  static let cases: [(terms: [String], parts: String)] = [
    ([#""percent":100"#], "10.00"), ([#""percent":100.01"#], "INVALID_VALUE"), ([#""share":1"#], "10.00"),
    ([#""percent":100"#, #""percent":0,"min":"0""#], "10.00 0.00"),
    ([#""percent":100"#, #""percent":0"#], "SPLIT_ZERO_PART"),
    ([#""percent":100"#, #""share":1"#], "SPLIT_ZERO_PART"),
    ([#""percent":50,"min":"3.00","max":"3.00""#, #""share":1"#], "3.00 7.00"),
    ([#""percent":50,"min":"3.01","max":"3.00""#, #""share":1"#], "SPLIT_TERMS"),
    ([#""share":9,"min":"3.00","max":"3.00""#, #""share":1"#], "3.00 7.00"),
    ([#""share":1,"min":"5.00""#, #""share":1,"min":"5.00""#], "5.00 5.00"),
    ([#""share":1,"min":"5.00""#, #""share":1,"min":"5.01""#], "SPLIT_EXCEEDS_TOTAL"),
    ([#""share":1,"max":"5.00""#, #""share":1,"max":"5.00""#], "5.00 5.00"),
    ([#""share":1,"max":"5.00""#, #""share":1,"max":"4.99""#], "SPLIT_NOT_WHOLE"),
    ([#""percent":50"#, #""percent":50"#], "5.00 5.00"),
    ([#""percent":50"#, #""percent":50.01"#], "SPLIT_EXCEEDS_TOTAL"),
    // The missing cent goes to the largest fraction that was cut off, among equal ones to the first account.
    ([#""share":1"#, #""share":1"#, #""share":1"#], "3.34 3.33 3.33"),
    ([#""share":1"#, #""share":2"#, #""share":2"#, #""share":1"#], "1.67 3.33 3.33 1.67"),
  ]

  @Test(arguments: cases)
  func divides(terms: [String], parts: String) throws {
    #expect(try Self.settle([terms]) == parts)
  }

  @Test("the bounds of a payment do not apply to the next one")
  func bounds() throws {
    let bounded = [#""share":1,"min":"9.00""#, #""share":1,"max":"2.00""#]
    #expect(try Self.settle([bounded, [#""share":1"#, #""share":1"#]]) == "9.00 1.00 5.00 5.00")
  }

  /// The parts of payments of 10.00, and the codes that they are rejected with.
  private static func settle(_ payments: [[String]]) throws -> String {
    let lines = payments.enumerated().map { number, terms in
      let receivers = terms.enumerated().map { #"{"recipient":"\#($0)@x.example","split":{\#($1)}}"# }
      return #"{"payKey":"P\#(number)","splitTotal":"10.00","receiverPaymentDetails":["#
        + "\(receivers.joined(separator: ","))]}"
    }
    let settled = try Workshop().settle(lines.joined(separator: "\n"))
    let rows = settled.rows("settlement.csv").filter { $0.contains(",RECEIVER,") }
    let codes = settled.exceptions.map { String($0.split(separator: " ")[2]) }
    return (rows.map { String($0.split(separator: ",")[5]) } + codes).joined(separator: " ")
  }
}
