import Failures
import Foundation
import Testing
import TestSupport

@testable import Documents

/// A search for rows in reports finds the same as a simple look at every row.
@Suite("Searching for rows in reports")
struct ReportSearchTests {
  private typealias Column = SettlementReport.Column

  /// Short keys: each is a part of others, and of other fields.
  private static let keys = ["1", "0", "K", "K-1", "K-10", "1K", "SENDER", "pay_key", "refund_key", "USD"]
  private static let accounts = ["a@x.example", "aa@x.example", "a@x.example1", "+4912345678"]

  private static func row(using random: inout SeededGenerator) -> [String] {
    func key() -> String { keys.randomElement(using: &random) ?? "" }
    let account = accounts.randomElement(using: &random) ?? ""
    let refundKey = Bool.random(using: &random) ? key() : ""
    return [key(), "REFUND", "SENDER", account, "USD", "1", "0", "K", "1", refundKey]
  }

  /// Writes a report as one file, or as a folder of parts, some of them empty.
  private static func write(
    _ rows: [String], of report: ReportKind, in folder: TemporaryFolder, isInParts: Bool,
    using random: inout SeededGenerator
  ) throws {
    let rows = rows.map { $0 + "\n" }
    guard isInParts, let name = report.folder else {
      try folder.write(Array((report.header + rows.joined()).utf8), to: report.fileName)
      return
    }
    try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    try folder.write(Array(report.header.utf8), to: "\(name)/_header.csv")
    let cuts = (0..<Int.random(in: 0...12, using: &random)).map { _ in Int.random(in: 0...rows.count, using: &random) }
    let ends = cuts.sorted() + [rows.count]
    for (number, (start, end)) in zip([0] + ends, ends).enumerated() {
      try folder.write(Array(rows[start..<end].joined().utf8), to: "\(name)/\(ReportKind.partName(number))")
    }
  }

  @Test("drawn rows in any order, as a file and in parts, by any columns, read in pieces of any length")
  func drawn() throws {
    var random = SeededGenerator()
    for round in rounds(200) {
      let folder = try TemporaryFolder()
      let pieceLength = [1, 30, 64, 300, 5000].randomElement(using: &random) ?? 1
      let rows = (0..<Int.random(in: 0...(pieceLength == 1 ? 9 : 150), using: &random)).map { _ in
        Self.row(using: &random)
      }
      try Self.write(
        rows.map { $0.joined(separator: ",") }, of: .settlement, in: folder, isInParts: Bool.random(using: &random),
        using: &random)
      let search = try ReportSearch(
        directory: folder.path, threads: Int.random(in: 1...4, using: &random), pieceLength: pieceLength)
      let choices: [[Column]] = [
        [.payKey], [.refundKey], [.account], [.payKey, .refundKey], [.refundKey, .net, .payKey],
      ]
      let columns = choices.randomElement(using: &random) ?? []
      for text in Self.keys + Self.accounts {
        var found: [[String]] = []
        try search.forEachRow(of: .settlement, where: columns, are: Array(text.utf8)) { row throws(Failure) in
          found.append(Column.allCases.map { row.text($0) })
        }
        let expected = rows.filter { row in columns.contains { row[$0.place] == text } }
        #expect(found == expected, "\(text) in \(columns), round \(round), \(random.reproduction)")
      }
    }
  }

  @Test(
    "drawn rows in order, as a file and in parts: each account with all of its rows, and accounts that do not exist")
  func sorted() throws {
    typealias Column = ReceiversReport.Column
    var random = SeededGenerator()
    for round in rounds(100) {
      let folder = try TemporaryFolder()
      let letters = Array("+-.1az")
      let drawn = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        String((0..<Int.random(in: 1...3, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
      }
      let accounts = Set(drawn).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      let rows = accounts.flatMap { account in
        ["AUD", "EUR", "USD"].prefix(Int.random(in: 1...3, using: &random)).map { currency in
          let digits = String(repeating: "9", count: Int.random(in: 0...300, using: &random))
          return [account, currency, "1", "1\(digits)", "0", "0", "1", "0", "0", "1"]
        }
      }
      try Self.write(
        rows.map { $0.joined(separator: ",") }, of: .receivers, in: folder, isInParts: Bool.random(using: &random),
        using: &random)
      let search = try ReportSearch(directory: folder.path, threads: 1)
      for account in accounts + ["", "+", "b", "zzzz", "a."] {
        var found: [[String]] = []
        try search.forEachRow(of: .receivers, sortedAt: Array(account.utf8)) { row throws(Failure) in
          found.append(Column.allCases.map { row.text($0) })
        }
        #expect(found == rows.filter { $0[0] == account }, "\(account), round \(round), \(random.reproduction)")
      }
    }
  }

  static let wrong: [(text: String?, message: String)] = [
    (nil, "is missing"), ("", "does not begin with the header row account,currency,payments,"),
    ("account,currency\n", "does not begin with the header row account,currency,payments,"),
    ("HEADERa@x.example,USD,1", "byte 76: the row lacks its line feed, or is too long"),
    ("HEADERa@x.example,USD,1\n", "byte 76: is not a row of 10 fields"),
    ("HEADERa@x.example,NINES\n", "the row lacks its line feed, or is too long"),
  ]

  @Test(
    "a report that is missing, or does not have the form of a report, is a failure that says where", arguments: wrong)
  func fails(text: String?, message: String) throws {
    let folder = try TemporaryFolder()
    if let text {
      let nines = String(repeating: "9", count: 9000)
      let report = text.replacing("HEADER", with: ReportKind.receivers.header).replacing("NINES", with: nines)
      try folder.write(Array(report.utf8), to: "receivers.csv")
    }
    let search = try ReportSearch(directory: folder.path, threads: 1)
    let failure = #expect(throws: Failure.self) {
      try search.forEachRow(of: .receivers, sortedAt: Array("a@x.example".utf8)) { _ in }
    }
    #expect(failure?.exitCode == (text == nil ? 66 : 74))
    #expect(failure?.message.contains("/receivers.csv: ") == true)
    #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "")")
  }

  @Test("a row in any order that lacks its line feed, or is too long, is a failure")
  func unended() throws {
    let folder = try TemporaryFolder()
    for rest in ["", String(repeating: "9", count: 1 << 15) + "\n"] {
      try folder.write(Array((ReportKind.settlement.header + "K-1,SIMPLE" + rest).utf8), to: "settlement.csv")
      let search = try ReportSearch(directory: folder.path, threads: 2, pieceLength: 100)
      let failure = #expect(throws: Failure.self) {
        try search.forEachRow(of: .settlement, where: [Column.payKey], are: Array("K-1".utf8)) { _ in }
      }
      #expect(failure?.exitCode == 74)
      #expect(failure?.message.contains("/settlement.csv: byte 70: the row lacks its line feed") == true)
    }
  }
}
