import Testing

@Suite("Addresses for notifications")
struct NotificationURLTests {
  static let takesExamples: [String] = [
    "http://a", "https://a", "https://example.com", "https://example.com/", "https://example.com/ipn?a=b#c", "http://.",
    "http://-", "http://a.b-c.d",
    "https://example.com?x", "https://example.com#x", "https://example.com:1", "https://example.com:12345",
    "https://example.com:00000/", "https://a:99999?",
    "https://a/!~\"<>\\^`{|}", "http://A.B", "http://1.2.3.4:80/x", "https://a//b@c:d", "http://a/%zz",
  ]

  @Test("addresses", arguments: takesExamples)
  func takes(text: String) {
    #expect(Judged.url(text))
  }

  static let refusesExamples: [String] = [
    "", "h", "http", "http:", "http:/", "http://", "https://", "httpss://a", "ftp://a", "HTTP://a", "Http://a",
    "https//a", "https:a", "//a", "a", "http:///a", " http://a", "http://a ",
    "http://a:", "http://a:/", "http://a:123456", "http://a:1a", "http://a:1:2", "http://:80", "http://a_b",
    "http://user@a", "http://[::1]", "http://a/b c", "http://a/é", "http://é",
    "http://a\\b", "http://a/\t", "http://a/\u{7F}", "http://a\u{0}", "http://a;b", "http://a,b", "http://a:８０",
    "s://a", "httpx://a", "http://?x", "http://#x", "http:// a",
  ]

  @Test("texts that are not addresses", arguments: refusesExamples)
  func refuses(text: String) {
    #expect(!Judged.url(text))
  }

  @Test("characters of a host, and of what follows it")
  func characters() {
    #expect(
      Characters.taken { Judged.url("http://" + $0) }
        == "-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    let visible = Characters.ascii[0x21...0x7E].joined()
    for mark in ["/", "?", "#"] {
      #expect(Characters.taken { Judged.url("http://a\(mark)" + $0) } == visible)
      #expect(Characters.taken { Judged.url("http://a:80\(mark)x" + $0 + "x") } == visible)
    }
    #expect(Characters.taken { Judged.url("http://a:" + $0) } == "0123456789")
    #expect(Characters.taken { Judged.url("http" + $0 + "://a") } == "s")
  }

  @Test("at most 1024 characters", arguments: [(1023, true), (1024, true), (1025, false), (100_000, false)])
  func lengths(count: Int, isValid: Bool) {
    for start in ["http://", "https://a/", "https://a:80?"] {
      #expect(Judged.url(start + String(repeating: "a", count: count - start.utf8.count)) == isValid)
    }
  }

  @Test("a port has 1 to 5 digits", arguments: 0...7)
  func ports(count: Int) {
    for end in ["", "/", "?x", "#"] {
      #expect(Judged.url("http://a:" + String(repeating: "9", count: count) + end) == (1...5).contains(count))
    }
  }
}
