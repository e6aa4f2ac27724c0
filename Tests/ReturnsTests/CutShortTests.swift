import Testing

@testable import Returns

@Suite("A file that is cut at any byte")
struct CutShortTests {
  private static let details = """
    <NtryDtls>
    <TxDtls><Refs><EndToEndId>P1-12</EndToEndId></Refs><RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf></TxDtls>
    </NtryDtls>
    """
  private static let notice = ReadAnswers.notice(ReadAnswers.entryHead + details)
  private static let statement = notice.replacing("BkToCstmrDbtCdtNtfctn", with: "BkToCstmrStmt")
    .replacing("Ntfctn>", with: "Stmt>")

  @Test(
    "Documents are errors until their last byte",
    arguments: [ReadAnswers.status(ReadAnswers.block(ReadAnswers.payment("P1-12"))), notice, statement])
  func documents(_ text: String) throws {
    let bytes = Array(text.utf8)
    for count in bytes.indices {
      let read = try ReadAnswers([Array(bytes[..<count])])
      #expect(read.files[0].fault != nil, "cut after \(count) bytes")
    }
    #expect(try ReadAnswers(text).answers.count == 1)
  }

  @Test("The second of two documents is an error, and the first does not come back alone")
  func second() throws {
    let bytes = Array((Self.notice + "\n" + Self.statement).utf8)
    for count in Array(Self.notice.utf8).count + 2..<bytes.count {
      let read = try ReadAnswers([Array(bytes[..<count])])
      #expect(read.files[0].fault != nil, "cut after \(count) bytes")
    }
    #expect(try ReadAnswers([bytes]).answers.count == 2)
  }

  /// A file of two returns, with line ends or without, and with control records or without.
  private static func file(end: String, hasControls: Bool) -> [UInt8] {
    let entries = [
      ReadAnswers.entry("P1-12"), ReadAnswers.addenda("R24"), ReadAnswers.entry("P1-4"), ReadAnswers.addenda("R03"),
    ]
    let header = "101 021000021 1234567892611250000A094101"
    let batch = "5220" + String(repeating: " ", count: 36) + "1123456789PPD"
    let controls = [
      "822000000400042000040000000000000000000060001123456789",
      "9000001000001000000040004200004000000000000000000006000",
    ]
    let lines = hasControls ? [header, batch] + entries + controls : entries
    return Array(lines.map { $0 + String(repeating: " ", count: 94 - $0.count) + end }.joined().utf8)
  }

  @Test("NACHA files have no other returns, and not all", arguments: ["\n", "\r\n", ""], [false, true])
  func files(end: String, hasControls: Bool) throws {
    let bytes = Self.file(end: end, hasControls: hasControls)
    let whole = try ReadAnswers([bytes])
    let controls = whole.files[0].content?.controls
    #expect(controls == (hasControls ? .verified : .absent))
    #expect(whole.answers.count == 2)
    for count in 1..<bytes.count {
      let read = try ReadAnswers([Array(bytes[..<count])])
      guard read.fault == nil else { continue }
      // The code decides whether a payment may be booked.
      #expect(whole.answers.starts(with: read.answers), "cut after \(count) bytes")
      for place in read.answers.indices { #expect(read.amount(UInt32(place)) == "30.00") }
      // Only line ends and spaces are missing.
      let isWhole = bytes[count...].allSatisfy(AnswerSource.isSpace)
      if hasControls, !isWhole { #expect(read.files[0].content?.controls == .mismatch, "cut after \(count) bytes") }
    }
  }

  @Test("Lists have no other returns", arguments: ["\n", "\r\n"])
  func lists(end: String) throws {
    let bytes = Array(["reference,reason", "P1-12,AC04", "P1-4,AC01", ""].joined(separator: end).utf8)
    let whole = try ReadAnswers([bytes]).answers.map { $0.split(separator: " ")[1] }
    #expect(whole == ["P1-12", "P1-4"])
    for count in bytes.indices {
      let read = try ReadAnswers([Array(bytes[..<count])])
      guard read.files[0].faults == nil else { continue }
      #expect(whole.starts(with: read.answers.map { $0.split(separator: " ")[1] }), "cut after \(count) bytes")
    }
  }
}
