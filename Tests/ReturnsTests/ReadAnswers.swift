import TestSupport

@testable import Payouts
@testable import Returns

/// Files of answers as they are read, about payouts 1 and 2 of the ledger 0123456789ab, made on 2026-11-24.
struct ReadAnswers {
  let files: [AnswerFile]
  let intake: AnswerIntake

  static let ledger = "0123456789ab"

  init(_ texts: [[UInt8]], debtor: String? = nil) throws {
    let folder = try TemporaryFolder()
    let day = Array("2026-11-24".utf8).dayNumber!
    let payout = (ledger: Array(Self.ledger.utf8), day: day)
    let debtor = debtor.map { DebtorFile(Array($0.utf8), shown: "debtor.json").debtor }
    let intake = AnswerIntake(AnswerablePayouts([1: payout, 2: payout]), own: OwnAccount(debtor: debtor))
    files = try texts.enumerated().map { place, text in
      AnswerFile.read(try folder.write(text, to: "answer-\(place)"), number: place, into: intake)
    }
    self.intake = intake
  }

  init(_ text: String, debtor: String? = nil) throws { try self.init([Array(text.utf8)], debtor: debtor) }

  /// `LINE: CODE` of the only file; nil if it has no error.
  var fault: String? { files[0].fault.map { "\($0.line): \($0.code.rawValue)" } }

  /// The answers that are kept, as `LINE: REFERENCE STATUS REASON`, with `-` for what is not given.
  var answers: [String] {
    (0..<UInt32(intake.answers.count)).map { place in
      let answer = intake.answers[place]
      let reference = answer.flags.contains(.hasReference) ? answer.reference.text : "-"
      func text(_ place: UInt32) -> String { String(decoding: intake.texts[place], as: UTF8.self) }
      return "\(answer.line): \(reference) \(text(answer.status)) \(text(answer.reason))"
    }
  }

  func amount(_ place: UInt32) -> String {
    String(decoding: intake.answers[place].amount.text(nil, in: intake.texts), as: UTF8.self)
  }

  // MARK: Texts

  static func entry(_ reference: String, code: Int = 21, cents: Int = 3000, name: String = "Dave O'Neil") -> String {
    let digits = String(cents)
    return "6\(code)021000021123456789        " + String(repeating: "0", count: 10 - digits.count) + digits
      + padded(reference, 15) + padded(name, 22) + "  1011000010000123"
  }

  static func addenda(_ reason: String, type: Int = 99, corrected: String = "") -> String {
    "7\(type)\(reason)021000020000001      01100001" + padded(corrected, 44) + "011000010000123"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: width - text.unicodeScalars.count)
  }

  /// A pain.002 with the inside of its group and blocks.
  static func status(_ blocks: String, group: String = "", head: String = #"<?xml version="1.0"?>"#) -> String {
    """
    \(head)
    <Document><CstmrPmtStsRpt>
    <GrpHdr><CreDtTm>2026-11-25T06:15:00</CreDtTm></GrpHdr>
    <OrgnlGrpInfAndSts>\(group)</OrgnlGrpInfAndSts>
    \(blocks)</CstmrPmtStsRpt></Document>
    """
  }

  static func block(_ payments: String, inside: String = "") -> String {
    "<OrgnlPmtInfAndSts><OrgnlPmtInfId>S\(ledger)-P1-EUR-0001-S</OrgnlPmtInfId>\(inside)\n\(payments)</OrgnlPmtInfAndSts>\n"
  }

  static func payment(_ reference: String, status: String = "RJCT", inside: String = "") -> String {
    "<TxInfAndSts><OrgnlEndToEndId>\(reference)</OrgnlEndToEndId><TxSts>\(status)</TxSts>\(inside)</TxInfAndSts>\n"
  }

  /// A camt.054 with the inside of an entry.
  static func notice(_ entry: String, account: String = "DE89370400440532013000") -> String {
    """
    <Document><BkToCstmrDbtCdtNtfctn><Ntfctn><Acct><Id><IBAN>\(account)</IBAN></Id></Acct>
    <Ntry>\(entry)</Ntry>
    </Ntfctn></BkToCstmrDbtCdtNtfctn></Document>
    """
  }

  static let entryHead = #"""
    <Amt Ccy="EUR">50.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-25</Dt></BookgDt>
    """#
}
