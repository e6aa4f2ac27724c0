import ExactArithmetic
import Money
import Records
import Text

/// One account's statement as a page: the rows of the CSV statement in the reader's language, with a table for each
/// currency.
///
/// The page has no script and loads nothing. Texts from the batch are escaped, in elements that isolate their
/// direction.
struct StatementPage {
  private typealias Column = CSVRows.Column

  private let locale: StatementLocale
  private let day: UTCTime
  /// The column heads, escaped.
  private let heads: [String]
  /// The currency whose table is open, and the sums of its columns of amounts.
  private var table: (currency: UInt8, sums: [ExactDecimal])?

  private static let columns: [StatementWord] = [
    .date, .payment, .role, .counterparty, .gross, .passedOn, .fee, .net, .reference, .description,
  ]

  init(_ locale: StatementLocale, day: UTCTime) {
    self.locale = locale
    self.day = day
    heads = Self.columns.map { Self.escaped(locale.word($0)) }
  }

  /// Appends everything before the tables.
  mutating func begin(_ account: UnsafeBufferPointer<UInt8>, to text: inout TextBuffer) {
    table = nil
    let title = word(.statement)
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
      <dl><dt>\(word(.account))</dt><dd><bdi>\(Self.escaped(String(decoding: account, as: UTF8.self)))</bdi></dd>
      <dt>\(word(.day))</dt><dd>\(locale.date(TextBuffer.string { $0.append(dayOf: day, "-") }))</dd></dl>

      """)
  }

  /// Appends a row. Rows of one currency must come one after the other.
  mutating func append(_ line: StatementLine, to text: inout TextBuffer) {
    let fields = line.text.split(separator: CSVRows.mark, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    if table?.currency != line.currency.index { beginTable(line.currency, &text) }
    func field(_ column: Column) -> String { fields[column.rawValue] }
    func own(_ column: Column) -> String { "<bdi>\(Self.escaped(field(column)))</bdi>" }
    let createdAt = field(.createdAt)
    let roles: [String: StatementWord] = ["PRIMARY": .primary, "SECONDARY": .secondary]
    let role = field(.refundKey).isEmpty ? roles[field(.role)] ?? .receiver : .refund
    let amounts = CSVRows.amounts.map(field)
    for (place, amount) in amounts.enumerated() {
      guard let figure = ExactDecimal(amount) else { preconditionFailure("a text that is not an amount") }
      table?.sums[place].add(figure)
    }
    let cells =
      [createdAt.isEmpty ? "" : time(String(createdAt.prefix(10))), own(.payKey), word(role), own(.counterparty)]
      + amounts.map(data) + [own(.customId), own(.description)]
    text.append("<tr>")
    for (head, cell) in zip(heads, cells) { appendCell(cell, head, to: &text) }
    text.append("</tr>\n")
  }

  /// Appends everything after the rows.
  mutating func end(to text: inout TextBuffer) {
    if table == nil { text.append("<p>\(word(.none))</p>\n") }
    endTable(&text)
    text.append("<footer>\(word(.utc))</footer></body></html>\n")
  }

  private mutating func beginTable(_ currency: Currency, _ text: inout TextBuffer) {
    endTable(&text)
    table = (currency.index, CSVRows.amounts.map { _ in ExactDecimal.zero(at: -currency.settlementExponent) })
    text.append("<table><caption>\(currency.code)</caption><thead><tr>")
    for head in heads { text.append("<th scope=\"col\">\(head)</th>") }
    text.append("</tr></thead><tbody>\n")
  }

  private mutating func endTable(_ text: inout TextBuffer) {
    guard let sums = table?.sums else { return }
    table = nil
    text.append("</tbody><tfoot><tr><th scope=\"row\" colspan=\"4\">\(word(.total))</th>")
    for (head, sum) in zip(heads.dropFirst(4), sums) { appendCell(data(sum.description), head, to: &text) }
    text.append("<td colspan=\"2\"></td></tr></tfoot></table>\n")
  }

  /// An amount of up to this number of characters is never broken.
  private static let longest = 20

  private func appendCell(_ cell: String, _ head: String, to text: inout TextBuffer) {
    let kind =
      cell.hasPrefix("<data") ? cell.utf8.count > 2 * Self.longest + 22 ? " class=\"long\"" : " class=\"amount\"" : ""
    text.append("<td\(kind) data-head=\"\(head)\">\(cell)</td>")
  }

  private func word(_ word: StatementWord) -> String { Self.escaped(locale.word(word)) }

  private func time(_ date: String) -> String { "<time datetime=\"\(date)\">\(locale.date(date))</time>" }

  private func data(_ amount: String) -> String {
    "<data value=\"\(amount)\">\(Self.escaped(locale.amount(amount)))</data>"
  }

  /// A text with markup characters escaped.
  private static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: "&<>\"'".utf8.contains) else { return text }
    let references: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"]
    return text.unicodeScalars.map { references[Character($0)] ?? String($0) }.joined()
  }
}
