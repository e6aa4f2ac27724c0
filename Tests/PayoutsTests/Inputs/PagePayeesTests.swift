import Testing
import TestSupport

@testable import BatchRun
@testable import Payouts

@Suite("The payees file's column language")
struct PagePayeesTests {
  private static let row = "a@x.example,EUR,Anna,IBAN,DE89370400440532013000,,,,,,"
  private static let address = ",street,building,postcode,town,country"

  @Test(
    "is one of the locales, or empty, with or without addresses",
    arguments: [
      (",language", "\(row),", []), (",language", "\(row),zh_TW", []),
      (",language", row, ["2: FIELD_COUNT"]), (",language", "\(row),de", ["2: INVALID_VALUE at language"]),
      (",language", "\(row),de_de", ["2: INVALID_VALUE at language"]),
      (",language", "\(row), ", ["2: INVALID_VALUE at language"]),
      ("\(address),language", "\(row),,,,,,pt_BR", []),
      ("\(address),language", "\(row),,,,Bern,CH,x", ["2: INVALID_VALUE at language"]),
      ("\(address),language", "\(row),,,,Bern,,x", ["2: MISSING_FIELD at country", "2: INVALID_VALUE at language"]),
      ("\(address),language", "\(row),de_DE", ["2: FIELD_COUNT"]), (address, "\(row),,,,Bern,CH", []),
      (",language\(address)", "", ["1: PAYEES_HEADER"]), (",Language", "", ["1: PAYEES_HEADER"]),
      (",country,language", "", ["1: PAYEES_HEADER"]),
    ] as [(String, String, [String])])
  func languages(further: String, row: String, expected: [String]) throws {
    let folder = try TemporaryFolder()
    try folder.write(Array("\(PayoutWorkshop.payeesHeader)\(further)\n\(row)\n".utf8), to: "file.csv")
    let faults = PayeeFile.read(folder.path("file.csv")).reportedFaults?.listed ?? []
    #expect(faults.map { "\($0.line!): \($0.code)" + ($0.field.map { " at \($0)" } ?? "") } == expected)
  }
}
