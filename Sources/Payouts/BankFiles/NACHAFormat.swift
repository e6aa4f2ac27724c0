import Failures
import JSON
import Money
import Documents
import Text

/// Entries of NACHA files, in USD.
struct NACHAFormat: BankFormat {
  let method = PayoutMethod.ach
  let currencies: [String]? = ["USD"]
  let payeeColumns = [PayeeFile.Column.routing, .account_number, .account_type, .holder]
  let nameWidth = NACHALayout.Entry.name.width
  let most: (payments: Int, sum: Int)? = (NACHAFile.mostEntries, NACHAFile.mostCents)
  let mostFilesOfDay: Int? = NACHAFile.modifiers.count

  func accountFields(number: [UInt8], bank: [UInt8]) -> [[UInt8]] { [bank, number] }

  func read(_ record: borrowing CSVRecord, _ payee: PayeeFile) {
    if payee.expect(.routing, of: record, .invalidRouting, BankAccount.isRouting) {
      payee.texts.bank.append(record[.routing])
    }
    if payee.expect(.account_number, of: record, .invalidAccountNumber, BankAccount.isAccountNumber) {
      payee.texts.number.append(record[.account_number])
    }
    payee.readChoice(.account_type, of: record, ["CHECKING", "SAVINGS"], Payees.Head.isSavings)
    payee.readChoice(.holder, of: record, ["PERSON", "COMPANY"], Payees.Head.isCompany)
  }

  func terms(_ node: JSONNode, _ currency: Currency) throws(JSONFault) -> any BankTerms {
    var terms = NACHATerms()
    let required = ["name", "company", "odfi", "destination", "destinationName", "origin"]
    try node.readTerms(required: required) { name, value throws(JSONFault) in
      switch name {
      case "name": terms.name = try value.bankText(NACHALayout.BatchHeader.companyName.width)
      case "company":
        terms.company = try value.text("10 capital letters and digits") { text in
          text.count == 10 && text.allSatisfy { $0 &- 0x30 < 10 || $0 &- 0x41 < 26 }
        }
      case "odfi": terms.odfi = try value.text("a routing number", BankAccount.isRouting)
      case "destination": terms.destination = try value.text("a routing number", BankAccount.isRouting)
      case "destinationName":
        terms.destinationName = try value.bankText(NACHALayout.FileHeader.destinationName.width)
      case "origin":
        terms.origin = try value.text("9 or 10 digits, not all zero") { text in
          9...10 ~= text.count && text.allSatisfy { $0 &- 0x30 < 10 } && !text.allSatisfy { $0 == 0x30 }
        }
      case "originName": terms.originName = try value.bankText(NACHALayout.FileHeader.originName.width)
      case "description": terms.description = try value.bankText(NACHALayout.BatchHeader.description.width)
      case "maximum": terms.maximum = try value.maximum()
      default: return false
      }
      return true
    }
    return terms
  }

  func reader() -> any BankFileReader { NACHAReader() }
}

/// An account that pays by NACHA files.
struct NACHATerms: BankTerms {
  var name = ""
  var company = ""
  var odfi = ""
  var destination = ""
  var destinationName = ""
  var origin = ""
  var originName: String?
  var description = "PAYOUT"
  var maximum = Debtor.defaultMaximum
  var ownAccount: String { company }

  func write(_ instructions: [Instruction], _ file: BankFile, to output: TableFile) throws(Failure) -> Int {
    try NACHAFile(file.common, self, modifier: NACHAFile.modifiers[file.placeInDay]).write(instructions, to: output)
    return 0
  }
}

/// Reads a NACHA file as settle writes it.
private struct NACHAReader: BankFileReader {
  private var read = NACHATerms()
  private var isCompany = false
  private(set) var placeInDay = 0

  var terms: any BankTerms { read }

  mutating func read(_ line: BankLine) -> BankFileLine {
    if line.begins(NACHALayout.FileHeader.digit) { readFileHeader(line) }
    if line.begins(NACHALayout.BatchHeader.digit) { readBatchHeader(line) }
    return line.begins(NACHALayout.Entry.digit) ? entry(line) : .other
  }

  private mutating func readFileHeader(_ line: BankLine) {
    typealias Field = NACHALayout.FileHeader
    read.destination = line.string(Field.destination)
    read.origin = line.string(Field.origin)
    read.destinationName = line.string(Field.destinationName)
    read.originName = line.string(Field.originName)
    placeInDay = line.place(of: Field.modifier).flatMap { NACHAFile.modifiers.firstIndex(of: line[$0][0]) } ?? 0
  }

  private mutating func readBatchHeader(_ line: BankLine) {
    typealias Field = NACHALayout.BatchHeader
    read.name = line.string(Field.companyName)
    read.company = line.string(Field.company)
    read.description = line.string(Field.description)
    read.odfi = line.string(Field.odfi)
    isCompany = line.string(Field.entryClass) == "CCD"
  }

  private func entry(_ line: BankLine) -> BankFileLine {
    typealias Field = NACHALayout.Entry
    guard let routing = line.place(of: Field.routing), let number = line.place(of: Field.accountNumber),
      let reference = line.place(of: Field.identification), let name = line.place(of: Field.name),
      BankAccount.isRouting(line[routing]), BankAccount.isAccountNumber(line[number])
    else { return .invalidPayment }
    var flags = isCompany ? Payees.Head.isCompany : 0
    if line.string(Field.transactionCode) == "32" { flags |= Payees.Head.isSavings }
    return .payment(
      BankFilePayment(reference: reference, name: name, number: number, bank: routing, flags: flags))
  }
}
