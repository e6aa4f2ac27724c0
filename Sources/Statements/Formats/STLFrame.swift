import ExactArithmetic
import Input
import Money
import Records
import Text

/// What stands before and behind the `SB` rows of a Settlement Report.
enum STLFrame {
  /// The name of every file; each stands in a folder of its own.
  static func fileName(_ day: UTCTime) -> String {
    "STL-\(TextBuffer.string { $0.append(dayOf: day, "") }).01.009.CSV"
  }

  /// Appends the byte order mark and the rows `RH`, `FH`, `SH` and `CH`.
  ///
  /// The report is said to be made in the last second of its day, so that it is the same whenever it is made.
  static func appendHead(account: UnsafeBufferPointer<UInt8>, day: UTCTime, to text: inout TextBuffer) {
    guard let start = account.baseAddress else { preconditionFailure("an account without a name") }
    text.append("\u{FEFF}\"RH\",")
    text.append(stl: day.dayEnd)
    text.append(",\"A\",\"")
    text.append(start, count: account.count)
    text.append("\",009,\n\"FH\",01\n\"SH\",")
    text.append(stl: day.dayStart)
    text.append(UInt8(ascii: ","))
    text.append(stl: day.dayEnd)
    text.append(",\"")
    text.append(start, count: account.count)
    text.append("\",\"\"\n")
    text.append(
      """
      "CH","Transaction ID","Invoice ID","PayPal Reference ID","PayPal Reference ID Type","Transaction Event Code",\
      "Transaction Initiation Date","Transaction Completion Date","Transaction Debit or Credit",\
      "Gross Transaction Amount","Gross Transaction Currency","Fee Debit or Credit","Fee Amount","Fee Currency",\
      "Custom Field","Consumer ID","Payment Tracking ID","Store ID","Bank Reference ID","Credit Transactional Fee",\
      "Credit Promotional Fee","Credit Term"

      """)
  }

  /// Appends the rows `SF`, `SC`, `RF`, `RC` and `FF`.
  static func appendEnd(_ sums: SectionSums, to text: inout TextBuffer) {
    appendTotals(sums, type: "SF", to: &text)
    appendCount(sums.rows, type: "SC", to: &text)
    appendTotals(sums, type: "RF", to: &text)
    appendCount(sums.rows, type: "RC", to: &text)
    appendCount(sums.rows, type: "FF", to: &text)
  }

  private static func appendCount(_ count: Int, type: StaticString, to text: inout TextBuffer) {
    text.append(UInt8(ascii: "\""))
    text.append(type)
    text.append("\",")
    text.append(number: count)
    text.append(UInt8(ascii: "\n"))
  }

  private static func appendTotals(_ sums: SectionSums, type: StaticString, to text: inout TextBuffer) {
    for currency in Currency.all {
      guard let sum = sums[currency] else { continue }
      text.append(UInt8(ascii: "\""))
      text.append(type)
      text.append("\",\"")
      text.append(currency.code)
      text.append("\",")
      text.append(implied: sum.credits)
      text.append(UInt8(ascii: ","))
      text.append(implied: sum.debits)
      text.append(",0,")
      text.append(implied: sum.fees)
      let balance = sum.credits - sum.debits - sum.fees
      for _ in 0..<3 {
        text.append(",\"CR\",0,")
        text.append(balance.isNegative ? "\"DR\"," : "\"CR\",")
        text.append(implied: balance.isNegative ? -balance : balance)
      }
      text.append(UInt8(ascii: ","))
      text.append(number: sums.rows)
      text.append(UInt8(ascii: "\n"))
    }
  }
}

/// What the rows of one account's statement sum to.
struct SectionSums {
  /// In one currency, each zero or more.
  struct Sum {
    var credits: ExactDecimal
    var debits: ExactDecimal
    var fees: ExactDecimal
  }

  /// The rows of all currencies.
  private(set) var rows = 0
  private var sums = [Sum?](repeating: nil, count: Currency.count)

  /// What the rows of a currency sum to; nil where there are none.
  subscript(_ currency: Currency) -> Sum? { sums[Int(currency.index)] }

  mutating func reset() {
    rows = 0
    for index in sums.indices { sums[index] = nil }
  }

  mutating func add(_ line: StatementLine) {
    rows += 1
    let currency = line.currency
    let zero = ExactDecimal(magnitude: 0, exponent: -currency.settlementExponent)
    let index = Int(currency.index)
    if sums[index] == nil { sums[index] = Sum(credits: zero, debits: zero, fees: zero) }
    let (gross, fee) = line.figures
    if line.head.flags.contains(.isDebit) {
      sums[index]?.debits.add(gross)
    } else {
      sums[index]?.credits.add(gross)
    }
    sums[index]?.fees.add(fee)
  }
}
