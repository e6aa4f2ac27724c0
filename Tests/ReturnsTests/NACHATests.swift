import Ledger
import Testing

@testable import Returns

@Suite("NACHA answers")
struct NACHATests {
  private static let lines = [ReadAnswers.entry("P1-4"), ReadAnswers.addenda("R03")]

  @Test(
    "Lines end in LF, in CRLF, or not at all",
    arguments: ["\n", "\r\n", "", "\n\n", " \n", "   \r\n", " " + String(repeating: " ", count: 900) + "\n"])
  func lineEnds(_ end: String) throws {
    let read = try ReadAnswers(Self.lines.map { $0 + end }.joined())
    try #require(read.fault == nil)
    try #require(read.answers == ["1: P1-4 RETURN R03"])
    #expect(read.amount(0) == "30.00")
  }

  @Test("Several records in a line are cut, wherever lines end")
  func blocks() throws {
    let records = (Self.lines + Self.lines).map { $0 + String(repeating: " ", count: 94 - $0.count) }
    for ends in [[4], [2, 4], [3, 4], [2, 3, 4]] {
      for end in ["\n", "\r\n"] {
        let text = records.enumerated().map { $1 + (ends.contains($0 + 1) ? end : "") }.joined()
        #expect(try ReadAnswers(text).answers == ["1: P1-4 RETURN R03", "3: P1-4 RETURN R03"], "\(ends)")
      }
    }
    // More characters than one record, and fewer than two.
    #expect(try ReadAnswers(records[0] + "x\n" + records[1]).fault == "1: ACH_LINE")
  }

  @Test("A line may have any number of spaces at its end")
  func spaces() throws {
    let spaces = String(repeating: " ", count: 200_000)
    for end in [spaces, spaces + "\r\n" + spaces, spaces + "\r\n\r\n" + Self.lines[0]] {
      #expect(try ReadAnswers(Self.lines.joined(separator: "\n") + end).answers == ["1: P1-4 RETURN R03"])
    }
  }

  @Test("A name may be in UTF-8 or in one byte a character", arguments: [false, true])
  func names(isLatin: Bool) throws {
    let line = ReadAnswers.entry("P1-4", name: "Dave Müller")
    let bytes = isLatin ? line.unicodeScalars.map { UInt8($0.value) } : Array(line.utf8)
    let read = try ReadAnswers([bytes + Array(("\n" + ReadAnswers.addenda("R03")).utf8)])
    #expect(read.fault == nil)
    #expect(read.answers == ["1: P1-4 RETURN R03"])
  }

  @Test(
    "What is an answer, and what is another payment's",
    arguments: [
      (21, "P1-4", [99], ["1: P1-4 RETURN R03"]), (31, "P1-4", [99], ["1: P1-4 RETURN R03"]),
      (22, "P1-4", [99], ["1: P1-4 RETURN R03"]), (32, "P1-4", [98], ["1: P1-4 CHANGE R03"]),
      (26, "P1-4", [99], []), (27, "P1-4", [99], []), (21, "P1-4", [5], []), (21, "P1-4", [], []),
      (21, "INVOICE 7", [99], []), (21, "", [99], ["1: - RETURN R03"]), (21, "", [98], []),
      (21, "p1-4", [99], []), (21, "P01-4", [99], []), (21, "P1-4", [5, 99], ["1: P1-4 RETURN R03"]),
    ])
  func entries(_ code: Int, _ reference: String, _ types: [Int], _ expected: [String]) throws {
    let lines = [ReadAnswers.entry(reference, code: code)] + types.map { ReadAnswers.addenda("R03", type: $0) }
    let read = try ReadAnswers(lines.joined(separator: "\n"))
    #expect(read.answers == expected)
    #expect(read.files[0].others == 1 - expected.count)
  }

