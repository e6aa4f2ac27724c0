import Failures
import JSON
import Money
import Documents
import Text

/// A format of bank files: what it needs of payees and of the account that pays, and how its files are written and read.
protocol BankFormat: Sendable {
  /// How it pays.
  var method: PayoutMethod { get }
  /// The codes of its currencies; nil for all.
  var currencies: [String]? { get }
  /// The columns of payees that only it has.
  var payeeColumns: [PayeeFile.Column] { get }
  /// The most characters of a payee's name; the rest is cut.
  var nameWidth: Int { get }
  /// The most payments of a file, and their most minor units; nil if its fields have room for any.
  var most: (payments: Int, sum: Int)? { get }
  /// The most files that a ledger may make on one day; nil for any number.
  var mostFilesOfDay: Int? { get }

  /// The fields that identify a bank account.
  func accountFields(number: [UInt8], bank: [UInt8]) -> [[UInt8]]
  /// Reads and checks its columns of a payee.
  func read(_ record: borrowing CSVRecord, _ payee: PayeeFile)
  /// Reads the terms of an account that pays.
  func terms(_ node: JSONNode, _ currency: Currency) throws(JSONFault) -> any BankTerms
  /// Reads a published file.
  func reader() -> any BankFileReader
}

/// The account that pays in a format and currency, and what it agreed with its bank.
protocol BankTerms: Sendable {
  /// The most payments of a file.
  var maximum: Int { get }
  /// How an answer of the bank names this account: its IBAN, or the company of NACHA batches.
  var ownAccount: String { get }
  /// Writes a file.
  ///
  /// - Returns: the number of payments that the bank may refuse because they have no address.
  func write(_ instructions: [Instruction], _ file: BankFile, to output: TableFile) throws(Failure) -> Int
}

/// Which file it is, for the format that writes it.
struct BankFile {
  let common: BankFiles.Common
  let currency: Currency
  /// `EUR-0001`.
  let id: String
  /// How many files of its format the ledger has made on the same day.
  let placeInDay: Int
}

/// Reads a file of a format line by line: what only the file contains.
protocol BankFileReader {
  /// Reads the next line.
  mutating func read(_ line: BankLine) -> BankFileLine
  /// The account that pays, once all lines are read.
  var terms: any BankTerms { get }
  /// How many files of its format were made on its day before, as it says.
  var placeInDay: Int { get }
}

/// What a line of a bank file is.
enum BankFileLine {
  case payment(BankFilePayment)
  /// A payment that is not to a valid bank account.
  case invalidPayment
  /// Payments of a block of the file follow; the last letter of its id.
  case block(UInt8)
  case other
}

/// A payment that a bank file contains: where its texts are in the line.
struct BankFilePayment {
  let reference: Range<Int>
  let name: Range<Int>
  let number: Range<Int>
  /// Empty without one.
  let bank: Range<Int>
  /// Its parts, with `PostalAddress.separator` between.
  var address: [UInt8] = []
  var flags: UInt8 = 0
}

/// All formats, in the order of the methods.
enum BankFormats {
  static let all: [any BankFormat] = [PainFormat(), NACHAFormat()]

  static func of(_ method: PayoutMethod) -> any BankFormat { all[method.place] }

  /// The formats and their currencies, for messages: `IBAN, or in USD ACH`.
  static var shown: String {
    all.map { format in (format.currencies.map { "in \($0.joined(separator: ", ")) " } ?? "") + format.method.name }
      .joined(separator: ", or ")
  }
}

extension BankFormat {
  func pays(_ currency: Currency) -> Bool { currencies?.contains(currency.code) ?? true }
}
