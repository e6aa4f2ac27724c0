import Ledger
import Money
import Testing
import ExactArithmetic

@testable import Returns

@Suite("Answers")
struct AnswerTests {
  private typealias Texts = ReadAnswers

  @Test(
    "The form of a file id",
    arguments: [
      ("S0123456789ab-P1-EUR-0001", 1), ("S0123456789ab-P12-JPY-0001-S", 12),
      ("S0123456789ab-P99999-EUR-12345-T", 99999),
      ("S0123456789AB-P1-EUR-0001", nil), ("S0123456789ab-P0-EUR-0001", nil), ("S0123456789ab-P1-EU-0001", nil),
      ("S0123456789ab-P1-EUR-001", nil), ("S0123456789ab-P1-EUR-0001-X", nil), ("S0123456789ab-P1-EUR-0001-S-S", nil),
      ("0123456789ab-P1-EUR-0001", nil), ("S0123456789a-P1-EUR-0001", nil), ("", nil), ("-----", nil),
    ])
  func fileIDs(_ text: String, _ payout: Int?) { #expect(FileID(Array(text.utf8))?.payout == payout) }

  @Test(
    "Amounts",
    arguments: [
      ("30", "30.00", "30.00"), ("30.0", "30.00", "30.00"), ("30.000", "30.000", "30.00"), ("0030", "0030.00", "30.00"),
      ("0.5", "0.50", "0.50"), ("00.5", "00.50", "0.50"), ("30,00", "", nil), ("+30", "", nil), (".5", "", nil),
      ("5.", "", nil), ("", "", nil), ("1e3", "", nil), ("1.2.3", "", nil), ("-1", "", nil),
      ("12345678901234567890.1", "12345678901234567890.10", "12345678901234567890.10"),
    ])
  func amounts(_ text: String, _ shown: String, _ value: String?) {
    var texts = AnswerTexts()
    let kept = AnswerAmount.text(Array(text.utf8)).kept(in: &texts)
    #expect(String(decoding: kept.text(Currency(code: "EUR"), in: texts), as: UTF8.self) == shown)
    #expect(kept.value(in: texts) == value.map { ExactDecimal($0)! })
  }

  @Test(
    "Words of a text for the payee",
    arguments: [
      ("Payout P1-2", ["P1-2"]), ("P1-2 P1-3", []), ("P1-2 P1-2", []), ("Payout", []), ("P1-2.", []),
      (" P1-2\n", ["P1-2"]),
    ])
  func words(_ text: String, _ expected: [String]) {
    #expect(ReferenceWord.of(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) } == expected)
  }

  @Test("Reasons in the form of a list of returned payments")
  func reasons() {
    let text = "é€\u{1F600} " + String(repeating: "x", count: 40)
    #expect(
      String(decoding: AnswerReason.listed(Array(text.utf8)), as: UTF8.self) == "____"
        + String(repeating: "x", count: 31))
    #expect(AnswerReason.listed(nil) == AnswerReason.notStated)
  }

  @Test(
    "Which statuses are answers",
    arguments: [
      (Texts.block(Texts.payment("P1-2")), "", ["6: P1-2 RJCT NOT_STATED"]),
      (Texts.block(Texts.payment("INVOICE")), "", []),
      (Texts.block(Texts.payment("notprovided")), "", ["6: - RJCT NOT_STATED"]),
      (Texts.block(Texts.payment("P1-2", status: "ACSC")), "", ["6: P1-2 ACSC NOT_STATED"]),
      (Texts.block(Texts.payment("NONREF", status: "ACSC")), "", []),
      (Texts.block(Texts.payment("P1-2")), "<OrgnlMsgNmId>pain.008.001.02</OrgnlMsgNmId>", []),
      (Texts.block(Texts.payment("P1-2")), "<OrgnlMsgNmId>PAIN.001.001.09</OrgnlMsgNmId>", ["6: P1-2 RJCT NOT_STATED"]),
      (Texts.block(Texts.payment("P1-2")), "<OrgnlMsgId>S111111111111-P1-EUR-0001</OrgnlMsgId>", []),
      (Texts.block(Texts.payment("P1-2")), "<OrgnlMsgId>S0123456789ab-P3-EUR-0001</OrgnlMsgId>", []),
      (Texts.block(Texts.payment("P1-2")), "<OrgnlMsgId>BANK-7</OrgnlMsgId>", ["6: P1-2 RJCT NOT_STATED"]),
      (Texts.payment("P1-2"), "<OrgnlMsgId>BANK-7</OrgnlMsgId>", []),
      (Texts.payment("P1-2"), "<OrgnlMsgId>NOTPROVIDED</OrgnlMsgId>", ["5: P1-2 RJCT NOT_STATED"]),
      ("", "<GrpSts>RJCT</GrpSts><StsRsnInf><Rsn><Prtry>X1</Prtry></Rsn></StsRsnInf>", ["4: - RJCT X1"]),
      ("", "<GrpSts>ACCP</GrpSts>", []), ("", "<GrpSts>XXXX</GrpSts>", ["4: - XXXX NOT_STATED"]),
      (
        Texts.block(
          "<TxInfAndSts><OrgnlInstrId>P1-2</OrgnlInstrId></TxInfAndSts>", inside: "<PmtInfSts>RJCT</PmtInfSts>"),
        "<StsRsnInf><Rsn><Cd>AC01</Cd></Rsn></StsRsnInf><StsRsnInf><Rsn><Cd>DUPL</Cd></Rsn></StsRsnInf>",
        ["6: P1-2 RJCT DUPL", "5: - RJCT DUPL"]
      ),
    ])
  func statuses(_ blocks: String, _ group: String, _ expected: [String]) throws {
    #expect(try ReadAnswers(Texts.status(blocks, group: group)).answers == expected)
  }

