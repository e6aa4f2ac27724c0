import Failures
import Foundation
import Glibc
import Testing
import TestSupport
import Verification

/// A directory may contain anything: every file missing or replaced by something else, or with any text.
@Suite("Hostile directories")
struct HostileFolderTests {
  static let names = TamperedFolder.reports + ["SHA256SUMS"]

  @Test("a missing file is found", arguments: names)
  func missing(name: String) throws {
    let tampered = try TamperedFolder()
    try FileManager.default.removeItem(atPath: tampered.folder.path("out/\(name)"))
    #expect(try tampered.findings().contains("\(name): is missing"))
    #expect(try tampered.findings(withBatch: true).contains("\(name): is missing"))
    try tampered.mendSums()
    #expect(try tampered.verify().isGood == (name == "SHA256SUMS"))
  }

  @Test("a link, a pipe or a folder in a file's place is found and not read", arguments: names)
  func replaced(name: String) throws {
    let path = { (tampered: TamperedFolder) in tampered.folder.path("out/\(name)") }
    let linked = try TamperedFolder()
    try FileManager.default.moveItem(atPath: path(linked), toPath: linked.folder.path("kept"))
    try FileManager.default.createSymbolicLink(atPath: path(linked), withDestinationPath: linked.folder.path("kept"))
    #expect(try linked.findings().contains("\(name): is a symbolic link; a report is a file of its own"))
    let piped = try TamperedFolder()
    try FileManager.default.removeItem(atPath: path(piped))
    #expect(mkfifo(path(piped), 0o600) == 0)
    #expect(try piped.findings().contains("\(name): is not a regular file"))
    let nested = try TamperedFolder()
    try FileManager.default.removeItem(atPath: path(nested))
    try FileManager.default.createDirectory(atPath: path(nested), withIntermediateDirectories: false)
    #expect(try nested.findings().contains("\(name): is not a regular file"))
  }

  @Test("a file that is not a report is found, and its name shown safely")
  func stranger() throws {
    let tampered = try TamperedFolder()
    try tampered.write([1], "a\u{1B}[31m 4111111111111111")
    #expect(
      try tampered.findings() == [
        #"a file is a\u001b[31m 4111111111111111: a settlement directory holds the reports, SHA256SUMS and nothing else"#
      ])
  }

  @Test("a path that is not a directory is an unreadable input", arguments: ["nowhere", "night.jsonl"])
  func noDirectory(name: String) throws {
    let tampered = try TamperedFolder()
    do throws(Failure) {
      _ = try Verification.verify(tampered.folder.path(name))
      Issue.record("verified \(name)")
    } catch {
      #expect(error.exitCode == 66)
    }
  }

  /// Texts that break readers.
  static let texts: [(name: String, text: [UInt8])] = [
    ("empty", []),
    ("one byte", [0x00]),
    ("line feeds", Array(repeating: 0x0A, count: 5000)),
    ("no line feed", Array(repeating: 0x41, count: 3_000_000)),
    ("commas", Array(repeating: 0x2C, count: 200_000) + [0x0A]),
    ("quotes", Array(repeating: 0x22, count: 65_535) + [0x0A]),
    ("no UTF-8", (0..<100_000).map { UInt8($0 % 256) | 0x80 }),
    ("zeros", Array(repeating: 0, count: 70_000)),
    ("nested", Array(repeating: 0x5B, count: 300_000)),
    ("digits", Array("1".utf8) + Array(repeating: 0x30, count: 60_000) + [0x0A]),
  ]

  @Test("no text makes it crash", arguments: names, texts.indices)
  func anyText(name: String, text: Int) throws {
    let tampered = try TamperedFolder()
    let hostile = Self.texts[text].text
    try tampered.write(hostile, name)
    #expect(try !tampered.findings().isEmpty)
    // After good rows, too, and with the batch.
    let tampered2 = try TamperedFolder()
    try tampered2.write(try tampered2.bytes(name) + hostile, name)
    if name != "SHA256SUMS" { try tampered2.mendSums() }
    #expect(try tampered2.findings().isEmpty == hostile.isEmpty)
    #expect(try tampered2.findings(withBatch: true).isEmpty == hostile.isEmpty)
  }

  @Test("numbers of any length are read or reported", arguments: [64, 255, 257, 5000, 60_000])
  func longNumbers(digits: Int) throws {
    let tampered = try TamperedFolder()
    let long = String(repeating: "9", count: digits)
    for name in [
      "settlement.csv", "receivers.csv", "refunds.csv", "totals.csv", "control.csv", "exceptions.csv", "summary.json",
    ] {
      let original = try tampered.bytes(name)
      let text = String(decoding: original, as: UTF8.self)
      try tampered.write(
        Array(text.replacing("25.00", with: "\(long).00").replacing("7.50", with: "\(long).00").utf8), name)
      let changed = try tampered.bytes(name) != original
      #expect(try tampered.verify().isGood == !changed)
      try tampered.write(original, name)
    }
  }

  @Test("a payment whose rows never end is reported, and takes no more memory than others")
  func endlessPayment() throws {
    let tampered = try TamperedFolder()
    var lines = try tampered.lines("settlement.csv")
    lines += (0..<20_000).map { "S-3,SIMPLE,RECEIVER,r\($0)@shop.example,EUR,0.01,0.00,0.00,0.01," }
    try tampered.write(lines, to: "settlement.csv")
    let result = try tampered.verify()
    #expect(result.findings.contains { $0.text.contains("20001 receivers follow") })
    #expect(result.findings.count <= 20 * 8)
    #expect(result.count > 20_000)
    #expect(result.unlisted.contains { $0.file == "receivers.csv" && $0.count > 19_000 })
  }
}
