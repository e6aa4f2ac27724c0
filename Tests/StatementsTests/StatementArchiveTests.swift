import BatchRun
import Failures
import Foundation
import Records
import Testing
import TestSupport

@testable import Statements

/// Compares statements in an archive, read by Python's tarfile, with those in a directory.
@Suite struct StatementArchiveTests {
  private let counter: Counter

  init() throws { counter = try Counter() }

  /// A program that prints the members of an archive: the properties of each between bars, with its bytes last.
  private static let reader = """
    import base64, sys, tarfile
    for m in tarfile.open(sys.argv[1], "r:"):
        text = base64.b64encode(tarfile.open(sys.argv[1]).extractfile(m).read()).decode()
        print(m.name, m.type.decode(), oct(m.mode), m.uid, m.gid, m.uname + m.gname, m.mtime, text, sep="|")
    """

  /// Python's output for a file.
  private func python(_ program: String, _ file: String) throws -> String {
    let python = Process()
    let output = Pipe()
    python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    python.arguments = ["python3", "-c", program, counter.folder.path(file)]
    python.standardOutput = output
    try python.run()
    let told = output.fileHandleForReading.readDataToEndOfFile()
    python.waitUntilExit()
    #expect(python.terminationStatus == 0)
    return String(decoding: told, as: UTF8.self)
  }

  /// Makes an archive of a batch, and returns what Python reads from it: a line of properties for each member, followed
  /// by its bytes.
  private func archive(
    _ batch: [UInt8], _ format: StatementFormat, accounts: [String]? = nil, day: String? = nil
  ) throws -> [(properties: String, text: String)] {
    try counter.folder.write(batch, to: "batch")
    _ = try Statements.write(
      [counter.folder.path("batch")], as: format,
      accounts: accounts.map { SelectedAccounts($0) }, day: day.flatMap { UTCTime(day: $0) },
      output: counter.folder.path("out.tar"), options: Counter.options(threads: 2))
    let told = try python(Self.reader, "out.tar")
    try FileManager.default.removeItem(atPath: counter.folder.path("out.tar"))
    #expect(try counter.folder.names(in: "") == ["batch"])
    return told.split(separator: "\n").map { line in
      let fields = line.split(separator: "|", omittingEmptySubsequences: false)
      let text = Data(base64Encoded: String(fields[fields.count - 1])) ?? Data()
      return (fields.dropLast().joined(separator: "|"), String(decoding: text, as: UTF8.self))
    }
  }

  @Test("the same files as in the directory, the list first", arguments: StatementFormat.allCases)
  func all(_ format: StatementFormat) throws {
    let batch = Array(StatementTests.batch.utf8)
    let members = try archive(batch, format)
    let files = try counter.statements(batch, format).files
    let end = format == .stl ? "/STL-20261121.01.009.CSV" : ".\(format.rawValue)"
    let names = ["accounts.csv"] + (1...4).map { "\($0)\(end)" }
    #expect(members.map(\.properties) == names.map { "\($0)|0|0o600|0|0||1795219200" })
    #expect(members.map(\.text) == names.map { files[$0] ?? "missing" })
  }

  @Test("members are numbered if accounts are named, including those without lines")
  func selected() throws {
    let batch = Array(StatementTests.batch.utf8)
    let accounts = ["shop@x.example", "nobody@x.example", "chairs@x.example", "+819012345678"]
    let members = try archive(batch, .csv, accounts: accounts, day: "1969-12-31")
    let files = try counter.statements(batch, .csv, accounts: accounts, day: "1969-12-31").files
    let names = ["accounts.csv", "1.csv", "2.csv", "3.csv", "4.csv"]
    #expect(members.map(\.properties) == names.map { "\($0)|0|0o600|0|0||0" })
    #expect(members.map(\.text) == names.map { files[$0] ?? "missing" })
  }

  @Test("an account with more text than fits in memory, and a day with more digits than the field")
  func long() throws {
    let lines = (1...3000).map { number in
      let account = number % 100 == 0 ? "b@x.example" : "a@x.example"
      return #"{"payKey":"K-\#(number)","recipient":"\#(account)","subTotal":"1.00","customId":"order.\#(number)"}"#
        + "\n"
    }
    let batch = Array(lines.joined().utf8)
    let members = try archive(batch, .stl, day: "9999-12-31")
    let files = try counter.statements(batch, .stl, day: "9999-12-31").files
    let names = ["accounts.csv", "1/STL-99991231.01.009.CSV", "2/STL-99991231.01.009.CSV"]
    #expect(members.map(\.properties) == names.map { "\($0)|0|0o600|0|0||253402214400" })
    #expect(members.map(\.text) == names.map { files[$0] ?? "missing" })
    #expect(members[1].text.utf8.count > 1 << 18)
  }

  @Test("a batch that cannot be settled leaves nothing behind, and an existing file stays")
  func failures() throws {
    try counter.folder.write(Array("{}\n".utf8), to: "batch")
    for (there, exitCode) in [([UInt8]?.none, Int32(64)), (Array("mine".utf8), 73)] {
      if let there { try counter.folder.write(there, to: "out.tar") }
      do throws(Failure) {
        _ = try Statements.write(
          [counter.folder.path("batch")], as: .stl, accounts: nil, day: nil, output: counter.folder.path("out.tar"),
          options: RunOptions(threads: 1))
        Issue.record("no failure")
      } catch {
        #expect(error.exitCode == exitCode)
      }
      #expect(try counter.folder.names(in: "").sorted() == (there == nil ? ["batch"] : ["batch", "out.tar"]))
      if let there { #expect(try counter.folder.bytes(of: "out.tar") == there) }
    }
  }
}
