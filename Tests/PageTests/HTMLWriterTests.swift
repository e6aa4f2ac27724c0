import Testing

@testable import Page

@Suite("HTML that no text can break")
struct HTMLWriterTests {
  /// The HTML after the document type.
  private static func written(_ write: (HTMLWriter) -> Void) -> String {
    let html = HTMLWriter()
    write(html)
    return String(decoding: html.bytes.dropFirst("<!DOCTYPE html>\n".utf8.count), as: UTF8.self)
  }

  static let escaped: [(text: String, written: String)] = [
    ("", ""),
    ("a < b > c & d", "a &lt; b &gt; c &amp; d"),
    ("\"quoted\" 'so'", "&quot;quoted&quot; &#39;so&#39;"),
    ("</script><script>alert(1)</script>", "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"),
    ("<!-- ]]> -->", "&lt;!-- ]]&gt; --&gt;"),
    ("&amp; &#60;", "&amp;amp; &amp;#60;"),
    ("é 日本 😀", "é 日本 😀"),
  ]

  @Test("texts are escaped, in elements and in attributes", arguments: escaped)
  func escaping(text: String, written: String) {
    #expect(Self.written { $0.element("p", text: text) } == "<p>\(written)</p>")
    #expect(Self.written { $0.element("p", ["title": text]) } == "<p title=\"\(written)\"></p>")
    // A text that may be broken after a mark is the same text except for the break opportunities.
    #expect(Self.written { $0.breakable(text) }.replacing("<wbr>", with: "") == written)
  }

  @Test("an element is closed after its contents; some have no end tag")
  func elements() {
    let page = Self.written { html in
      html.element("ul", ["class": "a", "id": "b"]) {
        html.element("li", text: "1")
        html.element("li") { html.element("input", ["type": "search"]) }
      }
    }
    #expect(page == #"<ul class="a" id="b"><li>1</li><li><input type="search"></li></ul>"#)
  }

  static let foreign: [(text: String, written: String)] = [
    ("plain", "<bdi>plain</bdi>"),
    ("a\u{202E}b", #"<bdi>a<bdi class="unseen" title="U+202E">&#x202E;</bdi>b</bdi>"#),
    ("\u{2028}", #"<bdi><bdi class="unseen" title="U+2028">&#x2028;</bdi></bdi>"#),
    ("\u{FEFF}\u{200D}", ["FEFF", "200D"].map { #"<bdi class="unseen" title="U+\#($0)">&#x\#($0);</bdi>"# }.joined()),
    ("\u{AD}", #"<bdi><bdi class="unseen" title="U+00AD">&#xAD;</bdi></bdi>"#),
    ("\u{E0041}", #"<bdi><bdi class="unseen" title="U+E0041">&#xE0041;</bdi></bdi>"#),
    // HTML cannot represent a control character.
    (
      "\u{0}\u{1B}\u{85}",
      ["0000", "001B", "0085"].map { #"<bdi class="unseen" title="U+\#($0)">&#xFFFD;</bdi>"# }.joined()
    ),
    ("a@b/c_d", "<bdi>a@<wbr>b/<wbr>c_<wbr>d</bdi>"),
    ("ends/", "<bdi>ends/</bdi>"),
    ("مرحبا e\u{301}", "<bdi>مرحبا e\u{301}</bdi>"),
  ]

  @Test("a text of a batch is isolated, and its invisible characters are shown", arguments: foreign)
  func foreignText(text: String, written: String) {
    let expected = written.hasPrefix("<bdi>") ? written : "<bdi>\(written)</bdi>"
    #expect(Self.written { $0.foreign(text) } == expected)
  }

  @Test("counts in a sentence are grouped like figures, numbers in names are not")
  func sentence() {
    let grouped = #"<data value="12345">12<span>345</span></data> &lt; 999 of SHA256SUMS, "#
    let last = #"<data value="1000">1<span>000</span></data>"#
    #expect(Self.written { $0.sentence("12345 < 999 of SHA256SUMS, 1000") } == grouped + last)
  }

  static let figures: [(figure: String, inside: String)] = [
    ("0", "0"), ("999", "999"), ("1000", "1<span>000</span>"), ("-1500.00", "-1<span>500.00</span>"),
    ("25.00", "25.00"), ("0.12345", "0.12345"), ("100000", "100<span>000</span>"),
    ("1234567.89", "1<span>234</span><span>567.89</span>"),
    ("123456789012.34", "123<span>456</span><span>789</span><span>012.34</span>"),
  ]

  @Test("a figure is the report's text, with digits grouped only by elements", arguments: figures)
  func figure(figure: String, inside: String) {
    #expect(Self.written { $0.figure(figure) } == "<data value=\"\(figure)\">\(inside)</data>")
  }

  @Test("a long figure breaks between groups", arguments: ["9999999999999.99", String(repeating: "9", count: 40)])
  func longFigure(figure: String) {
    let (whole, decimals) = figure.contains(".") ? (13, ".99") : (40, "")
    let groups = Array(repeating: "<wbr><span>999", count: whole / 3).joined(separator: "</span>")
    let expected = "<data class=\"long\" value=\"\(figure)\">9\(groups)\(decimals)</span></data>"
    #expect(Self.written { $0.figure(figure) } == expected)
  }
}
