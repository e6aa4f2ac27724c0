import ExactArithmetic
import Ledger
import Money
import Testing

@testable import Returns

@Suite("Checks of answers about one payment")
struct AnswerChecksTests {
  private static let payment = AccountAmount(
    account: Array("bert@x.example".utf8), currency: Currency(code: "EUR")!, amount: ExactDecimal("50.00")!)
  private static let payee = BankAccountDigest(Array("ACH,011000015,123456789".utf8))
  private static let payouts = AnswerablePayouts([1: (ledger: Array("0123456789ab".utf8), day: 1_000)])

  /// A group of answers, which all fit the payment until they are changed.
  private struct Group {
    var texts = AnswerTexts()
    var answers: [Answer] = []
    /// The debits of its file.
    var debits: [Answer] = []

    static func format(_ name: String) -> UInt8 { UInt8(AnswerFormat.all.firstIndex { $0.name == name }!) }

    mutating func add(
      _ format: String, _ kind: AnswerKind = .return, reason: String = "AC04", status: String = "RETURN",
      amount: String? = "50.00", currency: String = "EUR", day: Int32? = 1_001, document: UInt32 = 1,
      flags: Answer.Flags = [], toFile: Bool = false
    ) {
      var answer = Answer()
      (answer.format, answer.kind, answer.flags, answer.day) = (Self.format(format), kind, flags, day)
      (answer.payout, answer.number) = (1, 2)
      answer.flags.insert(.hasReference)
      if let amount {
        answer.flags.insert(.hasAmount)
        answer.amount = AnswerAmount.text(Array(amount.utf8)).kept(in: &texts)
        answer.currency = texts.place(of: Array(currency.utf8))
      }
      (answer.reason, answer.status) = (texts.place(of: Array(reason.utf8)), texts.place(of: Array(status.utf8)))
      (answer.document, answer.sequence) = (document, UInt32(answers.count + debits.count))
      if toFile { debits.append(answer) } else { answers.append(answer) }
    }

    /// The code of each answer, then of each debit of its file; `-` without one.
    func codes(booked reason: String? = nil) -> [String] {
      let checks = AnswerChecks(texts: texts, payouts: AnswerChecksTests.payouts)
      let booked = reason.map { reason in
        BookedReturn(key: 1 << 32 | 2, day: 1_005, needsPerson: AnswerReason.code(Array(reason.utf8)) != nil)
      }
      let group = answers.map { answer in
        var answer = answer
        answer.checked = checks.code(
          answer, AnswerChecksTests.payment, payee: AnswerChecksTests.payee, booked: booked)
        return answer
      }
      var rules = PaymentRules(group: group, fileDebits: debits, isBooked: booked != nil, texts: texts)
      rules.checkContradictions()
      rules.checkRepetitions()
      return (rules.group + rules.fileDebits).map { $0.code?.rawValue ?? "-" }
    }
  }

  @Test(
    "The first check that fails is the code",
    arguments: [
      ("AC04", "50.00", "EUR", 999, "-"), ("AC04", "50", "EUR", 999, "-"),
      ("AC04", "50.01", "EUR", 999, "AMOUNT_DIFFERS"), ("AC04", "50,00", "EUR", 999, "AMOUNT_DIFFERS"),
      ("AC04", "49.99", "EUR", 999, "CHARGED"), ("AC04", "0.00", "EUR", 999, "AMOUNT_DIFFERS"),
      ("AC04", "50.00", "CHF", 999, "CURRENCY_DIFFERS"), ("AC04", "50.00", "EUR", 998, "BEFORE_PAYOUT"),
      ("AM05", "50.00", "EUR", 999, "SENT_TWICE"), ("DU03", "50.00", "EUR", 999, "SENT_TWICE"),
      ("am05_duplicate", "50.00", "EUR", 999, "SENT_TWICE"), ("AM051", "50.00", "EUR", 999, "-"),
      ("DU06", "50.00", "EUR", 999, "-"), ("R67", "50.00", "EUR", 999, "DISPUTED"),
      ("R66", "50.00", "EUR", 999, "-"), ("R78", "50.00", "EUR", 999, "-"), ("_AM05", "50.00", "EUR", 999, "-"),
      ("AM05", "1", "CHF", 1, "CURRENCY_DIFFERS"),
    ])
  func checks(_ reason: String, _ amount: String, _ currency: String, _ day: Int, _ expected: String) {
    var group = Group()
    group.add("CAMT053", reason: reason, amount: amount, currency: currency, day: Int32(day))
    #expect(group.codes() == [expected])
    // Someone has decided, unless the reason needs a person and the booked one did not.
    #expect(group.codes(booked: "AM05 twice") == ["-"])
    let code = AnswerReason.code(Array(reason.utf8))?.rawValue
    #expect(group.codes(booked: "by-hand") == [code ?? "-"])
    group.answers[0].flags.formUnion([.hasTwoReferences, .conflicts])
    #expect(group.codes(booked: "AM05") == ["REFERENCE_CONFLICT"])
  }

