import BatchRun
import Failures
import JSON
import Money
import Reports
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

  func read(_ payee: PayeeFile) {
    BankAccount.normalize(payee.field(.iban), into: &payee.number)
    let fault = payee.number.count == 0 ? .missingField : BankAccount.fault(iban: payee.number.all)
    let isSEPA = fault == nil && BankAccount.isSEPA(payee.number.all)
    if let fault { payee.note(fault, .iban) }
    if isSEPA { payee.head.flags |= Payees.Head.isSEPA }
    BankAccount.normalize(payee.field(.bic), into: &payee.bank)
    if payee.bank.count > 0 {
      if !BankAccount.isBIC(payee.bank.all) { payee.note(.invalidBIC, .bic) }
    } else if let currency = payee.currency, currency.code != "EUR" || fault == nil && !isSEPA {
      payee.note(.missingField, .bic)
    }
  }

  func terms(_ tree: JSONTree, _ currency: Currency, _ pointer: String) throws(DebtorFault) -> any BankTerms {
    var terms = PainTerms()
    var address = PostalAddress.parts.map { _ in [UInt8]() }
    let required = ["name", "iban"] + (currency.code == "EUR" ? [] : ["bic"])
    try DebtorFile.read(tree, pointer, required: required) { name, value throws(DebtorFault) in
      switch name {
      case "name": terms.name = try DebtorFile.text(value, BankText.nameLimit)
      case "iban": terms.iban = try DebtorFile.account(value, "an IBAN") { BankAccount.fault(iban: $0) == nil }
      case "bic": terms.bic = try DebtorFile.account(value, "a BIC", BankAccount.isBIC)
      case "text": terms.text = try DebtorFile.text(value, 100)
      case "maximum": terms.maximum = try DebtorFile.maximum(value)
      default:
        guard let place = PostalAddress.parts.firstIndex(where: { $0.name == name }) else { return false }
        address[place] = try Self.addressPart(value, PostalAddress.parts[place])
      }
      return true
    }
    guard address.contains(where: { !$0.isEmpty }) else { return terms }
    for (part, text) in zip(PostalAddress.parts, address) where part.isRequired && text.isEmpty {
      throw DebtorFault(pointer: "\(pointer)/\(part.name)", message: "the key is missing; an address needs it")
    }
    terms.address = Array(address.joined(separator: [PostalAddress.separator]))
    return terms
  }

  private static func addressPart(_ tree: JSONTree, _ part: PostalAddress.Part) throws(DebtorFault) -> [UInt8] {
    guard part.name == PostalAddress.country else { return Array(try DebtorFile.text(tree, part.limit).utf8) }
    guard case .string(let bytes) = tree, let code = PostalAddress.countryCode(bytes) else {
      throw DebtorFault(pointer: "", message: "expected the two letters of a country")
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
    Array(iban.utf8).withUnsafeBufferPointer { BankAccount.fault(iban: $0) == nil && BankAccount.isSEPA($0) }
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

  mutating func take(_ line: BankLine) -> BankFileLine {
    if line.begins("<PmtInf>") {
      read.name = line.string("<Dbtr><Nm>", "</Nm>")
      read.iban = line.string("<DbtrAcct><Id><IBAN>", "</IBAN>")
      read.bic = line.string("<BICFI>", "</BICFI>")
      read.address = Self.address(line) ?? []
    }
    guard line.begins("<CdtTrfTxInf>") else { return .other }
    guard let reference = line.text("<InstrId>", "</InstrId>"), let name = line.text("<Cdtr><Nm>", "</Nm>"),
      let iban = line.text("<CdtrAcct><Id><IBAN>", "</IBAN>"), let said = line.text("<Ustrd>", "</Ustrd>"),
      BankAccount.fault(iban: iban) == nil
    else { return .invalidPayment }
    let bic = line.text("<BICFI>", "</BICFI>") ?? UnsafeBufferPointer(rebasing: name[..<0])
    guard bic.isEmpty || BankAccount.isBIC(bic), let address = Self.address(line) else { return .invalidPayment }
    read.text = String(decoding: said.dropLast(reference.count + 1), as: UTF8.self)
    return .payment(
      BankFilePayment(
        reference: reference, name: name, number: iban, bank: bic, address: address,
        flags: BankAccount.isSEPA(iban) ? Payees.Head.isSEPA : 0))
  }

  /// The address of a line, empty without one; nil if it is not in the banks' characters.
  private static func address(_ line: BankLine) -> [UInt8]? {
    guard line.text("<PstlAdr>", "</PstlAdr>") != nil else { return [] }
    var parts: [[UInt8]] = []
    for part in PostalAddress.parts {
      guard let text = line.text("<\(part.element)>", "</\(part.element)>") else {
        parts.append([])
        continue
      }
      var converted = TextBuffer()
      guard BankText.convert(text, into: &converted) == nil, converted.all.elementsEqual(text),
        text.count <= part.limit
      else { return nil }
      parts.append(Array(text))
    }
    return Array(parts.joined(separator: [PostalAddress.separator]))
  }
}
