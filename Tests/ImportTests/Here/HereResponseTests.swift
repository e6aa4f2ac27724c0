import Import
import Testing

@Suite("What PayPal Here calls back")
struct HereResponseTests {
  private static let told: [HereValue: String] = [.type: "SWIPE", .tip: "1", .email: "ann+é@mail.example"]

  @Test(
    "is the return URL with its values",
    arguments: [
      ("a:b?t={Type}&n={Number}&g={GrandTotal}", "a:b?t=SWIPE&n=n%201&g=3.00", "a:b?t=Unknown"),
      ("a:/{result}?e={Email}&&x", "a:?e=ann%2B%C3%A9%40mail.example&&x", "a:?x&Type=Unknown"),
      ("a:?{result}?x=1{Tip}{Type}", "a:?x=11SWIPE", "a:?Type=Unknown"),
      ("a:?{result}x={TxId}", "a:?x=", "a:?Type=Unknown"),
      ("a:{result}/ü b\u{7F}{what}", "a:/%C3%BC%20b%7F{what}", nil),
      ("a:b#c?d={Tip}", "a:b#c?d=1", "a:b?Type=Unknown#c?d="), ("a:b?#c", "a:b?#c", "a:b?Type=Unknown#c"),
      ("a:{Type}?x={Tip{Type}}", "a:SWIPE?x={TipSWIPE}", "a:Unknown?x={TipUnknown}"),
      ("a:b?c?x={Tip}&y=%20", "a:b?c?x=1&y=%20", "a:b?c?y=%20&Type=Unknown"),
    ] as [(String, String, String?)])
  func responses(returnURL: String, paid: String, cancelled: String?) {
    let url = HereExample("invoice.number=\"n 1\" | returnUrl=" + returnURL).line
    func response(_ told: [HereValue: String]?) -> String? {
      HereResponse.one(for: url.utf8, told) { Issue.record("\($0)") }.map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(response(Self.told) == paid)
    #expect(response(nil) == cancelled ?? "a:/%C3%BC%20b%7F{what}?Type=Unknown")
  }

  @Test("is nothing if none is asked for, and errors if the URL is wrong")
  func others() {
    var findings: [RequestFinding] = []
    var responses: [String] = []
    let lines = ["", "step=x", "returnUrl=a:?t={Type}"].map { HereExample($0).line }
    HereResponse.read(Array(lines.joined(separator: "\n").utf8), nil, tell: { findings.append($0) }) {
      responses.append(String(decoding: $0, as: UTF8.self))
    }
    #expect(responses == ["", "a:?t=Unknown"])
    #expect(findings.map { "\($0.line) \($0.field)" } == ["2 step"])
  }
}