  @Test(
    "A debit is right, too high, or wrong",
    arguments: [
      ("50.00", "EUR", 999, "-"), ("50.01", "EUR", 999, "CHARGED"), ("49.99", "EUR", 999, "AMOUNT_DIFFERS"),
      ("50.00", "USD", 999, "CURRENCY_DIFFERS"), ("50.00", "EUR", 998, "BEFORE_PAYOUT"),
    ])
  func debits(_ amount: String, _ currency: String, _ day: Int, _ expected: String) {
    var group = Group()
    group.add("CAMT053", .debit, reason: "", amount: amount, currency: currency, day: Int32(day))
    #expect(group.codes() == [expected])
  }

  @Test("A list is not checked, because a person made it")
  func lists() {
    var group = Group()
    group.add("CSV", reason: "AM05", amount: nil, day: nil)
    #expect(group.codes() == ["-"])
  }

  @Test("A refusal without an amount needs a file id of the payment's payout")
  func noAmount() {
    for (format, flags, expected) in [
      ("PAIN002", Answer.Flags(), "AMOUNT_DIFFERS"), ("PAIN002", [.hasFileID], "-"),
      ("CAMT054", [.hasFileID], "AMOUNT_DIFFERS"),
    ] {
      var group = Group()
      group.add(format, amount: nil, flags: flags)
      #expect(group.codes() == [expected])
    }
  }

  @Test("Flags that a reader sets")
  func flags() {
    for (flag, kind, expected) in [
      (Answer.Flags.conflicts, AnswerKind.return, "REFERENCE_CONFLICT"),
      (.hasForeignIDs, .return, "REFERENCE_CONFLICT"), (.hasOtherSum, .return, "CHARGED"),
      (.hasOtherSum, .debit, "CHARGED"), (.isRefusedAsWhole, .return, "FILE_REFUSED"),
      ([], .reversal, "UNCLEAR"), ([], .credit, "UNCLEAR"), (.hasPayee, .return, "OTHER_PAYEE"),
    ] {
      var group = Group()
      group.add("CAMT053", kind, flags: flag)
      #expect(group.codes() == [expected])
    }
    var group = Group()
    group.add("NACHA", flags: .hasPayee)
    group.answers[0].subject = Self.payee.value
    #expect(group.codes() == ["-"])
  }

  @Test(
    "A refusal is not believed if the payment was also executed, nor the other way round",
    arguments: [
      ("ACSC", 2, ["CONTRADICTION", "CONTRADICTION"]), ("ACCC", 1, ["CONTRADICTION", "CONTRADICTION"]),
      ("ACSP", 1, ["CONTRADICTION", "-"]), ("ACSP", 2, ["-", "-"]),
      ("BLCK", 1, ["CONTRADICTION", "BLOCKED"]),
      ("RVNM", 2, ["-", "VERIFY_PAYEE"]), ("XXXX", 2, ["-", "STATUS_UNKNOWN"]),
    ])
  func contradictions(_ status: String, _ document: Int, _ expected: [String]) {
    var group = Group()
    group.add("PAIN002", status: "RJCT")
    group.add("PAIN002", .status, status: status, document: UInt32(document))
    #expect(group.codes() == expected)
    // The money came back on the same day.
    group.answers[0].format = Group.format("NACHA")
    #expect(group.codes()[0] == "-")
    group.answers[0].day = 1_000
    let isExecuted = ["ACSC", "ACCC"].contains(status)
    #expect(group.codes() == (isExecuted ? ["CONTRADICTION", "CONTRADICTION"] : ["-", expected[1]]))
  }

