import Foundation
import TestSupport
import Testing

/// Whole lines of the reports removed, repeated, swapped; any byte changed; and what only the batch can prove.
@Suite("Changed lines and bytes")
struct LineTests {
  static let tables = ["control.csv", "exceptions.csv", "receivers.csv", "refunds.csv", "settlement.csv", "totals.csv"]

  @Test("a missing line is found", arguments: tables)
  func missingLine(name: String) throws {
    try forEachLine(of: name) { lines, place in lines.remove(at: place) }
  }

  @Test("a line that occurs twice is found", arguments: tables)
  func repeatedLine(name: String) throws {
    try forEachLine(of: name) { lines, place in lines.insert(lines[place], at: place) }
  }

  @Test("a line that is repeated at the end is found", arguments: tables)
  func appendedLine(name: String) throws {
    try forEachLine(of: name) { lines, place in lines.append(lines[place]) }
  }

  @Test("an empty line is found", arguments: tables)
  func emptyLine(name: String) throws {
    try forEachLine(of: name) { lines, place in lines.insert("", at: place) }
  }

  @Test("two swapped lines are found, except for the receivers of one payment", arguments: tables)
  func exchangedLines(name: String) throws {
    try forEachLine(of: name) { lines, place in
      guard place + 1 < lines.count else { return lines.append("x") }
      let roles = lines[place...place + 1].map { $0.split(separator: ",")[..<3].joined(separator: ",") }
      // The order of a payment's receivers is the batch's; `withTheBatch` finds it.
      if name == "settlement.csv", roles.allSatisfy({ $0.hasPrefix("P-1") || $0.hasPrefix("C-1") }),
        roles.allSatisfy({ !$0.hasSuffix("SENDER") })
      {
        lines.append("x")
      }
      lines.swapAt(place, place + 1)
    }
  }

  /// Changes a report at each of its lines in turn; something must be found each time, and again with the batch.
  private func forEachLine(of name: String, _ change: (inout [String], Int) -> Void) throws {
    let tampered = try TamperedFolder()
    let original = try tampered.lines(name)
    for place in original.indices {
      var lines = original
      change(&lines, place)
      try tampered.write(lines, to: name)
      try tampered.mendSums()
      #expect(try !tampered.findings().isEmpty, "line \(place + 1)")
      #expect(try !tampered.findings(withBatch: true).isEmpty, "line \(place + 1)")
    }
  }

  @Test("any byte that is changed, removed or inserted is found")
  func anyByte() throws {
    var random = SeededGenerator()
    let tampered = try TamperedFolder()
    for name in TamperedFolder.reports + ["SHA256SUMS"] {
      let original = try tampered.bytes(name)
      for _ in 0..<40 {
        var bytes = original
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        case 2: bytes.removeSubrange(place...)
        default: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        if bytes == original { continue }
        try tampered.write(bytes, name)
        #expect(try !tampered.findings().isEmpty, "\(name), byte \(place): \(random.reproduction)")
      }
      try tampered.write(original, name)
    }
    #expect(try tampered.findings() == [])
  }

