import Failures
import JSON
import Money
import Documents
import Text

/// Credit transfers to IBANs, by pain.001.
struct PainFormat: BankFormat {
  let method = PayoutMethod.iban
  let currencies: [String]? = nil
  let payeeColumns = [PayeeFile.Column.iban, .bic]
  let nameWidth = BankText.nameLimit
  let most: (payments: Int, sum: Int)? = nil
  let mostFilesOfDay: Int? = nil

  func accountFields(number: [UInt8], bank: [UInt8]) -> [[UInt8]] { [number] }

  func read(_ record: borrowing CSVRecord, _ payee: PayeeFile) {
    BankAccount.normalize(record[.iban], into: &payee.texts.number)
    let (fault, isSEPA) = Self.judge(iban: payee.texts.number)
    if let fault { payee.note(fault, .iban) }
    if isSEPA { payee.head.flags |= Payees.Head.isSEPA }
    BankAccount.normalize(record[.bic], into: &payee.texts.bank)
    if !payee.texts.bank.isEmpty {
      if !payee.texts.bank.withSpan(BankAccount.isBIC) { payee.note(.invalidBIC, .bic) }
    } else if let currency = payee.currency, currency.code != "EUR" || fault == nil && !isSEPA {
      payee.note(.missingField, .bic)
    }
  }

  private static func judge(iban: borrowing TextBuffer) -> (fault: InputFault.Code?, isSEPA: Bool) {
    if iban.isEmpty { return (.missingField, false) }
    let fault = BankAccount.fault(iban: iban.span)
    return (fault, fault == nil && BankAccount.isSEPA(iban.span))
  }

  func terms(_ node: JSONNode, _ currency: Currency) throws(JSONFault) -> any BankTerms {
    var terms = PainTerms()
    var address = PostalAddress.parts.map { _ in [UInt8]() }
    let required = ["name", "iban"] + (currency.code == "EUR" ? [] : ["bic"])
    try node.readTerms(required: required) { name, value throws(JSONFault) in
      switch name {
      case "name": terms.name = try value.bankText(BankText.nameLimit)
      case "iban": terms.iban = try value.account("an IBAN") { BankAccount.fault(iban: $0) == nil }
      case "bic": terms.bic = try value.account("a BIC", BankAccount.isBIC)
      case "text": terms.text = try value.bankText(100)
      case "maximum": terms.maximum = try value.maximum()
      default:
        guard let place = PostalAddress.parts.firstIndex(where: { $0.name == name }) else { return false }
        address[place] = try Self.addressPart(value, PostalAddress.parts[place])
      }
      return true
    }
    guard address.contains(where: { !$0.isEmpty }) else { return terms }
    for (part, text) in zip(PostalAddress.parts, address) where part.isRequired && text.isEmpty {
      throw node[part.name].fault("the key is missing; an address needs it")
    }
    terms.address = Array(address.joined(separator: [PostalAddress.separator]))
    return terms
  }

  private static func addressPart(_ node: JSONNode, _ part: PostalAddress.Part) throws(JSONFault) -> [UInt8] {
    guard part.name == PostalAddress.country else { return Array(try node.bankText(part.limit).utf8) }
    guard case .string(let bytes) = node.tree, let code = PostalAddress.countryCode(bytes.span) else {
      throw node.fault("expected the two letters of a country")
    }
    return code
  }

  func reader() -> any BankFileReader { PainReader() }
}

/// An account that pays by credit transfers.
struct PainTerms: BankTerms {
  var name = ""
  var iban = ""
  /// Empty if no BIC is given.
  var bic = ""
  var text = "Payout"
  var maximum = Debtor.defaultMaximum
  var ownAccount: String { iban }
  /// Its parts, with `PostalAddress.separator` between; empty without one.
  var address: [UInt8] = []

  /// Whether its IBAN is valid and belongs to a SEPA country.
  var isSEPA: Bool {
    let iban = iban.utf8Span.span
    return BankAccount.fault(iban: iban) == nil && BankAccount.isSEPA(iban)
  }

  func write(_ instructions: [Instruction], _ file: BankFile, to output: TableFile) throws(Failure) -> Int {
    try PainFile(file, self).write(instructions, to: output)
  }
}

/// Reads a pain.001 file as settle writes it: each block's head on a line, each payment on a line.
private struct PainReader: BankFileReader {
  private var read = PainTerms()
  let placeInDay = 0

  var terms: any BankTerms { read }

  mutating func read(_ line: BankLine) -> BankFileLine {
    if line.begins("<PmtInf>") {
      read.name = line.string(between: "<Dbtr><Nm>", and: "</Nm>")
      read.iban = line.string(between: "<DbtrAcct><Id><IBAN>", and: "</IBAN>")
      read.bic = line.string(between: "<BICFI>", and: "</BICFI>")
      read.address = Self.address(line) ?? []
      guard let id = line.place(between: "<PmtInfId>", and: "</PmtInfId>"), !id.isEmpty else { return .other }
      return .block(line[id][id.count - 1])
    }
    guard line.begins("<CdtTrfTxInf>") else { return .other }
    guard let reference = line.place(between: "<InstrId>", and: "</InstrId>"),
      let name = line.place(between: "<Cdtr><Nm>", and: "</Nm>"),
      let iban = line.place(between: "<CdtrAcct><Id><IBAN>", and: "</IBAN>"),
      let said = line.place(between: "<Ustrd>", and: "</Ustrd>"), BankAccount.fault(iban: line[iban]) == nil
    else { return .invalidPayment }
    let bic = line.place(between: "<BICFI>", and: "</BICFI>") ?? 0..<0
    guard bic.isEmpty || BankAccount.isBIC(line[bic]), let address = Self.address(line) else { return .invalidPayment }
    read.text = String(decoding: line[said].extracting(droppingLast: reference.count + 1))
    return .payment(
      BankFilePayment(
        reference: reference, name: name, number: iban, bank: bic, address: address,
        flags: BankAccount.isSEPA(line[iban]) ? Payees.Head.isSEPA : 0))
  }

  /// The address of a line, empty without one; nil if it is not in the banks' characters.
  private static func address(_ line: BankLine) -> [UInt8]? {
    guard line.place(between: "<PstlAdr>", and: "</PstlAdr>") != nil else { return [] }
    var parts: [[UInt8]] = []
    for part in PostalAddress.parts {
      guard let place = line.place(between: "<\(part.element)>", and: "</\(part.element)>") else {
        parts.append([])
        continue
      }
      let text = line[place]
      var converted = TextBuffer()
      guard BankText.convert(text, into: &converted) == nil, converted.span.isEqual(to: text),
        text.count <= part.limit
      else { return nil }
      parts.append([UInt8](text))
    }
    return Array(parts.joined(separator: [PostalAddress.separator]))
  }
}
