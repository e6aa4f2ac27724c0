import Testing

@testable import Import

@Suite("Requests of name-value pairs")
struct NameValueTests {
  /// Each request as `line: name=value ...`.
  private static func read(_ text: String) -> [String] {
    var requests: [String] = []
    NameValueRequests.read(Array(text.utf8), skip: { _ in }) { request in
      let fields = request.fields.map {
        "\($0.name.text)=\($0.text)@\($0.line)"
      }
      let faults = request.faults.map { "!\($0.field)" }
      requests.append((["\(request.line):"] + fields + faults).joined(separator: " "))
    }
    return requests
  }

  @Test(
    "from lines",
    arguments: [
      ("", []), ("\n \r\n\t\n", []),
      ("a=1&b=2", ["1: a=1@1 b=2@1"]),
      ("a=1&b=2\na=3&b=4\n", ["1: a=1@1 b=2@1", "2: a=3@2 b=4@2"]),
      ("a=1&b=2\r\n\r\na=3&b=4\r\n", ["1: a=1@1 b=2@1", "3: a=3@3 b=4@3"]),
      ("a=1\n&b=2\n&c=3\n", ["1: a=1@1 b=2@2 c=3@3"]),
      ("a=1&\nb=2&c=3&\nd=4", ["1: a=1@1 b=2@2 c=3@2 d=4@3"]),
      ("a=1\\\n&b=2 \\\nc=3&d=4\nc=5&d=6", ["1: a=1@1 b=2@2 c=3@3 d=4@3", "4: c=5@4 d=6@4"]),
      ("&a=1\n&b=2\n&a=3\n&b=4", ["1: a=1@1 b=2@2", "3: a=3@3 b=4@4"]),
      ("a=1\n&b=2\nb2=3\na=4\n&b=5", ["1: a=1@1 b=2@2 b2=3@3", "4: a=4@4 b=5@5"]),
      ("a=1\n&b=2\n&b=3", ["1: a=1@1 b=2@2 !b"]),
      ("a=1&a=1", ["1: a=1@1 !a"]),
      ("a=1&amp;b=2&amp;c=&amp;", ["1: a=1@1 b=2@1"]),
      ("https://x.example/Pay?a=1&b=2\nhttps://x.example/Pay?a=3", ["1: a=1@1 b=2@1", "2: a=3@2"]),
      ("a=b=c&d&=e&&f=", ["1: a=b=c@1 =e@1"]),
      ("a=%41+%2B%26&b%28c=1", ["1: a=A +&@1 b(c)=1@1".replacing("b(c)", with: "b.c")]),
      ("a=%4&b=%zz&c=%ff&d=1", ["1: d=1@1 !a !b !c"]), ("a=%+f&b=%c3%A9%", ["1: !a !b"]),
      ("\u{FEFF}a=\u{FEFF}%EF%BB%BF", ["1: \u{FEFF}a=\u{FEFF}\u{FEFF}@1"]),
      ("r[0].x[0]=1&r(1).x=2&r[a][0]=3", ["1: r(0).x(0)=1@1 r(1).x=2@1 r.a(0)=3@1"]),
      ("r[0].x=1&r(0).x=2", ["1: r(0).x=1@1 !r(0).x"]),
      ("a=1\n\u{A4}cyCode=USD&b=\u{A4}", ["1: a=1@1 currencyCode=USD@2 b=\u{A4}@2"]),
    ])
  func lines(text: String, expected: [String]) {
    #expect(Self.read(text) == expected)
  }

  @Test("that are too long, in one line or in many, are faults, and the next one is read")
  func tooLong() {
    let long = "a=" + String(repeating: "x", count: 1 << 20)
    #expect(Self.read(long + "\nb=1&c=2") == ["1: !", "2: b=1@2 c=2@2"])
    let lines = "a=1\n" + String(repeating: "&b=" + String(repeating: "x", count: 125) + "\n", count: 1 << 13)
    #expect(Self.read(lines + "\nb=1&c=2") == ["1: !", "\((1 << 13) + 3): b=1@\((1 << 13) + 3) c=2@\((1 << 13) + 3)"])
  }

  @Test("with long names are cut, and the names are not known fields")
  func longNames() {
    let name = String(repeating: "n", count: 300)
    let imported = Imported(nameValue: "\(name)1=x&\(name)2=y&actionType=PAY")
    #expect(imported.faults == ["1 580029 currencyCode", "1 580029 receiverList"])
    #expect(imported.notes.allSatisfy { $0.count <= 203 })
  }
}