  @Test(
    "Of several reasons, the one that needs a person decides",
    arguments: [
      (["R03", "R24"], "R24"), (["R03", "R70"], "R70"), (["R70", "R24"], "R24"), (["R03", "R02"], "R03"),
      (["   ", "R02"], "R02"), (["   "], "NOT_STATED"), (["R!3"], "R_3"), (["ü  "], "_"),
    ])
  func reasons(_ reasons: [String], _ expected: String) throws {
    let read = try ReadAnswers(
      ([ReadAnswers.entry("P1-4")] + reasons.map { ReadAnswers.addenda($0) }).joined(separator: "\n"))
    #expect(read.answers == ["1: P1-4 RETURN \(expected)"])
  }

  private static let faults: [(lines: [String], fault: String?)] = [
    (lines + ["2"], "3: ACH_RECORD"), ([lines[0], lines[1] + " x"], "2: ACH_LINE"),
    ([lines[0], lines[1] + String(repeating: " ", count: 100_000) + "x", ""], "2: ACH_LINE"),
    ([lines[0], lines[1] + "\rx"], "2: ACH_LINE"), ([lines[0], lines[1] + "\r", "\r", "", "x"], "5: ACH_RECORD"),
    ([lines[0], "799R", lines[0]], "2: ACH_LINE"), ([lines[0], "799R\u{E9}", lines[0]], "2: ACH_LINE"),
    (["799R"], "1: NOT_AN_ANSWER"),
    ([lines[0], "799R03"], nil), (["5220", "799"], "2: ACH_RECORD"),
    (["5220", lines[1]], "2: ACH_RECORD"), ([lines[0], "5220", lines[1]], "3: ACH_RECORD"),
    ([lines[0], "8220", lines[1]], "3: ACH_RECORD"), ([lines[0], "9", "99", lines[1]], nil),
  ]

  @Test("Errors have their line", arguments: faults)
  func errors(_ lines: [String], _ expected: String?) throws {
    #expect(try ReadAnswers(lines.joined(separator: "\n")).fault == expected)
  }

  private static let file = [
    "101 021000021 1234567892611250000A094101", "5220" + String(repeating: " ", count: 36) + "1123456789PPD",
    ReadAnswers.entry("P1-4"), ReadAnswers.addenda("R03"),
    "822000000200021000020000000000000000000030001123456789",
    "9000001000001000000020002100002000000000000000000003000",
    String(repeating: "9", count: 94),
  ]

  @Test("Control totals agree, or the file has none")
  func controls() throws {
    func state(_ lines: [String]) throws -> String? {
      try ReadAnswers(lines.joined(separator: "\n")).files[0].content?.controls?.rawValue
    }
    #expect(try ReadAnswers(Self.file.joined(separator: "\n")).files[0].content?.disagreement?.text == nil)
    #expect(try state(Self.file) == "verified")
    #expect(try state(Self.file + Self.file) == "verified")
    #expect(try state(Array(Self.file.dropFirst())) == "verified")
    for (missing, expected) in [(1, "absent"), (4, "absent"), (5, "mismatch")] {
      var lines = Self.file
      lines.remove(at: missing)
      #expect(try state(lines) == expected, "without record \(missing)")
    }
    var lines = Self.file
    lines.removeSubrange(5...)
    lines.removeFirst()
    #expect(try state(lines) == "absent")
    lines = Self.file
    lines[1] = "5280" + lines[1].dropFirst(4)
    lines[5] = "9" + lines[5].dropFirst()
    #expect(try state(lines) == "absent")
    #expect(try ReadAnswers(lines.joined(separator: "\n")).answers.isEmpty)
  }

  @Test("Each figure of a control record is compared", arguments: [(4, [9, 19, 31, 43]), (5, [20, 30, 42, 54])])
  func disagreements(_ record: Int, _ places: [Int]) throws {
    for (place, name) in zip(places, ["count", "hash", "debits", "credits"]) {
      var lines = Self.file
      var bytes = Array(lines[record].utf8)
      bytes[place] = bytes[place] == 0x39 ? 0x38 : bytes[place] + 1
      lines[record] = String(decoding: bytes, as: UTF8.self)
      let content = try #require(try ReadAnswers(lines.joined(separator: "\n")).files[0].content)
      #expect(content.controls == .mismatch)
      #expect(content.disagreement?.line == record + 1)
      #expect(content.disagreement?.text.contains(name) == true)
    }
  }

