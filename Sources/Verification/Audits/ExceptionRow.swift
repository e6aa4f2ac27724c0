import ExactArithmetic
import Glibc
import Money
import Payments
import Settlement

/// One row of `exceptions.csv`, read: an error of a rejected record, or a pending or held payment.
package struct ExceptionRow: ~Copyable {
  private enum Column: Int {
    case file, line, offset, payKey, outcome, code, field, currency, amount, payPalErrorID, message
  }
  /// Why a field is none.
  package struct Fault: Error {
    /// The field's column, from 0.
    package let column: Int
    /// What is wrong, in words; no text of the row in it.
    package let reason: String
  }

  private var row = ReportRow()
  /// Fields without their quotes; they are no longer than a line.
  private let unquoted = UnsafeMutablePointer<UInt8>.allocate(capacity: 2 * ReportLines.maximumLength)
  private var unquotedCount = 0

  /// The name of the record's file, without its quotes.
  package private(set) var file = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// The record's line in the file, from 1.
  package private(set) var line = 0
  /// The record's first byte in the file's text, from 0.
  package private(set) var offset = 0
  /// The record's pay key; empty where it has none that is valid.
  package private(set) var payKey = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// What became of the record: rejected, pending or held.
  package private(set) var outcome = Outcome.rejected
  /// The error; nil for a pending or held payment.
  package private(set) var reason: RejectionReason?
  /// The JSON Pointer of the field that is meant; empty where it is the record as a whole.
  package private(set) var field = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// The record's control amount; nil where it has none.
  package private(set) var control: (currency: Currency, amount: ExactDecimal)?
  /// What is said of it, without its quotes.
  package private(set) var message = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

  /// Room for a row; its fields are good until the next is split.
  package init() {}

  deinit { unquoted.deallocate() }

  /// What stands in a column.
  func text(_ column: Int) -> UnsafeBufferPointer<UInt8> { row[column] }

  /// Splits a line; false where it has not as many fields as the report.
  package mutating func split(_ line: UnsafePointer<UInt8>, count: Int) -> Bool {
    row.split(line, count: count)
    unquotedCount = 0
    return row.count == ReportColumns.exceptions.names.count
  }

  /// Reads the fields of the line that was split.
  package mutating func read() throws(Fault) {
    file = try text(.file)
    guard !file.isEmpty else { throw fault(.file, "a row has the name of its file") }
    guard let line = ReportField.count(row[Column.line.rawValue]), line >= 1 else {
      throw fault(.line, "lines are numbered from 1")
    }
    guard let offset = ReportField.count(row[Column.offset.rawValue]), offset >= line - 1 else {
      throw fault(.offset, "an offset is a number of bytes, one at least for each line before")
    }
    self.line = line
    self.offset = offset
    payKey = row[Column.payKey.rawValue]
    guard payKey.isEmpty || ReportField.isPayKey(payKey) else { throw fault(.payKey, "no pay key") }
    try readFinding()
    try readControlAmount()
    try readMessage()
  }

  private mutating func readFinding() throws(Fault) {
    let outcomes: [Outcome] = [.rejected, .pending, .held]
    guard let outcome = outcomes.first(where: { `is`($0.name, .outcome) }) else {
      throw fault(.outcome, "an outcome is REJECTED, PENDING or HELD")
    }
    self.outcome = outcome
    field = row[Column.field.rawValue]
    if outcome == .rejected {
      reason = RejectionReason.allCases.first { `is`($0.code, .code) }
      guard let reason else { throw fault(.code, "no code of the error table") }
      guard field.isEmpty == (reason.isStructural || reason == .paymentShape) else {
        throw fault(.field, "errors of the record as a whole have no field, others have one")
      }
      guard !reason.isStructural || payKey.isEmpty else { throw fault(.payKey, "no pay key with a structural error") }
      guard !payKey.isEmpty || reason < .duplicatePayKey else {
        throw fault(.payKey, "an error of the pay key has one")
      }
      let identifier = reason.payPalErrorID.map { "\($0)" } ?? ""
      guard row[Column.payPalErrorID.rawValue].elementsEqual(identifier.utf8) else {
        throw fault(.payPalErrorID, "the code's is \(identifier.isEmpty ? "none" : identifier)")
      }
    } else {
      reason = nil
      let status = outcome == .pending ? PaymentStatus.created : .other
      guard `is`(status.spelling, .code) else { throw fault(.code, "a \(outcome.name) payment has \(status.name)") }
      guard `is`("/status", .field) else { throw fault(.field, "a \(outcome.name) payment points to /status") }
      guard !payKey.isEmpty else { throw fault(.payKey, "a \(outcome.name) payment has a pay key") }
      guard row[Column.payPalErrorID.rawValue].isEmpty else { throw fault(.payPalErrorID, "there is no error") }
    }
    guard field.allSatisfy({ ASCIIClass.of($0) & ASCIIClass.alphanumeric != 0 || $0 == UInt8(ascii: "/") }) else {
      throw fault(.field, "a field is a JSON Pointer of the fields of a payment")
    }
  }

  private mutating func readControlAmount() throws(Fault) {
    control = nil
    let code = row[Column.currency.rawValue]
    let amount = row[Column.amount.rawValue]
    if code.isEmpty, amount.isEmpty {
      guard outcome == .rejected else { throw fault(.amount, "a \(outcome.name) payment has an amount") }
      return
    }
    guard let currency = ReportField.currency(code) else { throw fault(.currency, "a currency is one of the 24 codes") }
    // A record without receivers has a control amount, too: zero.
    guard let value = ReportField.amount(amount, currency), !value.isNegative, !value.isZero || outcome == .rejected
    else {
      throw fault(
        .amount, "no amount of such a record in \(currency.code), with \(currency.settlementExponent) decimals")
    }
    guard reason?.isStructural != true else { throw fault(.amount, "no amount can be told with a structural error") }
    control = (currency, value)
  }

  private mutating func readMessage() throws(Fault) {
    message = try text(.message)
    guard !message.isEmpty else { throw fault(.message, "every row says what is wrong") }
    for (index, byte) in message.enumerated() {
      let isWide = byte == 0xC2 && index + 1 < message.count && message[index + 1] < 0xA0
      if byte < 0x20 || byte == 0x7F || isWide { throw fault(.message, "has a control character") }
    }
  }

  /// The run that settled the pay key, as the message tells: `run 7 settled ...`; nil where it tells none.
  var earlierRun: Int? {
    let start = Array("run ".utf8)
    guard reason == .alreadySettled, message.starts(with: start) else { return nil }
    let digits = UnsafeBufferPointer(rebasing: message.dropFirst(start.count).prefix { $0 != UInt8(ascii: " ") })
    return ReportField.count(digits)
  }

  // MARK: Fields

  private func `is`(_ text: StaticString, _ column: Column) -> Bool {
    let field = row[column.rawValue]
    guard let start = field.baseAddress else { return false }
    return text.matches(start, count: field.count)
  }

  private func fault(_ column: Column, _ reason: String) -> Fault { Fault(column: column.rawValue, reason: reason) }

  /// A field that may need quotes, without them.
  private mutating func text(_ column: Column) throws(Fault) -> UnsafeBufferPointer<UInt8> {
    let field = row[column.rawValue]
    guard field.first == UInt8(ascii: "\"") else {
      guard !field.contains(UInt8(ascii: "\"")) else { throw fault(column, "has a quote outside quotes") }
      return field
    }
    let start = unquotedCount
    var at = 1
    var needsQuotes = false
    while at < field.count - 1 {
      if field[at] == UInt8(ascii: "\"") {
        at += 1
        guard at < field.count - 1, field[at] == UInt8(ascii: "\"") else { throw fault(column, "has a quote alone") }
      }
      if field[at] == UInt8(ascii: "\"") || field[at] == UInt8(ascii: ",") { needsQuotes = true }
      unquoted[unquotedCount] = field[at]
      unquotedCount += 1
      at += 1
    }
    guard field.count >= 2, at == field.count - 1, field[at] == UInt8(ascii: "\"") else {
      throw fault(column, "has no closing quote")
    }
    guard needsQuotes else { throw fault(column, "is in quotes without need") }
    return UnsafeBufferPointer(start: unquoted + start, count: unquotedCount - start)
  }
}
