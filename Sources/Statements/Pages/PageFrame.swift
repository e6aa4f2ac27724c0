import Documents
import ExactArithmetic
import Money
import Text

/// What all pages of statements have in common: the head, tables by currency, and the foot, in the words of a locale.
///
/// A page has no script and loads nothing. Texts from elsewhere are escaped, in elements that isolate their direction.
final class PageFrame {
  private(set) var locale: StatementLocale
  private let columns: [StatementWord]
  /// The columns' heads, escaped.
  private var heads: [String]
  /// The columns that have amounts.
  private let amounts: Range<Int>
  private var hasTable = false
  /// The most bytes of an amount, in both of its forms, that are never broken.
  private static let longest = 40
  private var digits = TextBuffer()
  private var shown = TextBuffer()

  /// - Parameters:
  ///   - columns: the words for the columns.
  ///   - amounts: those that have amounts, one after the other.
  init(_ locale: StatementLocale, columns: [StatementWord], amounts: Range<Int>) {
    (self.locale, self.columns, self.amounts) = (locale, columns, amounts)
    heads = columns.map { Self.escaped(locale.word($0)) }
  }

  /// Changes the locale of the pages that follow.
  func use(_ locale: StatementLocale) {
    guard locale.name != self.locale.name else { return }
    self.locale = locale
    heads = columns.map { Self.escaped(locale.word($0)) }
  }

  /// A word of the page, escaped.
  func word(_ word: StatementWord) -> String { Self.escaped(locale.word(word)) }

  /// Appends everything before the tables.
  ///
  /// - Parameters:
  ///   - name: the account's name, shown next to it; empty without one.
  ///   - address: the lines of its address, shown below.
  ///   - lines: what the page is about, such as the day: a word, and what the page shows.
  func begin(
    _ account: Span<UInt8>, name: String = "", address: [String] = [], _ lines: [(word: StatementWord, value: String)],
    to text: inout TextBuffer
  ) {
    hasTable = false
    let title = word(.statement)
    let beside =
      (name.isEmpty ? "" : " <bdi>\(Self.escaped(name))</bdi>")
      + address.map { "<br><bdi>\(Self.escaped($0))</bdi>" }.joined()
    text.append(
      """
      <!DOCTYPE html>
      <html lang="\(locale.tag)" dir="ltr"><head><meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title)</title>
      <style>
      @page { size: \(locale.paper) landscape; margin: 12mm; }
      \(String(decoding: PackageResources.statement_css, as: UTF8.self))</style></head>
      <body><h1>\(title)</h1>
      <dl><dt>\(word(.account))</dt><dd><bdi>\(Self.escaped(String(decoding: account)))</bdi>\(beside)</dd>
      \(lines.map { "<dt>\(word($0.word))</dt><dd>\($0.value)</dd>" }.joined(separator: "\n"))</dl>

      """)
  }

  /// Appends everything after the tables.
  func end(to text: inout TextBuffer) {
    if !hasTable { text.append("<p>\(word(.none))</p>\n") }
    text.append("<footer>\(word(.utc))</footer></body></html>\n")
  }

  func beginTable(_ currency: Currency, to text: inout TextBuffer) {
    hasTable = true
    text.append("<table><caption>\(currency.code)</caption><thead><tr>")
    for (place, head) in heads.enumerated() {
      text.append("<th scope=\"col\"\(amounts.contains(place) ? " class=\"amount\"" : "")>\(head)</th>")
    }
    text.append("</tr></thead><tbody>\n")
  }

  /// Ends the table with the sums of its first columns of amounts; a sum that is nil is left empty.
  func endTable(_ sums: [ExactDecimal?], to text: inout TextBuffer) {
    text.append("</tbody><tfoot><tr><th scope=\"row\" colspan=\"\(amounts.lowerBound)\">\(word(.total))</th>")
    for (place, sum) in sums.enumerated() { appendAmount(sum, amounts.lowerBound + place, to: &text) }
    text.append("<td colspan=\"\(heads.count - amounts.lowerBound - sums.count)\"></td></tr></tfoot></table>\n")
  }

  /// Appends a cell with markup.
  func appendCell(_ cell: String, _ place: Int, to text: inout TextBuffer) {
    begin("", place, to: &text)
    text.append(cell)
    text.append("</td>")
  }

  /// Appends a cell with a text from elsewhere.
  func appendText(_ own: String, _ place: Int, to text: inout TextBuffer) {
    appendTexts([own], place, to: &text)
  }

  /// Appends a cell with several of them.
  func appendTexts(_ own: [String], _ place: Int, to text: inout TextBuffer) {
    appendCell(own.map { "<bdi>\(Self.escaped($0))</bdi>" }.joined(separator: " "), place, to: &text)
  }

  /// Appends a cell with a date written as `YYYY-MM-DD`; an empty one if it is empty.
  func appendDate(_ date: String, _ place: Int, to text: inout TextBuffer) {
    appendCell(date.isEmpty ? "" : "<time datetime=\"\(date)\">\(locale.date(date))</time>", place, to: &text)
  }

  /// Appends a cell with an amount; an empty one if it is nil.
  func appendAmount(_ amount: ExactDecimal?, _ place: Int, to text: inout TextBuffer) {
    guard let amount else { return appendCell("", place, to: &text) }
    digits.removeAll()
    digits.append(amount)
    shown.removeAll()
    locale.append(digits, to: &shown)
    begin(digits.count + shown.count > Self.longest ? "long" : "amount", place, to: &text)
    text.append("<data value=\"")
    text.append(digits)
    text.append("\">")
    for at in 0..<shown.count {
      // The separator of thousands in one locale.
      if shown[at] == UInt8(ascii: "'") { text.append("&#39;") } else { text.append(shown[at]) }
    }
    text.append("</data></td>")
  }

  private func begin(_ kind: StaticString, _ place: Int, to text: inout TextBuffer) {
    text.append("<td")
    if kind.utf8CodeUnitCount > 0 {
      text.append(" class=\"")
      text.append(kind)
      text.append("\"")
    }
    text.append(" data-head=\"")
    text.append(heads[place])
    text.append("\">")
  }

  /// A text with markup characters escaped.
  private static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: "&<>\"'".utf8.contains) else { return text }
    let references: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"]
    return text.unicodeScalars.map { references[Character($0)] ?? String($0) }.joined()
  }
}
