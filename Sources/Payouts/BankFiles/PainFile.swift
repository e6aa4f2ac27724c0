import ExactArithmetic
import Failures
import Money
import Text

/// A file of credit transfers, pain.001.001.09: block S has the SEPA payments, block T the rest.
struct PainFile {
  private let common: BankFiles.Common
  private let debtor: PainTerms
  private let isSEPA: Bool
  private let currency: Currency
  /// The file's identification for the bank.
  private let id: String

  init(_ file: BankFile, _ debtor: PainTerms) {
    (common, currency, self.debtor) = (file.common, file.currency, debtor)
    isSEPA = currency.code == "EUR" && debtor.isSEPA
    id = "S\(common.ledgerID)-P\(common.payout)-\(file.id)"
  }

  /// - Returns: the number of payments of block T without an address.
  func write(_ instructions: [Instruction], to file: TableFile) throws(Failure) -> Int {
    let blocks = [("S", instructions.filter(isSEPA)), ("T", instructions.filter { !isSEPA($0) })]
    try file.write { text in
      text.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
      text.append("<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:pain.001.001.09\"><CstmrCdtTrfInitn>\n<GrpHdr>")
      text.append(element: "MsgId", id)
      text.append(element: "CreDtTm", "\(common.identity.date)T00:00:00")
      counts(instructions, to: &text)
      text.append("<InitgPty>")
      text.append(element: "Nm", debtor.name)
      text.append("</InitgPty></GrpHdr>\n")
    }
    for (name, instructions) in blocks where !instructions.isEmpty {
      try file.write { head(name, instructions, to: &$0) }
      for instruction in instructions { try file.write { append(instruction, to: &$0) } }
      try file.write { $0.append("</PmtInf>\n") }
    }
    try file.write { $0.append("</CstmrCdtTrfInitn></Document>\n") }
    return blocks[1].1.count { common.payees.head($0.payee).isEmpty(.address) }
  }

  private func isSEPA(_ instruction: Instruction) -> Bool {
    isSEPA && common.payees.head(instruction.payee).flags & Payees.Head.isSEPA != 0
  }

  /// The number of payments, and their sum.
  private func counts(_ instructions: [Instruction], to text: inout TextBuffer) {
    text.append(element: "NbOfTxs", "\(instructions.count)")
    text.append(element: "CtrlSum", "\(amount(instructions.reduce(0) { $0 + $1.amount }))")
  }

  private func amount(_ coefficient: Int) -> ExactDecimal {
    ExactDecimal(coefficient, exponent: -currency.settlementExponent)
  }

  /// The line before a block's payments.
  private func head(_ name: String, _ instructions: [Instruction], to text: inout TextBuffer) {
    let isSEPA = name == "S"
    text.append("<PmtInf>")
    text.append(element: "PmtInfId", "\(id)-\(name)")
    text.append(element: "PmtMtd", "TRF")
    counts(instructions, to: &text)
    if isSEPA { text.append("<PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>") }
    text.append("<ReqdExctnDt>")
    text.append(element: "Dt", common.identity.executionDate)
    text.append("</ReqdExctnDt><Dbtr>")
    text.append(element: "Nm", debtor.name)
    text.append(address: debtor.address.span)
    text.append("</Dbtr><DbtrAcct><Id>")
    text.append(element: "IBAN", debtor.iban)
    text.append("</Id>")
    text.append(element: "Ccy", currency.code)
    text.append("</DbtrAcct><DbtrAgt><FinInstnId>")
    if debtor.bic.isEmpty {
      text.append("<Othr><Id>NOTPROVIDED</Id></Othr>")
    } else {
      text.append(element: "BICFI", debtor.bic)
    }
    text.append("</FinInstnId></DbtrAgt>")
    text.append(element: "ChrgBr", isSEPA ? "SLEV" : "SHAR")
    text.append("\n")
  }

  /// The line of a payment.
  private func append(_ instruction: Instruction, to text: inout TextBuffer) {
    let payees = common.payees
    text.append("<CdtTrfTxInf><PmtId><InstrId>")
    text.append(reference: common.payout, instruction.number)
    text.append("</InstrId><EndToEndId>")
    text.append(reference: common.payout, instruction.number)
    text.append("</EndToEndId></PmtId><Amt><InstdAmt Ccy=\"")
    text.append(currency.code)
    text.append("\">")
    text.append(amount(instruction.amount))
    text.append("</InstdAmt></Amt>")
    if !payees.head(instruction.payee).isEmpty(.bank) {
      text.append("<CdtrAgt><FinInstnId><BICFI>")
      payees.with(.bank, of: instruction.payee) { text.append($0) }
      text.append("</BICFI></FinInstnId></CdtrAgt>")
    }
    text.append("<Cdtr><Nm>")
    payees.with(.name, of: instruction.payee) { text.append($0) }
    text.append("</Nm>")
    payees.with(.address, of: instruction.payee) { text.append(address: $0) }
    text.append("</Cdtr><CdtrAcct><Id><IBAN>")
    payees.with(.number, of: instruction.payee) { text.append($0) }
    text.append("</IBAN></Id></CdtrAcct><RmtInf><Ustrd>")
    text.append(debtor.text)
    text.append(" ")
    text.append(reference: common.payout, instruction.number)
    text.append("</Ustrd></RmtInf></CdtTrfTxInf>\n")
  }
}
