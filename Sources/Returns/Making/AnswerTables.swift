import Failures
import Ledger
import Money
import Payouts
import Records
import Documents
import Text

/// The CSV files of a directory of answers.
final class AnswerTables {
  private let returned, changes, answers: TableFile
  /// The payments of a period; nil without one.
  private let payments: TableFile?
  /// The files' names, as CSV fields.
  private let names: [[UInt8]]

  /// - Parameters:
  ///   - names: the files as given.
  ///   - hasPayments: whether the payments of a period are listed.
  init(names: [String], hasPayments: Bool, makeFile: TableFile.Maker) throws(Failure) {
    returned = try Self.table(.returned, makeFile)
    changes = try Self.table(.changes, makeFile)
    answers = try Self.table(.answers, makeFile)
    payments = hasPayments ? try Self.table(.payments, makeFile) : nil
    self.names = names.map { name in
      var field = TextBuffer()
      CSV.append(name, to: &field)
      return Array(field.string.utf8)
    }
  }

  private static func table(_ report: AnswerReport, _ makeFile: TableFile.Maker) throws(Failure) -> TableFile {
    let file = try makeFile(report.fileName)
    try file.write { $0.append(report.header) }
    return file
  }

  func finish() throws(Failure) {
    for table in [returned, changes, answers, payments] { try table?.finish() }
  }

  func writeReturned(_ answer: Answer, _ texts: AnswerTexts) throws(Failure) {
    try returned.write { row in
      row.append(answer.reference.text)
      row.append(",")
      row.append(texts[answer.reason])
      row.append("\n")
    }
  }

  /// - Parameter group: all changes of one payment.
  func writeChanges(_ group: [Answer], _ payment: AccountAmount, _ texts: AnswerTexts) throws(Failure) {
    let sorted = group.sorted { left, right in
      if left.reason != right.reason {
        return texts[left.reason].lexicographicallyPrecedes(texts[right.reason])
      }
      return left.place < right.place
    }
    for change in sorted {
      let values = CorrectedValues(texts[change.reason], texts[change.detail])
      try changes.write { row in
        row.append(change.reference.text)
        row.append(",")
        row.append(payment.account)
        row.append(",")
        row.append(payment.currency.code)
        for field in [texts[change.reason], values.routing, values.number, values.type, values.name] {
          row.append(",")
          row.append(protected: field)
        }
        row.append("\n")
      }
    }
  }

  func write(
    _ answer: Answer, _ payment: AccountAmount?, _ result: AnswerResult, _ texts: AnswerTexts
  ) throws(Failure) {
    let isListed = answer.asFormat.isList
    let currency = isListed ? payment.map { Array($0.currency.code.utf8) } ?? [] : texts[answer.currency]
    let amount =
      isListed
      ? payment.map { Array($0.amount.description.utf8) } ?? []
      : answer.amount.text(Currency.find(currency.span), in: texts)
    let day = answer.day.map { CalendarDay(number: Int($0)).text } ?? ""
    try answers.write { row in
      if answer.hasReference { row.append(answer.reference.text) }
      row.append(",")
      if let payment { row.append(payment.account) }
      row.append(",")
      row.append(protected: currency)
      row.append(",")
      row.append(amount)
      row.append(",")
      row.append(answer.asFormat.name)
      row.append(",")
      row.append(protected: texts[answer.status])
      row.append(",")
      row.append(protected: texts[answer.reason])
      row.append(",\(day),\(result.rawValue),\(answer.code?.rawValue ?? ""),")
      if answer.kind != .change { row.append(protected: texts[answer.detail]) }
      row.append(",")
      row.append(names[Int(answer.file)])
      row.append(",")
      row.append(number: Int(answer.line))
      row.append("\n")
    }
  }

  /// Writes the row of a payment.
  ///
  /// - Parameters:
  ///   - day: that of its payout.
  ///   - answer: the one that makes the state; nil without one.
  func write(
    _ reference: PaymentReference, _ payment: AccountAmount, day: String, _ state: PaymentState, _ answer: Answer?
  ) throws(Failure) {
    try payments?.write { row in
      row.append("\(reference.text),")
      row.append(payment.account)
      row.append(",\(payment.currency.code),\(payment.amount),\(day),\(state.rawValue),")
      if let day = answer?.day { row.append(CalendarDay(number: Int(day)).text) }
      row.append(",")
      if let answer { row.append(names[Int(answer.file)]) }
      row.append("\n")
    }
  }
}

extension TextBuffer {
  /// Appends a CSV field that no spreadsheet takes for a formula.
  fileprivate mutating func append(protected text: [UInt8]) {
    CSV.append(CSV.protected(text).span, to: &self)
  }
}
