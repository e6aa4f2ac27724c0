import Foundation
import Money
import Testing

@Suite struct CountryTests {
  /// The codes and names of `data/countries.csv`, whose only quoted fields are names.
  static let table: [(code: String, name: String)] =
    ReferenceTables.text("data/countries.csv").split(separator: "\n").dropFirst().map { line in
      let name = line.dropFirst(3).prefix(upTo: line.lastIndex(of: ",")!)
      return (String(line.prefix(2)), name.trimmingCharacters(in: ["\""]))
    }

  @Test func theTableIsComplete() {
    #expect(Country.count == 249)
    #expect(Country.all.map(\.code) == Self.table.map(\.code))
    #expect(Country.all.map { Int($0.index) } == Array(0..<Country.count))
    #expect(Country.all.map(\.code) == Country.all.map(\.code).sorted())
  }

  @Test func everyCountryIsFoundWithItsName() {
    for (place, row) in Self.table.enumerated() {
      #expect(Country(code: row.code) == Country(index: place))
      #expect(Country(code: row.code)?.name == row.name)
    }
  }

  @Test(arguments: [
    ("AN", "Netherlands Antilles"), ("AX", "Åland Islands"), ("BR", "Brazil"), ("CI", "Côte d'Ivoire"),
    ("CS", "Serbia and Montenegro"), ("DE", "Germany"), ("IN", "India"), ("KR", "Korea, Republic"),
    ("SX", "Sint Maarten (Dutch part)"), ("ZW", "Zimbabwe"),
  ])
  func knownNames(_ code: String, _ name: String) {
    #expect(Country(code: code)?.name == name)
  }

  @Test func theCountriesThatTheRulesName() {
    #expect(Country.india.code == "IN")
    #expect(Country.germany.code == "DE")
  }

  @Test(arguments: ["", "U", "USA", "us", "Us", "uS", "XX", "ZZ", "AA", "U1", "[A", "A[", "@A", "é", "U "])
  func otherCodesAreNotFound(_ code: String) {
    #expect(Country(code: code) == nil)
  }

  @Test func noOtherTwoBytesAreFound() {
    var found: [Country] = []
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        if let country = Country.find([first, second], count: 2) { found.append(country) }
      }
    }
    #expect(found == Country.all)
  }

  @Test func placesBeyondTheTableAreNone() {
    #expect(Country(index: -1) == nil)
    #expect(Country(index: Country.count) == nil)
    #expect(Country(index: 256 + 1) == nil)
  }
}
