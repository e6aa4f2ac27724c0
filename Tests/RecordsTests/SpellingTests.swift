import Records
import Testing

@Suite("Enumerated values are spelled as in batch.md")
struct SpellingTests {
  static let subTypes =
    "NOT_SET AFFILIATE_PAYMENTS B2B PAYROLL REBATES REFUNDS REIMBURSEMENTS DONATIONS UTILITIES TUITION GOVERNMENT INSURANCE "
    + "REMITTANCES RENT MORTGAGE MEDICAL CHILD_CARE EVENT_PLANNING GENERAL_CONTRACTORS ENTERTAINMENT TOURISM INVOICE TRANSFER"

  @Test("all spellings, no others")
  func spellings() {
    #expect(PaymentStatus.allCases.map(\.name) == ["STATUS_COMPLETED", "STATUS_CREATED", "STATUS_OTHER"])
    #expect(
      FeePayer.allCases.map(\.name) == [
        "FEEPAYER_EACHRECEIVER", "FEEPAYER_SENDER", "FEEPAYER_PRIMARYRECEIVER", "FEEPAYER_SECONDARYONLY",
      ])
    #expect(FundingSource.allCases.map(\.name) == ["BALANCE", "BANK", "CARD"])
    #expect(PaymentType.allCases.map(\.name) == ["TYPE_NOT_SET", "TYPE_GOODS", "TYPE_SERVICE", "TYPE_PERSONAL"])
    #expect(PaymentSubType.allCases.map(\.name) == Self.subTypes.split(separator: " ").map { "SUBTYPE_\($0)" })
  }

  @Test("a value is found only by its exact spelling")
  func finds() {
    check(PaymentStatus.self)
    check(FeePayer.self)
    check(FundingSource.self)
    check(PaymentType.self)
    check(PaymentSubType.self)
  }

  private func check<Value: WireValue & Equatable>(_ type: Value.Type) {
    for (number, value) in type.allCases.enumerated() {
      #expect(Int(value.number) == number, "numbers have no gap")
      let name = value.name
      #expect(type.find(name) == value)
      let others = [
        name.lowercased(), name + " ", " " + name, String(name.dropLast()), name + "X", "X" + name, name + "\u{0}",
        String(name.dropFirst()), name.replacing("_", with: "-") == name ? "" : name.replacing("_", with: "-"),
      ]
      for other in others where !type.allCases.map(\.name).contains(other) {
        #expect(type.find(other) == nil, "\(other)")
      }
    }
    #expect(type.find("") == nil)
  }

  @Test("names in reports")
  func reportNames() {
    #expect(
      Outcome.allCases.map(\.name.description) == ["SETTLED", "PENDING", "HELD", "REJECTED", "REFUNDED", "AGREED"])
    #expect(Outcome.allCases.map(\.number) == [0, 1, 2, 3, 4, 5])
    #expect(PaymentKind.allCases.map(\.name.description) == ["SIMPLE", "PARALLEL", "CHAINED"])
    #expect(PartyRole.allCases.map(\.name.description) == ["SENDER", "RECEIVER", "PRIMARY", "SECONDARY"])
    #expect(PaymentKind.maximumReceivers == 6)
  }

  @Test(
    "a status decides the outcome",
    arguments: [(PaymentStatus.completed, Outcome.settled), (.created, .pending), (.other, .held)])
  func outcomes(status: PaymentStatus, outcome: Outcome) {
    #expect(status.outcome == outcome)
  }
}
