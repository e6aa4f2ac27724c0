import Rules
import TestOracles
import TestSupport
import Testing

/// Split payments, valid and with one defect each, compared with the oracle.
@Suite("Payments that are split: properties") struct SplitPaymentPropertyTests {
  static let cases = 2000

  @Test("records become what the oracle computes")
  func records() {
    var generator = SeededGenerator()
    print("SplitPaymentPropertyTests seed \(generator.seed)")
    var seen: [String: Int] = [:]
    for _ in 0..<Self.cases {
      var payment = DrawnSplit(&generator)
      if Int.random(in: 0..<10, using: &generator) < 4 { payment.plantDefect(&generator) }
      let expected = payment.expected
      let assessed = Assessed(Array(payment.record.utf8))
      #expect(assessed.errors.sorted() == expected.errors.sorted(), "\(payment.record) \(generator.reproduction)")
      #expect(assessed.control == expected.control, "\(payment.record) \(generator.reproduction)")
      for error in expected.errors { seen[String(error.prefix { $0 != " " }), default: 0] += 1 }
      guard expected.errors.isEmpty else { continue }
      seen["settled", default: 0] += 1
      #expect(assessed.parties.map(\.gross) == expected.grosses, "\(payment.record) \(generator.reproduction)")
      let rounded = assessed.noticed.filter { $0.hasPrefix("SPLIT_ROUNDED") }
      #expect(rounded == expected.rounded.sorted(), "\(payment.record) \(generator.reproduction)")
    }
    for what in [
      "settled", "SPLIT_EXCEEDS_TOTAL", "SPLIT_NOT_WHOLE", "SPLIT_ZERO_PART", "SPLIT_TERMS", "MISSING_FIELD",
      "INVALID_VALUE", "WRONG_TYPE", "AMOUNT_PRECISION", "INVALID_RECIPIENT", "RECEIVERS_NOT_UNIQUE",
    ] {
      #expect(seen[what, default: 0] > 0, "\(what): \(seen)")
    }
  }

  @Test("a profile of the same receivers gives the same parts, and each error code once, at its name")
  func profiles() throws {
    var generator = SeededGenerator()
    print("SplitPaymentPropertyTests profiles seed \(generator.seed)")
    for _ in 0..<Self.cases / 3 {
      let payment = DrawnSplit(&generator, isProfile: true)
      let profile = #"{"p":{"paymentCurrency":"\#(payment.currency)",\#(payment.receiverList)}}"#
      let profiles = try SplitProfiles(json: Array(profile.utf8))
      let record =
        #"{"payKey":"K","paymentCurrency":"\#(payment.currency)","splitProfile":"p",\#(payment.totalField)}"#
      let assessed = Assessed(Array(record.utf8), rules: SettlementRules(profiles: profiles))
      let expected = payment.expected
      let codes = Set(expected.errors.map { "\($0.prefix { $0 != " " }) /splitProfile" })
      #expect(assessed.errors.sorted() == codes.sorted(), "\(profile) \(record) \(generator.reproduction)")
      guard codes.isEmpty else { continue }
      #expect(assessed.parties.map(\.gross) == expected.grosses, "\(profile) \(record) \(generator.reproduction)")
      let rounded = assessed.noticed.filter { $0.hasPrefix("SPLIT_ROUNDED") }
      // Errors are reported once; notices are counted by receiver (the specification's example of splits).
      #expect(rounded == expected.rounded.map { _ in "SPLIT_ROUNDED /splitProfile" })
    }
  }
}
