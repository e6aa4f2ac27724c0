import ExactArithmetic
import Money
import Records
import Text

/// Reads a terms file (`free.md`, Terms).
final class TermsFile: RecordFile {
  /// The columns, in their order.
  enum Column: Int, CaseIterable {
    case account, currency, from, delay_days, reserve_percent, reserve_days, minimum_balance
  }

  static let columns = Column.allCases.map { "\($0)" }
  static let headerFault = InputFault.Code.termsHeader

  let terms = Terms()
  private(set) var faults = InputFaults()

  init() {}

  func note(_ fault: InputFault) { faults.add(fault) }

  func read(_ record: borrowing CSVRecord, line: Int) {
    func expect(
      _ column: Column, _ field: Span<UInt8>, _ isValid: Bool, _ code: InputFault.Code,
      _ detail: InputFault.Detail = .none
    ) {
      if isValid { return }
      let fault = field.isEmpty ? InputFault.Code.missingField : code
      note(InputFault(line: line, column: column.rawValue, code: fault, detail: field.isEmpty ? .none : detail))
    }
    func field(_ column: Column) -> Int { column.rawValue }
    let isForAll = record[field(.account)].isEqual(to: Terms.all.span)
    let account = isForAll ? Terms.all : Account.canonical([UInt8](record[field(.account)]))
    expect(.account, record[field(.account)], account != nil, .invalidAccount, .terms)
    let currency = Currency.find(record[field(.currency)])
    expect(.currency, record[field(.currency)], currency != nil, .currencyNotSupported)
    let from = Self.day(record[field(.from)])
    expect(.from, record[field(.from)], from != nil, .invalidValue)
    let delay = Self.days(record[field(.delay_days)])
    expect(.delay_days, record[field(.delay_days)], delay != nil, .invalidValue)
    let (hasPercent, hasDays) = (!record[field(.reserve_percent)].isEmpty, !record[field(.reserve_days)].isEmpty)
    let percent = Self.hundredths(record[field(.reserve_percent)])
    expect(.reserve_percent, record[field(.reserve_percent)], percent != nil && (hasPercent || !hasDays), .invalidValue)
    let days = Self.days(record[field(.reserve_days)])
    expect(.reserve_days, record[field(.reserve_days)], days != nil && (hasDays || !hasPercent), .invalidValue)
    let minimum = Self.minimum(record[field(.minimum_balance)], currency)
    expect(.minimum_balance, record[field(.minimum_balance)], minimum != nil, .invalidAmount, .terms)
    guard let account, let currency, let from else { return }
    // A later line may still repeat a faulty one.
    terms.append(
      account, currency, from: from, delay: delay ?? 0, percent: percent ?? 0, reserveDays: days ?? 0,
      minimum: minimum ?? .zero, line: line)
  }

  /// Checks what depends on all lines.
  func finish() {
    terms.sort { note(InputFault(line: $0, column: Column.from.rawValue, code: .duplicateTerms)) }
  }

  // MARK: Fields

  private static func day(_ field: Span<UInt8>) -> CalendarDay? {
    let text = String(decoding: field)
    return CalendarDay.ofLedgers ~= text ? CalendarDay(text) : nil
  }

  private static let mostDays = 365

  /// Days, 0 if the field is empty; nil if it is neither.
  private static func days(_ field: Span<UInt8>) -> Int? {
    if field.isEmpty { return 0 }
    return number(field).flatMap { $0 <= mostDays ? $0 : nil }
  }

  /// A number without leading zeros; nil for any other text, and for one that is far too large.
  private static func number(_ text: Span<UInt8>) -> Int? {
    guard 1...3 ~= text.count, text.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else { return nil }
    return text.count > 1 && text[0] == UInt8(ascii: "0") ? nil : Int(String(decoding: text))
  }

  /// Hundredths of a per cent, 0 if the field is empty; nil if it is neither.
  private static func hundredths(_ field: Span<UInt8>) -> Int? {
    if field.isEmpty { return 0 }
    let point = field.place(of: UInt8(ascii: "."), from: 0)
    guard let whole = number(field.extracting(first: point ?? field.count)) else { return nil }
    var digits = point.map { [UInt8](field.extracting(droppingFirst: $0 + 1)) } ?? [UInt8(ascii: "0")]
    guard 1...2 ~= digits.count, digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else { return nil }
    if digits.count == 1 { digits.append(UInt8(ascii: "0")) }
    let hundredths = 100 * whole + Int(String(decoding: digits, as: UTF8.self))!
    return hundredths <= 10_000 ? hundredths : nil
  }

  /// What stays, with the currency's decimals, 0 if the field is empty; nil if it is not such an amount.
  private static func minimum(_ field: Span<UInt8>, _ currency: Currency?) -> ExactDecimal? {
    let zero = ExactDecimal.zero(at: -(currency?.settlementExponent ?? 0))
    if field.isEmpty { return zero }
    guard field[0] != UInt8(ascii: "-"), let amount = DecimalLimits.decimal([UInt8](field)) else { return nil }
    guard let currency, !amount.isZero else { return zero }
    return amount.exact(at: -currency.settlementExponent)
  }
}
