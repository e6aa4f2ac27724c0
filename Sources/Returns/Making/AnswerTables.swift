import BatchRun
import Failures
import Ledger
import Money
import Payouts
import Records
import Reports
import Text

/// The CSV files of a directory of answers.
final class AnswerTables {
  private let returned, changes, answers: TableFile
  /// The files' names, as CSV fields.
  private let names: [[UInt8]]

  /// - Parameter names: the files as given.
  init(names: [String], makeFile: TableFile.Maker) throws(Failure) {
    returned = try Self.table(.returned, makeFile)
    changes = try Self.table(.changes, makeFile)
    answers = try Self.table(.answers, makeFile)
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
    for table in [returned, changes, answers] { try table.finish() }
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
  func writeChanges(_ group: [Answer], _ payment: BookedPayment, _ texts: AnswerTexts) throws(Failure) {
    let sorted = group.sorted { left, right in
      if left.reason != right.reason {
        return texts[left.reason].lexicographicallyPrecedes(texts[right.reason])
      }
      return (left.file, left.sequence) < (right.file, right.sequence)
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
    _ answer: Answer, _ payment: BookedPayment?, _ verdict: AnswerVerdict, _ texts: AnswerTexts
  ) throws(Failure) {
    let isListed = answer.format == AnswerFormat.csv
    let currency = isListed ? payment.map { Array($0.currency.code.utf8) } ?? [] : texts[answer.currency]
    let amount =
      isListed
      ? payment.map { Array($0.amount.description.utf8) } ?? []
      : answer.amount.text(Currency.find(currency.span), in: texts)
    let day = answer.day.map { CalendarDay(number: Int($0)).text } ?? ""
    try answers.write { row in
      if answer.flags.contains(.hasReference) { row.append(answer.reference.text) }
      row.append(",")
      if let payment { row.append(payment.account) }
      row.append(",")
      row.append(protected: currency)
      row.append(",")
      row.append(amount)
      row.append(",")
      row.append(AnswerFormat.all[Int(answer.format)].name)
      row.append(",")
      row.append(protected: texts[answer.status])
      row.append(",")
      row.append(protected: texts[answer.reason])
      row.append(",\(day),\(verdict.result.rawValue),\(verdict.code?.rawValue ?? ""),")
      if !answer.flags.contains(.changes) { row.append(protected: texts[answer.detail]) }
      row.append(",")
      row.append(names[Int(answer.file)])
      row.append(",")
      row.append(number: Int(answer.line))
      row.append("\n")
    }
  }
}

extension Answer {
  var reference: PaymentReference { PaymentReference(payout: Int(payout), number: Int(number)) }
}

extension TextBuffer {
  /// Appends a CSV field that no spreadsheet takes for a formula.
  fileprivate mutating func append(protected text: [UInt8]) {
    CSV.append(CSV.protected(text).span, to: &self)
  }
}
