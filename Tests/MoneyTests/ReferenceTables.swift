import Foundation
import Money
import Testing

/// The files from which the generated tables are made, found relative to this file.
enum ReferenceTables {
  static let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func text(_ path: String) -> String {
    do {
      return try String(contentsOf: checkout.appending(path: path), encoding: .utf8)
    } catch {
      Issue.record(error, "\(path) is part of the checkout")
      return ""
    }
  }
}

@Suite struct ReferenceTableTests {
  @Test func thePublishedFeesAreTheFile() {
    #expect(String(decoding: PublishedFees.json, as: UTF8.self) == ReferenceTables.text("data/fees.json"))
  }

  @Test(arguments: ["currencies.csv", "countries.csv", "fees.json", "locales.csv", "strings.csv"])
  func theCopiesAreTheSpecifications(_ name: String) throws {
    let original = try Data(contentsOf: ReferenceTables.checkout.appending(path: "docs/spec/reference/\(name)"))
    let copy = try Data(contentsOf: ReferenceTables.checkout.appending(path: "data/\(name)"))
    #expect(copy == original, "data/\(name) differs from the specification")
  }
}