  private static func details(_ inside: String, reference: String = "<EndToEndId>P1-2</EndToEndId>") -> String {
    "<NtryDtls><TxDtls><Refs>\(reference)</Refs>\(inside)</TxDtls></NtryDtls>"
  }

  private static let returned = "<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>"
  private static let family = "<BkTxCd><Domn><Fmly><SubFmlyCd>RRTN</SubFmlyCd></Fmly></Domn></BkTxCd>"
  private static let head = ReadAnswers.entryHead

  @Test(
    "Which entries return a payment",
    arguments: [
      (head + details(returned), ["2: P1-2 RETURN AC04"]), (head + family + details(""), ["2: P1-2 RETURN NOT_STATED"]),
      (head + details(family), ["2: P1-2 RETURN NOT_STATED"]), (head + details(""), []),
      (head + family + details("<BkTxCd><Prtry><Cd>X</Cd></Prtry></BkTxCd>"), []),
      (head.replacing("CRDT", with: "DBIT") + details(returned), []),
      (
        head.replacing("CRDT", with: "DBIT") + details("<CdtDbtInd>CRDT</CdtDbtInd>" + returned),
        ["2: P1-2 RETURN AC04"]
      ),
      (head.replacing("BOOK", with: "PDNG") + details(returned), []),
      (head.replacing("BOOK", with: "<Cd>BOOK</Cd>") + details(returned), ["2: P1-2 RETURN AC04"]),
      (head.replacing("BOOK", with: "<Prtry>BOOK</Prtry>") + details(returned), []),
      (head + family, ["2: - RETURN NOT_STATED"]), (head, []),
      (head + details(returned, reference: ""), ["2: - RETURN AC04"]),
      (
        head + details(returned, reference: "<InstrId>P1-2</InstrId><EndToEndId>X</EndToEndId>"),
        ["2: P1-2 RETURN AC04"]
      ),
      (
        head + details("<RmtInf><Ustrd>Payout P1-2</Ustrd></RmtInf>" + returned, reference: ""), ["2: P1-2 RETURN AC04"]
      ),
      (
        head + details("<RmtInf><Ustrd>P1-2</Ustrd><Ustrd>x</Ustrd></RmtInf>" + returned, reference: ""),
        ["2: - RETURN AC04"]
      ),
      (head + details(returned, reference: "<EndToEndId>INVOICE-7</EndToEndId>"), []),
    ])
  func entries(_ entry: String, _ expected: [String]) throws {
    #expect(try ReadAnswers(ReadAnswers.notice(entry)).answers == expected)
  }

  @Test("The amount of an entry counts for its only payment, and must be the payment's")
  func entryAmounts() throws {
    func read(_ inside: [String]) throws -> (String, Bool) {
      let read = try ReadAnswers(
        ReadAnswers.notice(Self.head + inside.map { Self.details($0 + Self.returned) }.joined()))
      return (read.amount(0), read.intake.answers[0].flags.contains(.hasOtherAmount))
    }
    let amount = #"<Amt Ccy="EUR">49.50</Amt>"#
    #expect(try read([""]) == ("50.00", false))
    #expect(try read([amount]) == ("49.50", true))
    #expect(try read([amount.replacing("EUR", with: "CHF")]) == ("49.50", false))
    #expect(try read(["<AmtDtls><TxAmt>\(amount)</TxAmt></AmtDtls>"]) == ("49.50", true))
    #expect(try read([amount, amount]) == ("49.50", false))
    #expect(try read(["", amount]) == ("", false))
    #expect(try read([#"<Amt Ccy="EUR">50.0</Amt>"#]) == ("50.0", false))
  }

  @Test("The own account is compared with the debtor's of the payment's currency")
  func accounts() throws {
    let debtor = #"{"EUR":{"IBAN":{"name":"Pay","iban":"DE89370400440532013000"}}}"#
    func bits(_ account: String) throws -> UInt32 {
      try ReadAnswers(ReadAnswers.notice(Self.head + Self.details(Self.returned), account: account), debtor: debtor)
        .intake.answers[0].accounts
    }
    #expect(try bits("DE89370400440532013000") == OwnAccount.bit(Currency(code: "EUR")!))
    #expect(try bits("GB29NWBK60161331926819") == 0)
    #expect(try bits("") == OwnAccount.any)
  }
}
