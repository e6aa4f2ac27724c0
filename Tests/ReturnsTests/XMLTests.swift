import Foundation
import Testing

@testable import Returns

@Suite("XML of answers")
struct XMLTests {
  private static let whole = ReadAnswers.status(ReadAnswers.block(ReadAnswers.payment("P1-2")))
  private static let expected = ["6: P1-2 RJCT NOT_STATED"]

  @Test(
    "Text in the encodings that are read",
    arguments: ["UTF-8", "ISO-8859-1", "iso-8859-15", "Windows-1252", "US-ASCII"])
  func encodings(_ name: String) throws {
    let text = ReadAnswers.status(
      ReadAnswers.block(ReadAnswers.payment("P1-2", inside: "<Nm>Gr\u{FC}n</Nm>")),
      head: "<?xml version=\"1.0\" encoding=\"\(name)\"?>")
    let bytes =
      name == "UTF-8"
      ? Array(text.utf8)
      : name == "US-ASCII" ? text.utf8.filter { $0 < 0x80 } : text.unicodeScalars.map { UInt8($0.value) }
    #expect(try ReadAnswers([bytes]).answers == Self.expected)
  }

  @Test("UTF-16 in both orders, with a byte order mark and without", arguments: [false, true], [false, true])
  func wide(isBig: Bool, hasMark: Bool) throws {
    let units = (hasMark ? "\u{FEFF}" : "") + Self.whole.replacing("?>", with: " encoding=\"UTF-16\"?>") + "\n\n"
    let bytes = units.utf16.flatMap {
      isBig ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)]
    }
    #expect(try ReadAnswers([bytes + bytes]).answers.map { $0.split(separator: " ")[1] } == ["P1-2", "P1-2"])
  }

  @Test(
    "Errors have their code and line",
    arguments: [
      (
        whole.replacing("<?xml version=\"1.0\"?>", with: "<?xml version=\"1.0\" encoding=\"UTF-7\"?>"),
        "1: XML_ENCODING"
      ),
      (whole.replacing("?>\n", with: "?>\n<!DOCTYPE Document>"), "2: XML_DOCTYPE"),
      (whole.replacing("?>\n", with: "?>\n<!DOCTYPE d [<!ENTITY a \"b\">]>"), "2: XML_DOCTYPE"),
      (whole.replacing("RJCT", with: "&other;"), "6: MALFORMED_XML"), (whole + "x", "8: MALFORMED_XML"),
      (whole + "\n<x/>", "9: ANSWER_KIND"), ("<x/>", "1: ANSWER_KIND"), ("<x>\n<Document/></x>", "2: ANSWER_KIND"),
      ("<Document>\n<x/></Document>", "2: ANSWER_KIND"),
      ("<Document>\n<CstmrPmtStsRpt/></Document>", "2: MISSING_ELEMENT"),
      (ReadAnswers.notice("<Sts>BOOK</Sts>"), "2: MISSING_ELEMENT"),
      (ReadAnswers.notice("<CdtDbtInd>CRDT</CdtDbtInd><Sts> </Sts>"), "2: MISSING_ELEMENT"),
      ("<?xml version=\"1.0\" encoding=\"windows-1252\"?>\n<x>\u{81}</x>", "2: MALFORMED_XML"),
    ])
  func errors(_ text: String, _ expected: String) throws {
    let isLatin = text.contains("windows-1252")
    let bytes = isLatin ? text.unicodeScalars.map { UInt8($0.value) } : Array(text.utf8)
    #expect(try ReadAnswers([bytes]).fault == expected)
  }

  @Test("Forms of the same document")
  func forms() throws {
    let root = Self.whole.split(separator: "\n").dropFirst().joined(separator: "\n")
    let forms = [
      "\u{FEFF} \n" + root,
      root.replacing("</", with: "</q:").replacing("<", with: "<q:").replacing("<q:/q:", with: "</q:"),
      "<e:Envelope><Document2/><e:Body>\(root)</e:Body></e:Envelope>",
      root.replacing("P1-2", with: "P<!-- x -->1&#45;2"),
      root.replacing("P1-2", with: "<![CDATA[P1]]>-2\n"), root.replacing("P1-2", with: "P1<x>-9</x>-2"),
      root + "<!-- end --> <?pi x?>\n",
      root.replacing("<TxSts>", with: "<Nm>\(String(repeating: "x", count: 200_000))</Nm><TxSts>"),
    ]
    for form in forms {
      let read = try ReadAnswers(form)
      #expect(read.fault == nil, "\(form.prefix(200))")
      #expect(read.answers.map { $0.split(separator: " ")[1] } == ["P1-2"], "\(form.prefix(200))")
    }
  }

  @Test("The limits are exact", arguments: [0, 1])
  func limits(_ excess: Int) throws {
    let expected = excess == 0 ? nil : "XML_LIMIT"
    func code(_ text: String) throws -> String? { try ReadAnswers(text).files[0].fault?.code.rawValue }
    let levels = 62 + excess
    let nested = String(repeating: "<a>", count: levels) + String(repeating: "</a>", count: levels)
    #expect(try code(Self.whole.replacing("<GrpHdr>", with: nested + "<GrpHdr>")) == expected)
    let text = String(repeating: "P", count: 1_024 + excess)
    #expect(try code(Self.whole.replacing("P1-2", with: text)) == expected)
    #expect(try code(Self.whole.replacing("P1-2", with: "\u{20AC}\(text.dropFirst(3))")) == expected)
    let attribute = String(repeating: "x", count: XMLParser.mostBytesOfTag - "<GrpHdr a=''>".utf8.count + excess)
    #expect(try code(Self.whole.replacing("<GrpHdr>", with: "<GrpHdr a='\(attribute)'>")) == expected)
    for (start, end) in [("<!--", "-->"), ("<?p ", "?>")] {
      let inside = String(repeating: "x", count: XMLParser.mostBytesOfTag - start.utf8.count - end.utf8.count + excess)
      // Also across pieces.
      for before in [0, 40_000, 65_000] {
        let spaces = String(repeating: " ", count: before)
        #expect(
          try code(Self.whole.replacing("<GrpHdr>", with: "\(spaces)\(start)\(inside)\(end)<GrpHdr>")) == expected)
      }
    }
  }

  @Test(
    "A tag that does not end is given up after its limit, a text that is not read has none",
    arguments: [
      ("<!-- ", "XML_LIMIT"), ("<x a='", "XML_LIMIT"), ("<?x ", "XML_LIMIT"), ("<![CDATA[", "MALFORMED_XML"),
      ("", "MALFORMED_XML"),
    ])
  func hostile(_ start: String, _ expected: String) throws {
    let text = Array("<Document><CstmrPmtStsRpt><x>\(start)".utf8) + [UInt8](repeating: 0x78, count: 4 << 20)
    #expect(try ReadAnswers([text]).files[0].fault?.code.rawValue == expected)
  }

  @Test("Different names of elements and attributes have together at most 1,000,000 bytes", arguments: [0, 1])
  func names(_ excess: Int) throws {
    // The names of the document itself, each once.
    let own = Set(
      ["Document", "CstmrPmtStsRpt", "GrpHdr", "CreDtTm", "OrgnlGrpInfAndSts", "OrgnlPmtInfAndSts", "OrgnlPmtInfId"]
        + ["TxInfAndSts", "OrgnlEndToEndId", "TxSts", "n"]
    ).reduce(0) { $0 + $1.utf8.count }
    let numbers = 100_000..<(100_000 + (1_000_000 - own) / 7)
    let rest = (1_000_000 - own) % 7 + excess
    let last = rest > 0 ? String(repeating: "z", count: rest) : "n"
    let elements = numbers.map { "<n\($0)/>" }.joined() + "<n/><\(last)/>"
    let attributes = "<n/>" + numbers.map { "<n n\($0)=''/>" }.joined() + "<\(last)/>"
    for names in [elements, attributes, elements + elements] {
      let read = try ReadAnswers(Self.whole.replacing("<GrpHdr>", with: names + "<GrpHdr>"))
      #expect(read.files[0].fault?.code.rawValue == (excess == 0 ? nil : "XML_LIMIT"))
    }
  }

  @Test("A thousand levels end after 64")
  func levels() throws {
    let levels = String(repeating: "<a>", count: 1_000)
    #expect(try ReadAnswers("<Document>\(levels)").files[0].fault?.code == .answerKind)
    #expect(try ReadAnswers("<Envelope>\(levels)").files[0].fault?.code == .xmlLimit)
  }

  @Test("Pieces of a file may end anywhere in a document")
  func pieces() throws {
    let root = Array(Self.whole.utf8)
    for before in stride(from: AnswerSource.pieceLength - root.count - 40, to: AnswerSource.pieceLength + 10, by: 7) {
      let comment = "<!-- \(String(repeating: "x", count: before / 2)) -->"
      let padding = Array("\(comment)\(comment)\n".utf8)
      var documents = Array(root.prefix(22)) + padding + Array(root.dropFirst(22))
      documents += [0x0A] + root
      let read = try ReadAnswers([documents])
      #expect(read.fault == nil)
      #expect(read.answers == ["7: P1-2 RJCT NOT_STATED", "15: P1-2 RJCT NOT_STATED"])
    }
  }
}