  @Test("A payment that was debited must come back on that day or later", arguments: [false, true])
  func debitedAndReturned(isFile: Bool) {
    for (format, day, expected) in [
      ("CAMT053", 1_001, "-"), ("CAMT053", 1_000, "CONTRADICTION"), ("CAMT054", nil, "-"), ("NACHA", 1_002, "-"),
      ("PAIN002", 1_002, "CONTRADICTION"), ("CSV", nil, "-"),
    ] as [(String, Int32?, String)] {
      var group = Group()
      group.add(format, status: "RJCT", amount: format == "CSV" ? nil : "50.00", day: day)
      group.add("CAMT053", .debit, toFile: isFile)
      #expect(group.codes() == [expected, expected])
      // It makes no difference that the return is booked.
      #expect(group.codes(booked: "AC04") == [expected, expected])
    }
    var group = Group()
    group.add("CAMT053", .debit, toFile: isFile)
    #expect(group.codes() == ["-"])
    #expect(group.codes(booked: "AC04") == ["CONTRADICTION"])
  }

  @Test("A doubt about a payment holds back all that return it, except lists and what is booked")
  func doubts() {
    for (kind, reason, code) in [(AnswerKind.reversal, "AC04", "UNCLEAR"), (.return, "DUPL", "SENT_TWICE")] {
      var group = Group()
      group.add("CAMT053")
      group.add("PAIN002", status: "RJCT")
      group.add("CSV", amount: nil, day: nil)
      group.add("CAMT054", kind, reason: reason)
      #expect(group.codes() == ["CONTRADICTION", "CONTRADICTION", "-", code])
      #expect(group.codes(booked: "AC04") == ["-", "-", "-", code])
      group.answers[3].flags.formUnion([.hasTwoReferences, .conflicts])
      #expect(group.codes() == ["-", "-", "-", "REFERENCE_CONFLICT"])
    }
  }

  @Test("Money that came back on a later day too came back twice, booked or not")
  func twice() {
    var group = Group()
    group.add("CAMT053", day: 1_001)
    group.add("CAMT054", day: 1_001)
    group.add("CAMT054", day: 1_003)
    group.add("CAMT054", day: nil)
    group.add("PAIN002", day: 1_005)
    group.add("CAMT054", amount: "1.00", day: 1_000)
    let expected = ["-", "-", "RETURNED_AGAIN", "-", "-"]
    #expect(group.codes() == expected + ["CHARGED"])
    #expect(group.codes(booked: "AC04") == ["RETURNED_AGAIN", "RETURNED_AGAIN", "RETURNED_AGAIN", "-", "-", "-"])
  }

  @Test("A payment that was debited on a later day too, or twice in one statement, was debited twice")
  func debitedTwice() {
    var group = Group()
    group.add("CAMT053", .debit, document: 1)
    group.add("CAMT053", .debit, document: 1)
    group.add("CAMT054", .debit, document: 2)
    group.add("CAMT053", .debit, day: 1_002, document: 3)
    group.add("CAMT053", .debit, amount: "51.00", day: 1_000, document: 3)
    group.add("CAMT053", .debit, document: 1, toFile: true)
    group.add("NACHA", .debit, document: 0, toFile: true)
    group.add("NACHA", .debit, document: 0, toFile: true)
    #expect(
      group.codes() == ["-", "DEBITED_AGAIN", "-", "DEBITED_AGAIN", "CHARGED", "DEBITED_AGAIN", "-", "-"])
  }

  @Test("The amount of a change is not checked")
  func changes() {
    var group = Group()
    group.add("NACHA", .change, reason: "C01", amount: "0.00")
    group.add("NACHA", .change, reason: "C01", amount: "0.00", currency: "USD")
    #expect(group.codes() == ["-", "CURRENCY_DIFFERS"])
    #expect(group.codes(booked: "AC04") == ["-", "CURRENCY_DIFFERS"])
  }
}