  @Test("with the batch, any byte is found even if the digests were adjusted")
  func anyByteWithTheBatch() throws {
    var random = SeededGenerator()
    let tampered = try TamperedFolder()
    // Reports that name another version are compared without `engine`.
    let versionEnd = try tampered.bytes("summary.json").firstIndex(of: UInt8(ascii: "}"))!
    for name in TamperedFolder.reports {
      let original = try tampered.bytes(name)
      for _ in 0..<25 {
        var bytes = original
        let place = Int.random(in: bytes.indices, using: &random)
        bytes[place] = UInt8.random(in: 0x20...0x7E, using: &random)
        if bytes == original || place < versionEnd && name == "summary.json" { continue }
        try tampered.write(bytes, name)
        try tampered.mendSums()
        let findings = try tampered.findings(withBatch: true)
        #expect(
          findings.contains { $0.hasPrefix(name) || name == "summary.json" },
          "\(name), byte \(place): \(random.reproduction)\n\(findings)")
      }
      try tampered.write(original, name)
    }
  }

  struct OnlyBatch: CustomTestStringConvertible, Sendable {
    let file: String
    let from: String
    let to: String
    let says: [String]
    var testDescription: String { "\(file): \(from) -> \(to)" }
  }

  /// Changes that the other reports do not reveal: the README lists them.
  static let onlyBatch = [
    OnlyBatch(
      file: "settlement.csv", from: "ann@mail", to: "bob@mail",
      says: [
        "settlement.csv:2: account is bob@mail.example; expected ann@mail.example: what settling the batch again gives"
      ]),
    OnlyBatch(
      file: "settlement.csv", from: "S-3,SIMPLE,SENDER,,EUR,-10.10,0.00,0.00,-10.10,\nS-3,SIMPLE,RECEIVER",
      to: "S-4,SIMPLE,SENDER,,EUR,-10.10,0.00,0.00,-10.10,\nS-4,SIMPLE,RECEIVER",
      says: [
        "settlement.csv:13: pay_key is S-4; expected S-3: what settling the batch again gives",
        "settlement.csv:14: pay_key is S-4; expected S-3: what settling the batch again gives",
      ]),
    OnlyBatch(
      file: "settlement.csv",
      from:
        "P-1,PARALLEL,RECEIVER,hotel@inn.example,JPY,1000,0,0,1000,\nP-1,PARALLEL,RECEIVER,guide@inn.example,JPY,500,0,0,500,\n",
      to:
        "P-1,PARALLEL,RECEIVER,guide@inn.example,JPY,500,0,0,500,\nP-1,PARALLEL,RECEIVER,hotel@inn.example,JPY,1000,0,0,1000,\n",
      says: [
        "settlement.csv:5: expected P-1,PARALLEL,RECEIVER,hotel@inn.example,JPY,1000,0,0,1000,: the line is missing; what "
          + "settling the batch again gives",
        "settlement.csv:6: P-1,PARALLEL,RECEIVER,hotel@inn.example,JPY,1000,0,0,1000,: no such line; what settling the "
          + "batch again gives",
      ]),
    OnlyBatch(
      file: "exceptions.csv", from: #"subTotal is ""0.00"""#, to: #"subTotal is ""0.01"""#,
      says: [
        #"exceptions.csv:4: message is "subTotal is ""0.01""; expected a value above zero"; expected "#
          + #""subTotal is ""0.00""; expected a value above zero": what settling the batch again gives"#
      ]),
    OnlyBatch(
      file: "exceptions.csv", from: "/1/recipient", to: "/2/recipient",
      says: [
        "exceptions.csv:7: field is /receiverPaymentDetails/2/recipient; expected /receiverPaymentDetails/1/recipient: "
          + "what settling the batch again gives"
      ]),
    OnlyBatch(
      file: "exceptions.csv", from: "6,742,", to: "6,743,",
      says: ["exceptions.csv:3: offset is 743; expected 742: what settling the batch again gives"]),
    OnlyBatch(
      file: "exceptions.csv", from: ",R-2,", to: ",R-9,",
      says: ["exceptions.csv:6: pay_key is R-9; expected R-2: what settling the batch again gives"]),
    OnlyBatch(
      file: "summary.json", from: "night-7", to: "night-8",
      says: ["summary.json: batch.id is night-8; expected night-7: what settling the batch again gives"]),
    OnlyBatch(
      file: "summary.json", from: #""UNKNOWN_FIELD":1"#, to: #""UNKNOWN_FIELD":2"#,
      says: ["summary.json: notices.UNKNOWN_FIELD is 2; expected 1: what settling the batch again gives"]),
    OnlyBatch(
      file: "summary.json", from: "verified", to: "mismatch",
      says: ["summary.json: batch.controlTotals is mismatch; expected verified: what settling the batch again gives"]),
    OnlyBatch(
      file: "summary.json", from: #""bytes":1"#, to: #""bytes":2"#, says: ["summary.json: batch.files[0].bytes is 2"]),
  ]

  @Test("what only the batch can prove is found with it, and not without", arguments: onlyBatch)
  func withTheBatch(_ example: OnlyBatch) throws {
    let tampered = try TamperedFolder()
    let text = String(decoding: try tampered.bytes(example.file), as: UTF8.self)
    let place = try #require(text.range(of: example.from))
    try tampered.write(Array(text.replacingCharacters(in: place, with: example.to).utf8), example.file)
    try tampered.mendSums()
    #expect(try tampered.findings() == [])
    let findings = try tampered.findings(withBatch: true)
    #expect(findings.count == example.says.count, "\(findings)")
    for (finding, says) in zip(findings, example.says) { #expect(finding.hasPrefix(says)) }
  }

  @Test(
    "of reports that another version made, messages are not compared, and all else is",
    arguments: [
      ("expected a value above zero", "is nothing", []),
      (
        "/1/recipient", "/2/recipient",
        [
          "exceptions.csv:7: field is /receiverPaymentDetails/2/recipient; expected "
        ]
      ),
    ])
  func otherVersion(from: String, to: String, says: [String]) throws {
    let tampered = try TamperedFolder()
    let version = #""version":""#
    for (file, from, to) in [("summary.json", version, version + "0.9-"), ("exceptions.csv", from, to)] {
      let text = String(decoding: try tampered.bytes(file), as: UTF8.self)
      let place = try #require(text.range(of: from))
      try tampered.write(Array(text.replacingCharacters(in: place, with: to).utf8), file)
    }
    try tampered.mendSums()
    let findings = try tampered.findings(withBatch: true)
    #expect(findings.count == says.count, "\(findings)")
    for (finding, says) in zip(findings, says) { #expect(finding.hasPrefix(says)) }
  }
}
