import Foundation
import Money
import Testing

@Suite struct CountryTests {
  /// The codes of `data/countries.csv`.
  static let codes = ReferenceTables.text("data/countries.csv").split(separator: "\n").dropFirst().map { line in
    String(line.prefix(2))
  }

  @Test func theTableIsComplete() {
    #expect(Country.count == 249)
    #expect(Country.all.map(\.code) == Self.codes)
    #expect(Country.all.map { Int($0.index) } == Array(0..<Country.count))
    #expect(Country.all.map(\.code) == Country.all.map(\.code).sorted())
  }

  @Test func everyCountryIsFoundAtItsPlace() {
    for (place, code) in Self.codes.enumerated() { #expect(Country(code: code) == Country(index: place)) }
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
        if let country = Country.find([first, second].span) { found.append(country) }
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
