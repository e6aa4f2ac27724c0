import Testing

@testable import Import

@Suite("Requests in JSON")
struct JSONRequestsTests {
  private static func read(_ text: String) -> [String] {
    var requests: [String] = []
    let isWhole = JSONRequests.read(Array(text.utf8)) { request in
      let fields = request.fields.map {
        "\($0.name.text)=\($0.text)"
      }
      let faults = request.faults.map { "!\($0.reason)" }
      let operation = request.operation == "Pay" ? [] : [request.operation]
      requests.append((["\(request.line):"] + operation + fields + faults).joined(separator: " "))
    }
    return requests + (isWhole ? [] : ["broken off"])
  }

  private static let cutArray = "the file ends within the array: it was cut short"
  private static func cut(_ line: Int) -> String {
    "the file ends within the request that begins in line \(line): it was cut short"
  }

  private static let address = "https://svcs.paypal.com/AdaptivePayments/"

  @Test(
    "from a text",
    arguments: [
      ("", []), (" \n ", []), ("[]", []), ("{}", ["1:"]),
      (#"{"a":1}"#, ["1: a=1"]),
      ("{\"a\":1}\n{\"a\":2}{\"a\":3}", ["1: a=1", "2: a=2", "2: a=3"]),
      ("\n{\n\"a\"\n:1\n}\n\n{\"a\":2}", ["2: a=1", "7: a=2"]),
      ("[{\"a\":1},\n{\"a\":2}\n]\n", ["1: a=1", "2: a=2"]),
      (#"{"a":{"b":[{"c":"x"},{"c":true}]},"d":[1,2]}"#, ["1: a.b(0).c=x a.b(1).c=true d(0)=1 d(1)=2"]),
      (#"{"a":null,"b":"","c":[],"d":{},"e":1.50e1}"#, ["1: e=1.50e1"]),
      (#"{"a.b(0).c":1,"a":{"b":[{"c":2}]}}"#, ["1: a.b(0).c=1 !is given twice in the request"]),
      ("{\"a\":\"//x\", // c \"}\n\"b\":\"\\\"//\"/* \n } */}", ["1: a=//x b=\"//"]),
      ("curl -d '{\"a\":1}'\n{\"a\":2}", ["1: !expected an object, one for each request", "2: a=2"]),
      ("'{\"a\":1}'", ["1: !expected an object, one for each request"]),
      ("\(address)Refund\n{\"a\":1}{\"a\":2}", ["2: Refund a=1", "2: a=2"]),
      ("{\"a\":1}\n \(address)Refund \r\n\n{\"a\":2}\n", ["1: a=1", "4: Refund a=2"]),
      ("\(address)Refund\n[{\"a\":1},\n{\"a\":2}]", ["2: Refund a=1", "3: Refund a=2"]),
      ("\(address)Refund\n\(address)Pay\n{\"a\":1}", ["3: a=1"]),
      ("{\"a\":\"\(address)Refund\"}", ["1: a=\(address)Refund"]),
      ("https://x.example/\n{\"a\":1}", ["1: !expected an object, one for each request", "2: a=1"]),
      (#"{"a":"\ud83d\ude00\u00e4"}"#, ["1: a=😀ä"]),
      ("{\"a\":1,}\n{\"a\":2}", ["1: !is not JSON; expected a name in quotes", "2: a=2"]),
      ("{\"a\":\n'x'}\n{\"a\":2}", ["2: !is not JSON; expected a value", "3: a=2"]),
      ("{\"a\":1\n{\"a\":2}", ["2: !is not JSON; expected a comma or a closing brace", "2: a=2"]),
      ("{\"a\":\"\n{\"a\":2}", ["1: !is not JSON; expected a control character to be escaped", "2: a=2"]),
      ("{\"a\":1", ["1: !\(cut(1))"]), ("{\n\"a\": tru", ["2: !\(cut(1))"]),
      ("{\"a\":2}\n{\"a", ["1: a=2", "2: !\(cut(2))"]),
      ("{\"a\":1 /* b }", ["1: !is not JSON; expected a comma or a closing brace"]),
      ("x\n{\"a\":2}", ["1: !expected an object, one for each request", "2: a=2"]),
      ("[{\"a\":1} {\"a\":2}]", ["1: a=1", "1: !expected a comma or a closing bracket after a request", "broken off"]),
      ("[{\"a\":1},]", ["1: a=1", "1: !expected an object, one for each request", "broken off"]),
      ("[{\"a\":1}\n ", ["1: a=1", "2: !\(cutArray)", "broken off"]),
      ("[{\"a\":1},\n", ["1: a=1", "2: !\(cutArray)", "broken off"]), ("[", ["1: !\(cutArray)", "broken off"]),
      ("[{\"a\":1},\n{\"a\":", ["1: a=1", "2: !\(cut(2))", "broken off"]),
      ("[{\"a\":1}]{}", ["1: a=1", "1: !expected the end of the file after the array of requests", "broken off"]),
      ("[1]", ["1: !expected an object, one for each request", "broken off"]),
    ])
  func texts(text: String, expected: [String]) {
    #expect(Self.read(text) == expected)
  }

  @Test("that are too long or too deep are faults")
  func limits() {
    let long = "{\"a\":\"" + String(repeating: "x", count: 1 << 20) + "\"}\n{\"b\":1}"
    #expect(Self.read(long) == ["1: !has more than 1048576 bytes", "2: b=1"])
    let deep = String(repeating: "{\"a\":", count: 65) + "1" + String(repeating: "}", count: 65)
    #expect(Self.read(deep) == ["1: !is not JSON; expected at most 64 levels"])
  }

  @Test("end the reading if too many are not JSON")
  func malformed() {
    let read = Self.read(String(repeating: "{\n", count: 100_000))
    #expect(read.count == Limits.malformedRequests + 1)
    #expect(read.last == "broken off")
  }
}
