import Documents
import ExactArithmetic
import Money
import Records
import Text

/// One account's statement as a page: the rows of the CSV statement in the reader's language, with a table for each
/// currency.
struct StatementPage {
  private typealias Column = CSVRows.Column

  private let day: UTCTime
  private let frame: PageFrame
  /// The currency whose table is open, and the sums of its columns of amounts.
  private var table: (currency: UInt8, sums: [ExactDecimal])?

  private static let columns: [StatementWord] = [
    .date, .payment, .role, .counterparty, .gross, .passedOn, .fee, .net, .reference, .description,
  ]

  init(_ locale: StatementLocale, day: UTCTime) {
    self.day = day
    frame = PageFrame(locale, columns: Self.columns, amounts: 4..<8)
  }

  /// Appends everything before the tables.
  ///
  /// - Parameter name: the account's name, shown next to it; empty without one.
  mutating func begin(_ account: Span<UInt8>, name: String, to text: inout TextBuffer) {
    table = nil
    frame.begin(
      account, name: name, [(.day, frame.locale.date(TextBuffer.string { $0.append(dayOf: day, "-") }))], to: &text)
  }

  /// Appends a row. Rows of one currency must come one after the other.
  mutating func append(_ line: StatementLine, to text: inout TextBuffer) {
    let fields = Self.fields(line)
    if table?.currency != line.currency.index { beginTable(line.currency, &text) }
    func field(_ column: Column) -> String { fields[column.rawValue] }
    let roles: [String: StatementWord] = ["PRIMARY": .primary, "SECONDARY": .secondary]
    let role = field(.refundKey).isEmpty ? roles[field(.role)] ?? .receiver : .refund
    text.append("<tr>")
    frame.appendDate(String(field(.createdAt).prefix(10)), 0, to: &text)
    frame.appendText(field(.payKey), 1, to: &text)
    frame.appendCell(frame.word(role), 2, to: &text)
    frame.appendText(field(.counterparty), 3, to: &text)
    for (place, column) in CSVRows.amounts.enumerated() {
      guard let figure = ExactDecimal(field(column)) else { preconditionFailure("a text that is not an amount") }
      table?.sums[place].add(figure)
      frame.appendAmount(figure, 4 + place, to: &text)
    }
    frame.appendText(field(.customId), 8, to: &text)
    frame.appendText(field(.description), 9, to: &text)
    text.append("</tr>\n")
  }

  /// The merchant's name in a row; empty if the payment does not give it.
  static func merchantName(of line: StatementLine) -> String { fields(line)[Column.merchantName.rawValue] }

  private static func fields(_ line: StatementLine) -> [String] {
    [UInt8](line.text).split(separator: CSVRows.mark, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Appends everything after the rows.
  mutating func end(to text: inout TextBuffer) {
    endTable(&text)
    frame.end(to: &text)
  }

  private mutating func beginTable(_ currency: Currency, _ text: inout TextBuffer) {
    endTable(&text)
    table = (currency.index, CSVRows.amounts.map { _ in ExactDecimal.zero(at: -currency.settlementExponent) })
    frame.beginTable(currency, to: &text)
  }

  private mutating func endTable(_ text: inout TextBuffer) {
    guard let sums = table?.sums else { return }
    table = nil
    frame.endTable(sums, to: &text)
  }
}
