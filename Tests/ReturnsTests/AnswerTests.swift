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
      ("S0123456789AB-P1-EUR-0001", 1), ("s0123456789aB-p1-eur-0001-s", 1), ("S0123456789ag-P1-EUR-0001", nil),
      ("S0123456789ab-P0-EUR-0001", nil), ("S0123456789ab-P1-EU-0001", nil),
      ("S0123456789ab-P1-EUR-001", nil), ("S0123456789ab-P1-EUR-0001-X", nil), ("S0123456789ab-P1-EUR-0001-S-S", nil),
      ("0123456789ab-P1-EUR-0001", nil), ("S0123456789a-P1-EUR-0001", nil), ("", nil), ("-----", nil),
    ])
  func fileIDs(_ text: String, _ payout: Int?) { #expect(FileID(Array(text.utf8))?.payout == payout) }

  @Test(
    "The file and the block of an id",
    arguments: [
      ("S0123456789ab-P1-EUR-0001", "pain001-EUR-0001.xml", nil),
      ("s0123456789AB-p1-eur-0002-t", "pain001-EUR-0002.xml", "T"),
      ("S0123456789ab-P1-EUR-10000-S", "pain001-EUR-10000.xml", "S"), ("S0123456789ab-P1-EUR-00001", "", nil),
      ("S0123456789ab-P1-XXX-0001", "", nil),
    ])
  func places(_ text: String, _ name: String, _ block: String?) {
    let place = FileID(Array(text.utf8))!.place
    #expect(place.name == name)
    #expect(place.block == block?.utf8.first)
  }

  @Test("A file is this ledger's if it wrote the payout's digits, or, of a payout that it lacks, any of its digits")
  func ownFiles() {
    let payouts = AnswerablePayouts(
      [1: (ledger: Array("111111111111".utf8), day: 1), 2: (ledger: Array("222222222222".utf8), day: 2)], givenUp: [3],
      name: "333333333333")
    for (digits, payout, isOwn) in [
      ("111111111111", 1, true), ("222222222222", 1, false), ("333333333333", 1, false), ("222222222222", 3, true),
      ("333333333333", 9, true), ("444444444444", 9, false), ("444444444444", 3, false),
    ] {
      #expect(payouts.wrote(FileID(Array("S\(digits)-P\(payout)-EUR-0001".utf8))!) == isOwn)
    }
  }

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
    #expect(AnswerReason.listed(Array("NOT_SENT".utf8)) == Array("NOT_SENT".utf8))
    #expect(AnswerReason.ofBank(Array("NOT SENT".utf8)) == Array("NOT_SENT_".utf8))
  }

  @Test(
    "Which statuses are answers",
    arguments: [
      (Texts.block(Texts.payment("P1-2")), "", ["6: P1-2 RJCT NOT_STATED"]),
      (Texts.block(Texts.payment("notprovided")), "", ["6: - RJCT NOT_STATED"]),
      (Texts.block(Texts.payment("P1-2", status: "ACSC")), "", ["6: P1-2 ACSC NOT_STATED"]),
      (Texts.block(Texts.payment("NONREF", status: "ACSC")), "", []),
      (Texts.block(Texts.payment("P1-2")), "<OrgnlMsgNmId>pain.008.001.02</OrgnlMsgNmId>", []),
      (Texts.block(Texts.payment("P1-2")), "<OrgnlMsgNmId>PAIN.001.001.09</OrgnlMsgNmId>", ["6: P1-2 RJCT NOT_STATED"]),
      (Texts.block(Texts.payment("P1-2")), "<OrgnlMsgId>S111111111111-P1-EUR-0001</OrgnlMsgId>", []),
      (
        Texts.block(Texts.payment("P1-2")), "<OrgnlMsgId>S0123456789ab-P3-EUR-0001</OrgnlMsgId>",
        ["6: P1-2 RJCT NOT_STATED"]
      ),
      (
        Texts.block(Texts.payment("P1-2")), "<OrgnlMsgNmId>urn:xsd:pain.001.001.09</OrgnlMsgNmId>",
        ["6: P1-2 RJCT NOT_STATED"]
      ),
      (Texts.block(Texts.payment("P1-2")), "<OrgnlMsgNmId>pain001</OrgnlMsgNmId>", ["6: P1-2 RJCT NOT_STATED"]),
      (Texts.block(Texts.payment("P1-2")), "<OrgnlMsgNmId>x PACS.008 pain.001</OrgnlMsgNmId>", []),
      (
        Texts.block(Texts.payment("P1-2")), "<OrgnlMsgNmId>pain.0x pain.001 camt.055</OrgnlMsgNmId>",
        ["6: P1-2 RJCT NOT_STATED"]
      ),
      (Texts.block(Texts.payment("INVOICE")), "", ["6: - RJCT NOT_STATED"]),
      (Texts.block(Texts.payment("P1-2")), "<OrgnlMsgId>BANK-7</OrgnlMsgId>", ["6: P1-2 RJCT NOT_STATED"]),
      (Texts.payment("P1-2"), "<OrgnlMsgId>BANK-7</OrgnlMsgId>", ["5: P1-2 RJCT NOT_STATED"]),
      (Texts.payment("P1-2", status: "ACSC"), "<OrgnlMsgId>BANK-7</OrgnlMsgId>", []),
      (Texts.payment("INVOICE"), "", []),
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

  private static let batch = "<Btch><PmtInfId>S0123456789ab-P1-EUR-0001-S</PmtInfId></Btch>"
  private static let debit = head.replacing("CRDT", with: "DBIT")
  private static let code = "<BkTxCd><Prtry><Cd>X</Cd></Prtry></BkTxCd>"

  @Test(
    "What entries say",
    arguments: [
      (head + details(returned), ["2: P1-2 RETURN AC04"]), (head + family + details(""), ["2: P1-2 RETURN NOT_STATED"]),
      (head + details(family), ["2: P1-2 RETURN NOT_STATED"]), (head + details(""), ["2: P1-2 CREDIT NOT_STATED"]),
      (head + family + details(code), ["2: P1-2 RETURN NOT_STATED"]),
      (debit + details(returned), ["2: P1-2 REVERSAL AC04"]), (debit + details(""), ["2: P1-2 DEBIT "]),
      (debit + "<RvslInd>true</RvslInd>" + details(""), ["2: P1-2 REVERSAL NOT_STATED"]),
      (debit + "<RvslInd>1</RvslInd>" + details(""), ["2: P1-2 REVERSAL NOT_STATED"]),
      (debit + "<RvslInd>false</RvslInd>" + details(""), ["2: P1-2 DEBIT "]),
      (debit + details("<CdtDbtInd>CRDT</CdtDbtInd>" + returned), ["2: P1-2 RETURN AC04"]),
      (head.replacing("BOOK", with: "PDNG") + details(returned), []),
      (head.replacing("BOOK", with: "<Cd>BOOK</Cd>") + details(returned), ["2: P1-2 RETURN AC04"]),
      (head.replacing("BOOK", with: "<Prtry>BOOK</Prtry>") + details(returned), []),
      (head + family, ["2: - RETURN NOT_STATED"]), (head, []), (debit, []),
      (head + details(returned, reference: ""), ["2: - RETURN AC04"]),
      (
        head + details(returned, reference: "<InstrId>P1-2</InstrId><EndToEndId>X</EndToEndId>"),
        ["2: P1-2 RETURN AC04"]
      ),
      (head + details(text("Payout P1-2") + returned, reference: ""), ["2: P1-2 RETURN AC04"]),
      (head + details(text("Payout P1-2") + returned, reference: other), ["2: P1-2 RETURN AC04"]),
      (head + details(text("Payout P1-2"), reference: ""), ["2: P1-2 CREDIT NOT_STATED"]),
      (head + details(text("Payout P1-2"), reference: other), []),
      (debit + details(text("Payout P1-2"), reference: other), ["2: P1-2 DEBIT "]),
      (
        head + details("<RmtInf><Ustrd>P1-2</Ustrd><Ustrd>x</Ustrd></RmtInf>" + returned, reference: ""),
        ["2: - RETURN AC04"]
      ),
      (head + details(returned, reference: other), []), (debit + details("", reference: other), []),
      (debit + "<NtryDtls>\(batch)</NtryDtls>", ["2: - DEBIT "]),
      (head + "<NtryDtls>\(batch)</NtryDtls>", ["2: - CREDIT NOT_STATED"]),
      (debit + details("", reference: other) + "<NtryDtls>\(batch)</NtryDtls>", ["2: - DEBIT "]),
      (
        debit + "<NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch></NtryDtls><NtryDtls>\(batch)</NtryDtls>", []
      ),
      (debit + "<NtryDtls>\(batch)</NtryDtls>" + details(""), ["2: P1-2 DEBIT "]),
      (debit + details("", reference: "<PmtInfId>X</PmtInfId>") + "<NtryDtls>\(batch)</NtryDtls>", []),
      (
        head + details(returned, reference: other + "<MsgId>s0123456789AB-P1-EUR-0001</MsgId>"), ["2: - RETURN AC04"]
      ),
      (
        head + details(returned, reference: "<EndToEndId>P1-2</EndToEndId><MsgId>S111111111111-P1-EUR-0001</MsgId>"),
        []
      ),
    ])
  func entries(_ entry: String, _ expected: [String]) throws {
    #expect(try ReadAnswers(ReadAnswers.notice(entry)).answers == expected)
  }

  private static let other = "<EndToEndId>INVOICE-7</EndToEndId>"

  @Test("An entry of others may have any number of transactions, and one of ours 10,000 before its Btch")
  func longEntries() throws {
    let transactions = String(repeating: Self.details("", reference: Self.other), count: 10_001)
    let others = try ReadAnswers(ReadAnswers.notice(Self.debit + transactions))
    #expect(others.fault == nil)
    #expect(others.files[0].others == 10_001)
    #expect(try ReadAnswers(ReadAnswers.notice(Self.debit + transactions + Self.inBatch)).fault == "2: XML_LIMIT")
    #expect(try ReadAnswers(ReadAnswers.notice(Self.debit + Self.inBatch + transactions)).files[0].answers == 10_001)
  }

  private static let inBatch = "<NtryDtls>\(batch)</NtryDtls>"
  private static func text(_ text: String) -> String { "<RmtInf><Ustrd>\(text)</Ustrd></RmtInf>" }

  @Test("The amount of an entry counts for its only payment, and must be the sum of all")
  func entryAmounts() throws {
    func read(_ inside: [String]) throws -> (String, Bool) {
      let read = try ReadAnswers(
        ReadAnswers.notice(Self.head + inside.map { Self.details($0 + Self.returned) }.joined()))
      return (read.amount(0), read.intake.answers[0].flags.contains(.hasOtherSum))
    }
    let amount = #"<Amt Ccy="EUR">49.50</Amt>"#
    let rest = amount.replacing("49.50", with: "0.5")
    #expect(try read([""]) == ("50.00", false))
    #expect(try read([amount]) == ("49.50", true))
    #expect(try read([amount.replacing("EUR", with: "CHF")]) == ("49.50", false))
    #expect(try read(["<AmtDtls><TxAmt>\(amount)</TxAmt></AmtDtls>"]) == ("49.50", true))
    #expect(try read([amount, amount]) == ("49.50", true))
    #expect(try read([amount, rest]) == ("49.50", false))
    #expect(try read([amount, rest, rest.replacing("EUR", with: "CHF")]) == ("49.50", false))
    #expect(try read([amount, rest, "<CdtDbtInd>DBIT</CdtDbtInd>" + rest]) == ("49.50", false))
    #expect(try read([amount, rest.replacing("0.5", with: "x")]) == ("49.50", false))
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
