import Rules
import TestOracles
import TestSupport
import Testing
import Text

@testable import struct Rules.CardNumber

@Suite("Cards: validity, masking, fees")
struct CardTests {
  static let schedule = ScheduleText(
    plans: #"""
      {"standard":{"rate":"0.029","fixed":"standard"},"free":{"rate":"0"},"swiped":{"rate":"0.027"},
      "keyed":{"rate":"0.035","fixed":"keyed"},"own":{"rate":"0.01"},"rent":{"rate":"0.02"}}
      """#,
    subTypes: #"{"SUBTYPE_RENT":"rent"}"#, accounts: #"{"own@b.example":"own"}"#,
    fixed: #"{"standard":\#(ScheduleText.table("0.30")),"keyed":\#(ScheduleText.table("0.15"))}"#,
    more: #","cards":{"SWIPED":"swiped","KEYED":"keyed"}"#)

  private static func payment(_ card: String, _ more: String = "", recipient: String = "a@b.example") -> String {
    #"{"payKey":"K","recipient":"\#(recipient)","subTotal":"100.00"\#(more),"card":\#(card)}"#
  }

  @Test(
    "the plan of a receiver: personal, account, subtype, then the card's entry",
    arguments: [
      ("SWIPED", "", "a@b.example", "swiped", "2.70"), ("KEYED", "", "a@b.example", "keyed", "3.65"),
      ("KEYED", #","paymentType":"TYPE_PERSONAL""#, "a@b.example", "standard", "3.20"),
      ("SWIPED", "", "Own@b.example", "own", "1.00"),
      ("SWIPED", #","paymentType":"TYPE_SERVICE","paymentSubType":"SUBTYPE_RENT""#, "a@b.example", "rent", "2.00"),
      ("SWIPED", #","fundingSource":null"#, "a@b.example", "swiped", "2.70"),
    ])
  func plans(entry: String, more: String, recipient: String, plan: String, fee: String) throws {
    let line = Self.payment(#"{"entry":"\#(entry)"}"#, more, recipient: recipient)
    let assessed = Assessed(line, schedule: try Self.schedule.schedule())
    #expect(assessed.errors == [])
    #expect(assessed.plans == [plan])
    #expect(assessed.fees == fee)
  }

  @Test("without cards in the schedule, or with a card that is null, the default applies")
  func noPlans() throws {
    #expect(Assessed(Self.payment(#"{"entry":"KEYED"}"#)).fees == "3.20")
    #expect(Assessed(Self.payment("null"), schedule: try Self.schedule.schedule()).plans == ["standard"])
    #expect(Assessed(Self.payment("null", #","fundingSource":"BANK""#)).errors == [])
  }

  @Test(
    "a valid number shows its last four digits",
    arguments: [
      ("4111111111111111", "**** **** **** 1111"), ("378282246310005", "**** ****** *0005"),
      ("340000000000009", "**** ****** *0009"), ("4222222222222", "**** **** *222 2"),
      ("6304000000000000000", "**** **** **** ***0 000"), ("100000000000008", "**** **** ***0 008"),
      ("3700000000000007", "**** **** **** 0007"),
    ])
  func shown(number: String, shown: String) {
    let shows = CardNumber(Array(number.utf8).span)?.shown
    #expect(
      shows
        == (CardOracle.errors(of: ["cardNumber": "\"\(number)\""], createdAt: nil).contains {
          $0.hasPrefix("INVALID")
        } ? nil : shown))
  }

  static let values: [String: [String]] = [
    "cardNumber": [
      "4111111111111111", "378282246310005", "340000000000009", "4222222222222", "6304000000000000000",
      "4111111111111112", "4111 1111 1111 1111", "411111111116", "", "41111111111111111111", "0000000000000",
      "٤١١١١١١١١١١١١١١١",
    ],
    "expirationDate": [
      "11/26", "1126", "11/2026", "112026", "10/26", "12/26", "0127", "13/26", "00/26", "1/26", "11/026", "11-26",
      "12/0001", "1225", "11//26", "11/26 ", "120000", "11/26\u{301}",
    ],
    "entry": ["SWIPED", "KEYED", "KEYED", "keyed", "", "DIPPED"],
    "cvv2": ["123", "1234", "12", "12345", "12a", "１２３", ""],
    "postalCode": ["SW1A 1AA", "9", "-1", " 1", "1-", "ABCDEFGHIJKLMNOP", "ABCDEFGHIJKLMNOPQ", "", "Ä1", "1/2"],
  ]

  @Test("random cards have the errors that the oracle computes, or without errors the plan of their entry")
  func random() throws {
    var generator = SeededGenerator()
    var judge = RecordJudge(rules: SettlementRules(schedule: try Self.schedule.schedule()))
    var valid = 0
    for _ in 0..<3000 {
      var card: [String: String] = [:]
      for (name, values) in Self.values.sorted(by: { $0.key < $1.key }) {
        switch Int.random(in: 0..<12, using: &generator) {
        case 0, 1: break
        case 2: card[name] = ["null", "1126", "true", "{}", "[\"KEYED\"]"].randomElement(using: &generator)
        case 3...7: card[name] = "\"\(values[0])\""
        default: card[name] = values.randomElement(using: &generator).map { "\"\($0)\"" }
        }
      }
      let createdAt =
        ["2026-11-30T23:59:59-12:00", "2026-12-01T00:30:00+14:00", "2027-01-31T00:00:00Z", nil]
        .randomElement(using: &generator) ?? nil
      let source = ["BALANCE", "BANK", "CARD", nil, nil, nil].randomElement(using: &generator) ?? nil
      var expected = CardOracle.errors(of: card, createdAt: createdAt)
      if let source, source != "CARD" { expected.insert("FUNDING_SOURCE_MISMATCH /fundingSource") }
      let object = "{" + card.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
      let line = Self.payment(
        object,
        (createdAt.map { ",\"createdAt\":\"\($0)\"" } ?? "") + (source.map { ",\"fundingSource\":\"\($0)\"" } ?? ""))
      let memory = LineMemory(Array(line.utf8))
      defer { withExtendedLifetime(memory) {} }
      _ = judge.judge(memory.line, .inPlace)
      let errors = judge.judgement.findings.map { finding in
        "\(finding.reason.code) " + TextBuffer.string { judge.judgement.writeField(of: finding, to: &$0) }
      }
      #expect(errors.sorted() == expected.sorted(), "\(line) \(generator.reproduction)")
      guard expected.isEmpty else { continue }
      valid += 1
      let plan = judge.rules.schedule.plans[judge.judgement.receiver(0).plan].name
      #expect(plan == (card["entry"] == "\"KEYED\"" ? "keyed" : "swiped"), "\(line)")
    }
    #expect(valid > 100, "\(generator.reproduction)")
  }
}
