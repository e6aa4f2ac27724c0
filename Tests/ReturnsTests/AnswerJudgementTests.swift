import ExactArithmetic
import Ledger
import Money
import Testing

@testable import Returns

@Suite("Checks of answers about one payment")
struct AnswerJudgementTests {
  private static let payment = BookedPayment(
    account: Array("bert@x.example".utf8), currency: Currency(code: "EUR")!, amount: ExactDecimal("50.00")!)
  private static let payoutDay = 1_000

  /// A group of answers, which all fit the payment until they are changed.
  private struct Group {
    var texts = AnswerTexts()
    var answers: [Answer] = []

    mutating func add(
      _ format: String, reason: String = "AC04", status: String = "RETURN", amount: String? = "50.00",
      currency: String = "EUR", day: Int32? = 1_001, document: UInt32 = 1, flags: Answer.Flags = [.returns]
    ) {
      var answer = Answer()
      (answer.format, answer.flags, answer.day) = (AnswerFormat.place(format), flags, day)
      answer.flags.insert(.hasReference)
      if let amount {
        answer.flags.insert(.hasAmount)
        answer.amount = AnswerAmount.text(Array(amount.utf8)).kept(in: &texts)
        answer.currency = texts.place(of: Array(currency.utf8))
      }
      (answer.reason, answer.status) = (texts.place(of: Array(reason.utf8)), texts.place(of: Array(status.utf8)))
      (answer.document, answer.sequence) = (document, UInt32(answers.count))
      answers.append(answer)
    }

    func verdicts(isBooked: Bool = false) -> [String] {
      AnswerJudgement(
        answers, payment: AnswerJudgementTests.payment, day: AnswerJudgementTests.payoutDay, isBooked: isBooked,
        texts: texts
      ).verdicts.map { $0.code?.rawValue ?? $0.result.rawValue }
    }
  }

  @Test(
    "The first check that fails is the code",
    arguments: [
      ("AC04", "50.00", "EUR", 999, "REPEATED"), ("AC04", "50", "EUR", 999, "REPEATED"),
      ("AC04", "50.01", "EUR", 999, "AMOUNT_DIFFERS"), ("AC04", "50,00", "EUR", 999, "AMOUNT_DIFFERS"),
      ("AC04", "50.00", "CHF", 999, "CURRENCY_DIFFERS"), ("AC04", "50.00", "EUR", 998, "BEFORE_PAYOUT"),
      ("AM05", "50.00", "EUR", 999, "SENT_TWICE"), ("DU03", "50.00", "EUR", 999, "SENT_TWICE"),
      ("DU06", "50.00", "EUR", 999, "REPEATED"), ("R67", "50.00", "EUR", 999, "DISPUTED"),
      ("R66", "50.00", "EUR", 999, "REPEATED"), ("R78", "50.00", "EUR", 999, "REPEATED"),
      ("AM05", "1", "CHF", 1, "CURRENCY_DIFFERS"),
    ])
  func checks(_ reason: String, _ amount: String, _ currency: String, _ day: Int, _ expected: String) {
    var group = Group()
    group.add("CAMT053", reason: reason, amount: amount, currency: currency, day: Int32(day))
    #expect(group.verdicts() == [expected])
    #expect(group.verdicts(isBooked: true) == ["BOOKED"])
  }

  @Test("A list is not checked, because a person made it")
  func lists() {
    var group = Group()
    group.add("CSV", reason: "AM05", amount: nil, day: nil)
    #expect(group.verdicts() == ["REPEATED"])
  }

  @Test("A refusal without an amount needs a file id of the payment's payout")
  func noAmount() {
    for (format, flags, expected) in [
      ("PAIN002", Answer.Flags.returns, "AMOUNT_DIFFERS"), ("PAIN002", [.returns, .hasFileID], "REPEATED"),
      ("CAMT054", [.returns, .hasFileID], "AMOUNT_DIFFERS"),
    ] {
      var group = Group()
      group.add(format, amount: nil, flags: flags)
      #expect(group.verdicts() == [expected])
    }
  }

  @Test("Flags that a reader sets")
  func flags() {
    for (flag, expected) in [
      (Answer.Flags.conflicts, "REFERENCE_CONFLICT"), (.hasOtherAmount, "AMOUNT_DIFFERS"),
      (.isRefusedAsWhole, "FILE_REFUSED"),
    ] {
      var group = Group()
      group.add("CAMT053", flags: [.returns, flag])
      #expect(group.verdicts() == [expected])
    }
  }

  @Test(
    "A refusal is not believed if the payment was also executed",
    arguments: [
      ("ACSC", 2, ["CONTRADICTION", "NOTED"]), ("ACCC", 1, ["CONTRADICTION", "NOTED"]),
      ("ACSP", 1, ["CONTRADICTION", "NOTED"]), ("ACSP", 2, ["REPEATED", "NOTED"]),
      ("BLCK", 1, ["CONTRADICTION", "BLOCKED"]),
      ("RVNM", 2, ["REPEATED", "VERIFY_PAYEE"]), ("XXXX", 2, ["REPEATED", "STATUS_UNKNOWN"]),
    ])
  func contradictions(_ status: String, _ document: Int, _ expected: [String]) {
    var group = Group()
    group.add("PAIN002", status: "RJCT")
    group.add("PAIN002", status: status, document: UInt32(document), flags: [])
    #expect(group.verdicts() == expected)
    group.answers[0].format = AnswerFormat.place("NACHA")
    #expect(group.verdicts()[0] == "REPEATED")
  }

  @Test("Money that came back on a later day too came back twice, booked or not")
  func twice() {
    var group = Group()
    group.add("CAMT053", day: 1_001)
    group.add("CAMT054", day: 1_001)
    group.add("CAMT054", day: 1_003)
    group.add("CAMT054", day: nil)
    group.add("PAIN002", day: 1_005)
    #expect(group.verdicts() == ["REPEATED", "REPEATED", "RETURNED_AGAIN", "REPEATED", "REPEATED"])
    #expect(group.verdicts(isBooked: true) == ["BOOKED", "BOOKED", "RETURNED_AGAIN", "BOOKED", "BOOKED"])
  }

  @Test("The amount of a change is not checked")
  func changes() {
    var group = Group()
    group.add("NACHA", reason: "C01", amount: "0.00", flags: [.changes])
    group.add("NACHA", reason: "C01", amount: "0.00", currency: "USD", flags: [.changes])
    #expect(group.verdicts() == ["CHANGE", "CURRENCY_DIFFERS"])
    #expect(group.verdicts(isBooked: true) == ["CHANGE", "CURRENCY_DIFFERS"])
  }
}