  @Test(
    "The date is that of the file header, if there is such a day", arguments: [("261125", true), ("261131", false)])
  func dates(_ digits: String, _ exists: Bool) throws {
    let header = "101 021000021 123456789\(digits)0000A094101"
    let read = try ReadAnswers(([header] + Self.lines).joined(separator: "\n"))
    #expect(read.intake.answers[0].day == (exists ? Int32(Array("2026-11-25".utf8).dayNumber!) : nil))
  }

  private static let debtor = """
    {"USD":{"ACH":{"name":"Pay","company":"1123456789","odfi":"021000021","destination":"021000021",
    "destinationName":"Bank","origin":"123456789"}}}
    """

  @Test(
    "The company of a batch is compared with the debtor's", arguments: [("1123456789", true), ("9123456789", false)])
  func companies(_ company: String, _ isOwn: Bool) throws {
    let header = "5220" + String(repeating: " ", count: 36) + company
    let read = try ReadAnswers(([header] + Self.lines).joined(separator: "\n"), debtor: Self.debtor)
    #expect((read.intake.answers[0].accounts != 0) == isOwn)
    #expect(try ReadAnswers(Self.lines.joined(separator: "\n"), debtor: Self.debtor).intake.answers[0].accounts != 0)
  }

  @Test(
    "The bank account that the money went to, if the bank says it",
    arguments: [
      ("123456789", "01100001", "ACH,011000015,123456789"), ("1234 x6789", "01100001", nil),
      ("12 34-a", "01100001", "ACH,011000015,1234-A"),
      ("123456789", "0110000 ", nil), ("123456789", "        ", nil), ("*****6789", "01100001", nil),
    ])
  func payees(_ number: String, _ bank: String, _ expected: String?) throws {
    let padded = number + String(repeating: " ", count: 17 - number.count)
    let entry = Self.lines[0].replacing("123456789        ", with: padded)
    let addenda = Self.lines[1].replacing("01100001  ", with: bank + "  ")
    let answer = try ReadAnswers([entry, addenda].joined(separator: "\n")).intake.answers[0]
    #expect(answer.flags.contains(.hasPayee) == (expected != nil))
    if let expected { #expect(answer.subject == BankAccountDigest(Array(expected.utf8)).value) }
  }

  @Test(
    "Corrected values by their codes",
    arguments: [
      ("C01", "000987654322", ["", "000987654322", "", ""]), ("C02", "121000248", ["121000248", "", "", ""]),
      ("C02", "121000249", ["", "", "", ""]),
      ("C03", "121000248   000987654322", ["121000248", "000987654322", "", ""]),
      ("C04", "  Erin O'Neil  ", ["", "", "", "Erin O'Neil"]), ("C04", "...", ["", "", "", ""]),
      ("C05", "32", ["", "", "SAVINGS", ""]), ("C05", "27", ["", "", "", ""]),
      ("C06", "12345               22", ["", "12345", "CHECKING", ""]),
      ("C07", "12100024812345            33", ["121000248", "12345", "SAVINGS", ""]),
      ("C09", "12345", ["", "", "", ""]), ("C01", "0000000", ["", "", "", ""]), ("C01", "12 34", ["", "", "", ""]),
    ])
  func corrected(_ reason: String, _ values: String, _ expected: [String]) {
    let found = CorrectedValues(Array(reason.utf8), Array(values.utf8))
    let texts = [found.routing, found.number, found.type, found.name].map { String(decoding: $0, as: UTF8.self) }
    #expect(texts == expected)
  }
}
