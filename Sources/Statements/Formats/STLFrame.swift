import ExactArithmetic
import Money
import Records
import Text

/// The rows before and after the `SB` rows of a Settlement Report.
enum STLFrame {
  /// The name of every file; each is in a folder of its own.
  static func fileName(_ day: UTCTime) -> String {
    "STL-\(TextBuffer.string { $0.append(dayOf: day, "") }).01.009.CSV"
  }

  /// Appends the byte order mark and the rows `RH`, `FH`, `SH` and `CH`.
  ///
  /// The generation date is the last second of the day, so that the report is the same whenever it is made.
  static func appendHead(account: Span<UInt8>, day: UTCTime, to text: inout TextBuffer) {
    let (name, first, last) = (String(decoding: account), day.dayStart.stl, day.dayEnd.stl)
    text.append("\u{FEFF}\"RH\",\(last),\"A\",\"\(name)\",009,\n\"FH\",01\n")
    text.append("\"SH\",\(first),\(last),\"\(name)\",\"\"\n")
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
    text.append("\"\(type)\",\(count)\n")
  }

  private static func appendTotals(_ sums: SectionSums, type: StaticString, to text: inout TextBuffer) {
    func implied(_ amount: ExactDecimal) -> String { TextBuffer.string { $0.append(implied: amount) } }
    for currency in Currency.all {
      guard let sum = sums[currency] else { continue }
      let balance = sum.credits - sum.debits + sum.feeCredits - sum.feeDebits
      let side = balance.isNegative ? "DR" : "CR"
      let available = ",\"CR\",0,\"\(side)\",\(implied(balance.isNegative ? -balance : balance))"
      text.append("\"\(type)\",\"\(currency.code)\",\(implied(sum.credits)),\(implied(sum.debits)),")
      text.append(
        "\(implied(sum.feeCredits)),\(implied(sum.feeDebits))\(available)\(available)\(available),\(sums.rows)\n")
    }
  }
}

/// The sums of the rows of one account's statement.
struct SectionSums {
  /// Sums in one currency, each zero or more.
  struct Sum {
    var credits: ExactDecimal
    var debits: ExactDecimal
    var feeCredits: ExactDecimal
    var feeDebits: ExactDecimal
  }

  /// The number of rows in all currencies.
  private(set) var rows = 0
  private var sums = [Sum?](repeating: nil, count: Currency.count)

  /// The sums of a currency's rows; nil if it has no rows.
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
    if sums[index] == nil {
      sums[index] = Sum(credits: zero, debits: zero, feeCredits: zero, feeDebits: zero)
    }
    let (gross, fee) = line.figures
    if line.head.flags.contains(.isDebit) {
      sums[index]?.debits.add(gross)
    } else {
      sums[index]?.credits.add(gross)
    }
    if line.head.flags.contains(.isFeeCredit) {
      sums[index]?.feeCredits.add(fee)
    } else {
      sums[index]?.feeDebits.add(fee)
    }
  }
}
