import Foundation
import Rules
import TestOracles
import TestSupport
import Testing

@Suite("Adjusted amounts and taxes") struct AdjustedAmountsTests {
  typealias Object = AmountsOracle.Object

  static func line(_ object: Object) throws -> [UInt8] {
    Array(try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes]))
  }

  @Test("random payments become what an independent oracle computes from the specification")
  func agreesWithOracle() throws {
    var random = SeededGenerator()
    var (mismatches, checked) = (0, 0)
    // With some seeds, few payments have taxes that are compared with the table; then the test goes on.
    for table in 0..<600 where table < 60 || mismatches <= 20 || checked <= 20 {
      let file = Self.randomTaxes(&random)
      let taxes = try TaxTable(json: Self.line(file))
      for round in 0..<60 {
        let payment = Self.randomPayment(&random)
        let line = try Self.line(payment)
        let isTaxed = round % 5 > 0
        var context: String { "\(String(decoding: line, as: UTF8.self)) \(file); \(random.reproduction)" }
        let assessed = Assessed(line, rules: SettlementRules(taxes: isTaxed ? taxes : nil), again: round % 2 == 0)
        let oracle = AmountsOracle(payment, taxes: isTaxed ? file : nil)
        let own = ["/adjustedAmounts", "/shippingAddress", "/amountErrorCode"]
        let errors = assessed.errors.filter { error in
          error.hasPrefix("TAX_") || own.contains { error.contains(" " + $0) }
        }
        #expect(Set(errors) == oracle.errors && errors.count == oracle.errors.count, "\(context)")
        #expect(assessed.control == (oracle.control.map { "USD \(Self.amount($0))" } ?? ""), "\(context)")
        let kinds = ["AMOUNTS_ADJUSTED ", "TAX_", "COUNTRY_NOT_USED ", "ADJUSTED_WITHOUT_ADDRESS "]
        let notices = Set(assessed.noticed.filter { notice in kinds.contains { notice.hasPrefix($0) } })
        let adjusted = Set(oracle.adjusted.map { "AMOUNTS_ADJUSTED \($0)" })
        #expect(
          notices == oracle.noticed.union(adjusted).union(oracle.isTaxUnchecked ? ["TAX_NOT_CHECKED "] : []),
          "\(context)")
        mismatches += errors.count { $0.hasPrefix("TAX_MISMATCH") }
        if assessed.outcome == .settled, isTaxed, !oracle.isTaxUnchecked { checked += 1 }
      }
    }
    #expect(mismatches > 20 && checked > 20, "\(random.reproduction)")
  }

  @Test("fees, the chain and the sender amount use the adjusted amounts")
  func moneyFollows() {
    let assessed = Assessed(
      """
      {"payKey":"P","receiverPaymentDetails":[{"recipient":"a@b.example","subtotal":"10.00","isPrimary":true},\
      {"recipient":"b@b.example","subtotal":"99.00"}],"adjustedAmounts":[{"recipient":"B@b.example","amounts":\
      {"payment_amount":"40","shipping":"2"}},{"recipient":"a@b.example","amounts":{"payment_amount":"100.00",\
      "tax":"5"}}]}
      """)
    #expect(assessed.errors == [] && assessed.senderAmount == "105.00" && assessed.control == "USD 105.00")
    #expect(assessed.parties.map(\.gross) == ["105.00", "42.00"])
    #expect(assessed.parties.map(\.kept) == ["63.00", "42.00"])
    #expect(assessed.parties.map(\.fee) == ["2.13", "1.52"])
  }

  @Test("a fixed part of a split, or of a profile, is the adjusted one")
  func splitsFollow() throws {
    let receivers = #"[{"recipient":"a@b.example","subtotal":"10.00"},{"recipient":"b@b.example","split":{"share":1}}]"#
    let profiles = try SplitProfiles(
      json: Array(#"{"p":{"paymentCurrency":"USD","receiverPaymentDetails":\#(receivers)}}"#.utf8))
    for named in [#""splitProfile":"p""#, #""receiverPaymentDetails":\#(receivers)"#] {
      let assessed = Assessed(
        Array(
          """
          {"payKey":"P","splitTotal":"20",\(named),"adjustedAmounts":[{"recipient":"a@b.example",\
          "amounts":{"payment_amount":"12.50","tax":"0.50"}}]}
          """.utf8), rules: SettlementRules(profiles: profiles))
      #expect(assessed.errors == [] && assessed.parties.map(\.gross) == ["13.00", "7.00"])
    }
    let unknown = Assessed(
      Array(
        """
        {"payKey":"P","splitTotal":"20","splitProfile":"q","adjustedAmounts":[{"recipient":"z@b.example",\
        "amounts":{"payment_amount":"0"}}]}
        """.utf8), rules: SettlementRules(profiles: profiles))
    #expect(
      unknown.errors == [
        "INVALID_VALUE /splitProfile", "AMOUNT_NOT_POSITIVE /adjustedAmounts/0/amounts/payment_amount",
      ])
  }

  @Test("adjusted amounts of very many receivers take no longer than the receivers")
  func manyEntries() throws {
    let accounts = (0..<8000).map { "r\($0)@b.example" }
    let assessed = Assessed(
      try Self.line([
        "payKey": "P", "receiverPaymentDetails": accounts.map { ["recipient": $0, "subtotal": "1"] },
        "adjustedAmounts": accounts.reversed().map { ["recipient": $0, "amounts": ["payment_amount": "2"]] as Object },
      ]))
    #expect(assessed.errors == ["RECEIVER_COUNT /receiverPaymentDetails"] && assessed.control == "USD 16000.00")
    #expect(assessed.notices.count == 8001)
  }

  // MARK: Random payments

  static func amount(_ cents: Int) -> String {
    "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
  }

  private static func pick<Value>(_ values: [Value], _ random: inout SeededGenerator) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  private static func randomTaxes(_ random: inout SeededGenerator) -> Object {
    var rates: [String: Object] = [:]
    for _ in 0..<Int.random(in: 0...8, using: &random) {
      var rate: Object = ["country": pick(["US", "US", "FR"], &random)]
      let (state, postal) = (pick(["", "CA", "ny"], &random), pick(["", "9", "9-4", "94 1", "k1", "é"], &random))
      if !state.isEmpty { rate["state"] = state }
      if !postal.isEmpty { rate["postal"] = postal }
      rate["percent"] = pick(["0", "8", "8.625", "10", "12.5", "100", "0.001"], &random)
      if Bool.random(using: &random) { rate["shipping"] = Bool.random(using: &random) }
      rates["\(rate["country"]!) \(state) \(postal)"] = rate
    }
    var taxes: Object = [
      "rounding": pick(["HALF_UP", "HALF_DOWN", "HALF_EVEN", "UP", "DOWN", "CEILING", "FLOOR"], &random),
      "rates": rates.values.map { $0 },
    ]
    if Bool.random(using: &random) { taxes["tolerance"] = Int.random(in: 0...9, using: &random) }
    if Bool.random(using: &random) { taxes["exempt"] = pick([[], ["TYPE_PERSONAL"], ["TYPE_GOODS"]], &random) }
    return taxes
  }

  /// Mostly valid: with faults in many places, nothing else would be tested.
  private static func randomAmount(_ random: inout SeededGenerator, isPositive: Bool = false) -> String {
    if Int.random(in: 0..<25, using: &random) == 0 { return pick(["x", "-1", "1.001", "0"], &random) }
    return pick(["1", "2.50", "10.00", "0.10", "0.05", "0.80", "1.25", isPositive ? "3" : "0"], &random)
  }

  private static func randomAmounts(_ random: inout SeededGenerator) -> Object {
    var amounts: Object = ["payment_amount": randomAmount(&random, isPositive: true)]
    if Int.random(in: 0..<30, using: &random) == 0 { amounts["payment_amount"] = nil }
    if Bool.random(using: &random) { amounts["tax"] = randomAmount(&random) }
    if Bool.random(using: &random) { amounts["shipping"] = randomAmount(&random) }
    if Int.random(in: 0..<4, using: &random) == 0 { amounts["currency"] = pick(["USD", "USD", "EUR", "XXX"], &random) }
    return amounts
  }

  private static func randomReceiver(_ random: inout SeededGenerator) -> Object {
    var receiver: Object = ["recipient": pick(["a@b.example", "B@b.example", "c@b.example", "d@b.example"], &random)]
    if Int.random(in: 0..<25, using: &random) == 0 { receiver["recipient"] = "nobody" }
    receiver["subtotal"] = pick(["1.00", "10", "5.55"], &random)
    if Int.random(in: 0..<20, using: &random) == 0 { receiver["subtotal"] = nil }
    if Bool.random(using: &random) {
      receiver["invoiceData"] = [
        "totalTax": pick(["0", "0.80", "1", "x"], &random), "totalShipping": pick(["0", "2"], &random),
      ]
    }
    if Bool.random(using: &random) {
      receiver["paymentType"] = pick(["TYPE_PERSONAL", "TYPE_GOODS", "TYPE_NOT_SET", "TYPE_X"], &random)
    }
    return receiver
  }

  private static func randomPayment(_ random: inout SeededGenerator) -> Object {
    var payment: Object = ["payKey": "P"]
    let isSingle = Int.random(in: 0..<3, using: &random) == 0
    if isSingle {
      payment.merge(randomReceiver(&random)) { $1 }
      payment["subTotal"] = payment["subtotal"]
      payment["subtotal"] = nil
    } else {
      var receivers = (0..<Int.random(in: 1...7, using: &random)).map { _ in randomReceiver(&random) as Any }
      if Bool.random(using: &random) { receivers = Array(receivers.prefix(2)) }
      if Int.random(in: 0..<3, using: &random) == 0, var primary = receivers[0] as? Object {
        primary["isPrimary"] = true
        receivers[0] = primary
      }
      if Int.random(in: 0..<5, using: &random) == 0, var last = receivers.last as? Object {
        last["split"] = ["share": "1"]
        last["subtotal"] = nil
        last["invoiceData"] = nil
        receivers[receivers.count - 1] = last
        if Bool.random(using: &random) { payment["splitTotal"] = "50.00" }
      }
      if Int.random(in: 0..<30, using: &random) == 0 { receivers[0] = 7 }
      payment["receiverPaymentDetails"] = receivers
    }
    addAdjustments(to: &payment, isSingle: isSingle, &random)
    addAddress(to: &payment, &random)
    return payment
  }

  private static func addAdjustments(to payment: inout Object, isSingle: Bool, _ random: inout SeededGenerator) {
    guard Int.random(in: 0..<4, using: &random) > 0 else { return }
    if isSingle {
      payment["adjustedAmounts"] = randomAmounts(&random)
    } else {
      payment["adjustedAmounts"] = (0..<Int.random(in: 0...3, using: &random)).map { _ -> Any in
        var entry: Object = ["amounts": randomAmounts(&random)]
        entry["recipient"] = pick(["a@b.example", "b@b.example", "C@b.example", "d@b.example", "e@b.example"], &random)
        switch Int.random(in: 0..<40, using: &random) {
        case 0: return 5
        case 1: entry["recipient"] = nil
        case 2: entry["recipient"] = "nobody"
        case 3: entry["amounts"] = [1]
        case 4: entry["amounts"] = nil
        default: break
        }
        return entry
      }
    }
    if Int.random(in: 0..<25, using: &random) == 0 { payment["adjustedAmounts"] = isSingle ? [] : Object() }
  }

  private static func addAddress(to payment: inout Object, _ random: inout SeededGenerator) {
    if Int.random(in: 0..<9, using: &random) == 0 {
      payment["amountErrorCode"] = pick(
        ["AMOUNT_ERROR_NONE", "AMOUNT_ERROR_SERVER", "AMOUNT_ERROR_OTHER", "AMOUNT_CANCEL_TXN"], &random)
    }
    guard Int.random(in: 0..<9, using: &random) > 0 else { return }
    var address: Object = ["countrycode": pick(["US", "US", "US", "FR", "XX"], &random)]
    if Bool.random(using: &random) { address["state"] = pick(["ca", "NY", "", "TX"], &random) as String }
    if Bool.random(using: &random) { address["postalcode"] = pick(["94107", "9 4-1", "9", "K1A", "", "é1"], &random) }
    switch Int.random(in: 0..<25, using: &random) {
    case 0: address["state"] = 5
    case 1: address["postalcode"] = 94107
    case 2: address["city"] = 1
    case 3: address["countrycode"] = nil
    default: break
    }
    payment["shippingAddress"] = Int.random(in: 0..<40, using: &random) == 0 ? 7 as Any : address
  }
}
