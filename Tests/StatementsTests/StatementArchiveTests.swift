import BatchRun
import FileSystem
import Foundation
import Records
import TestSupport
import Testing

@testable import Statements

/// Statements as one archive, read by Python's tarfile and zipfile and held against the directory.
@Suite struct StatementArchiveTests {
  private let counter: Counter

  init() throws { counter = try Counter() }

  /// What prints the members of an archive: properties of each between bars, the last its bytes.
  private static let readers = [
    "tar": """
    import base64, sys, tarfile
    for m in tarfile.open(sys.argv[1], "r:"):
        text = base64.b64encode(tarfile.open(sys.argv[1]).extractfile(m).read()).decode()
        print(m.name, m.type.decode(), oct(m.mode), m.uid, m.gid, m.uname + m.gname, m.mtime, text, sep="|")
    """,
    "zip": """
    import base64, sys, zipfile
    z = zipfile.ZipFile(sys.argv[1])
    for m in z.infolist():
        text = base64.b64encode(z.read(m)).decode()
        print(m.filename, m.compress_type, oct(m.external_attr >> 16), *m.date_time, text, sep="|")
    """,
  ]

  /// What Python prints of a file.
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

  /// Makes an archive of a batch, and gives what Python reads from it: a line of properties for each member, then its
  /// bytes.
  private func archive(
    _ batch: [UInt8], _ format: StatementFormat, as form: String, accounts: [String]? = nil, day: String? = nil
  ) throws -> [(properties: String, text: String)] {
    try counter.folder.write(batch, to: "batch")
    _ = try Statements.write(
      [counter.folder.path("batch")], as: format,
      accounts: accounts.map { SelectedAccounts($0) }, day: day.flatMap { UTCTime(day: $0) },
      output: counter.folder.path("out.\(form)"), options: Counter.options(threads: 2))
    let told = try python(#require(Self.readers[form]), "out.\(form)")
    try FileManager.default.removeItem(atPath: counter.folder.path("out.\(form)"))
    #expect(try counter.folder.names(in: "") == ["batch"])
    return told.split(separator: "\n").map { line in
      let fields = line.split(separator: "|", omittingEmptySubsequences: false)
      let text = Data(base64Encoded: String(fields[fields.count - 1])) ?? Data()
      return (fields.dropLast().joined(separator: "|"), String(decoding: text, as: UTF8.self))
    }
  }

  /// What Python says of a member of each form of archive, beside its name: of 2026-11-21, the header's day in UTC.
  static let forms = [
    (name: "tar", properties: "0|0o600|0|0||1795219200"), (name: "zip", properties: "0|0o100600|2026|11|21|0|0|0"),
  ]

  @Test("the same files as in the directory, the list first", arguments: StatementFormat.allCases, forms)
  func all(_ format: StatementFormat, form: (name: String, properties: String)) throws {
    let batch = Array(StatementTests.batch.utf8)
    let members = try archive(batch, format, as: form.name)
    let files = try counter.statements(batch, format).files
    let end = format == .stl ? "/STL-20261121.01.009.CSV" : ".\(format.rawValue)"
    let names = ["accounts.csv"] + (1...4).map { "\($0)\(end)" }
    #expect(members.map(\.properties) == names.map { "\($0)|\(form.properties)" })
    #expect(members.map(\.text) == names.map { files[$0] ?? "missing" })
  }

  @Test(
    "members come by number where accounts are asked for, those without lines included",
    arguments: [("tar", "0|0o600|0|0||0"), ("zip", "0|0o100600|1980|1|1|0|0|0")])
  func selected(form: String, properties: String) throws {
    let batch = Array(StatementTests.batch.utf8)
    let accounts = ["shop@x.example", "nobody@x.example", "chairs@x.example", "+819012345678"]
    let members = try archive(batch, .csv, as: form, accounts: accounts, day: "1969-12-31")
    let files = try counter.statements(batch, .csv, accounts: accounts, day: "1969-12-31").files
    let names = ["accounts.csv", "1.csv", "2.csv", "3.csv", "4.csv"]
    #expect(members.map(\.properties) == names.map { "\($0)|\(properties)" })
    #expect(members.map(\.text) == names.map { files[$0] ?? "missing" })
  }

  @Test(
    "an account of more text than is held in memory, and a day beyond what the field has digits for",
    arguments: [("tar", "0|0o600|0|0||253402214400"), ("zip", "0|0o100600|2107|12|31|0|0|0")])
  func long(form: String, properties: String) throws {
    let lines = (1...3000).map { number in
      let account = number % 100 == 0 ? "b@x.example" : "a@x.example"
      return #"{"payKey":"K-\#(number)","recipient":"\#(account)","subTotal":"1.00","customId":"order.\#(number)"}"#
        + "\n"
    }
    let batch = Array(lines.joined().utf8)
    let members = try archive(batch, .stl, as: form, day: "9999-12-31")
    let files = try counter.statements(batch, .stl, day: "9999-12-31").files
    let names = ["accounts.csv", "1/STL-99991231.01.009.CSV", "2/STL-99991231.01.009.CSV"]
    #expect(members.map(\.properties) == names.map { "\($0)|\(properties)" })
    #expect(members.map(\.text) == names.map { files[$0] ?? "missing" })
    #expect(members[1].text.utf8.count > 1 << 18)
  }

  @Test("zip64: more members than 16 bits count")
  func manyMembers() throws {
    let day = try #require(UTCTime(day: "2026-11-21"))
    let path = counter.folder.path("many.zip")
    let file = try PartialFile(path: path)
    let archive = try StatementArchive(
      file, .zip, beside: OutputPlace(path: path), names: StatementNames(format: .csv, day: day))
    for number in 1...65_600 {
      try archive.append(number: number) { $0.append(number: number) }
      try archive.finish(number: number)
    }
    try archive.finishAll()
    try file.publish()
    let program = """
      import sys, zipfile
      z = zipfile.ZipFile(sys.argv[1])
      print(len(z.namelist()), z.testzip(), z.read("65600.csv"), z.read("7.csv"), z.read("accounts.csv"))
      """
    #expect(try python(program, "many.zip") == "65601 None b'65600' b'7' b''\n")
  }

  @Test("zip64: a member of more than 4 GiB, and one behind it")
  func largeMember() throws {
    let day = try #require(UTCTime(day: "2026-11-21"))
    let text = Array("123456789".utf8)
    var checksum = CRC32()
    checksum.update(text, count: text.count)
    #expect(checksum.value == 0xCBF4_3926)
    let large = ZipFormat.Member(path: "1.csv", length: 5 << 30, checksum: CRC32(), day: day, offset: 0)
    let end = large.header.count + large.length
    let small = ZipFormat.Member(path: "2.csv", length: text.count, checksum: checksum, day: day, offset: end)
    let directory = large.directoryEntry + small.directoryEntry
    let start = end + small.header.count + text.count
    _ = try counter.folder.write(large.header, to: "large.zip")
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: counter.folder.path("large.zip")))
    // The large member is a hole in the file.
    try file.seek(toOffset: UInt64(end))
    file.write(
      Data(small.header + text + directory + ZipFormat.end(members: 2, directory: start..<start + directory.count)))
    try file.close()
    let program = """
      import sys, zipfile
      z = zipfile.ZipFile(sys.argv[1])
      print([(m.filename, m.file_size, m.header_offset) for m in z.infolist()], z.read("2.csv"), z.open("1.csv").read(3))
      """
    #expect(
      try python(program, "large.zip")
        == "[('1.csv', \(5 << 30), 0), ('2.csv', 9, \(end))] b'123456789' b'\\x00\\x00\\x00'\n")
  }

  @Test("nothing is left of a batch that cannot be settled, and a file that is there stays")
  func failures() throws {
    try counter.folder.write(Array("{}\n".utf8), to: "batch")
    for (there, exitCode) in [([UInt8]?.none, Int32(64)), (Array("mine".utf8), 73)] {
      if let there { try counter.folder.write(there, to: "out.tar") }
      do throws(RunFailure) {
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
