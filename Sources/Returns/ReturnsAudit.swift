import Documents
import Failures
import JSON
import Ledger

/// Goes through the files of a directory of answers: the order and the number of their rows.
final class ReturnsAudit {
  private typealias Answers = AnswerReport.AnswerColumn

  let files: FolderAudit<AnswerReport>
  private(set) var summary: ReturnsSummary?
  /// The rows of `answers.csv` and `returned.csv`.
  private(set) var (answers, returned) = (0, 0)
  private var counts: [String: Int] = [:]

  var log: FindingLog { files.log }

  init(path: String) throws(Failure) { files = try FolderAudit(path: path) }

  func read() throws(Failure) {
    summary = try files.readObject(.summary, as: ReturnsSummary.self)
    let names = AnswerReport.files(hasPayments: summary?.confirm != nil).map(\.fileName)
    try files.checkNames(names)
    try readAnswers()
    try files.readRows(of: .returned, Self.inOrder(isOncePerPayment: true) { _ in self.returned += 1 })
    try files.readRows(of: .changes, Self.inOrder(isOncePerPayment: false) { _ in })
    if let confirm = summary?.confirm { try readPayments(confirm.payments) }
    compareCounts()
    try files.compareSums(names)
  }

  private func readAnswers() throws(Failure) {
    var order = AnswerOrder(summary?.files.map { Array($0.name.utf8) } ?? [])
    try files.readRows(of: .answers) { row throws(RowFault) in
      answers += 1
      for field in [row.text(Answers.result), row.text(Answers.code)] where !field.isEmpty {
        counts[field, default: 0] += 1
      }
      if !order.accepts(row) {
        throw RowFault(Answers.line, "rows are sorted by payout and number, then by file and line")
      }
    }
  }

  private func readPayments(_ said: JSONTree) throws(Failure) {
    typealias Column = AnswerReport.ConfirmedColumn
    var counts: [String: Int] = [:]
    try files.readRows(
      of: .payments,
      Self.inOrder(isOncePerPayment: true) { row in
        counts["\(row.text(Column.currency)) \(row.text(Column.state))", default: 0] += 1
      })
    var expected: [String: Int] = [:]
    for sum in said.elements ?? [] {
      let name = "\(sum["currency"]?.string ?? "") \(sum["state"]?.string ?? "")"
      expected[name, default: 0] += sum["payments"]?.count ?? 0
    }
    for name in Set(counts.keys).union(expected.keys).sorted() {
      files.compare(
        .summary, "confirm.payments \(name)", expected[name] ?? 0, counts[name] ?? 0, "the rows of payments.csv")
    }
  }

  /// Takes each row, and checks the order of its first column, a payment's reference.
  private static func inOrder(
    isOncePerPayment: Bool, _ take: @escaping (ReportRow) -> Void
  ) -> (ReportRow) throws(RowFault) -> Void {
    typealias Column = AnswerReport.ListColumn
    var last: PaymentReference?
    return { row throws(RowFault) in
      take(row)
      guard let reference = PaymentReference(row[Column.reference]),
        last.map({ isOncePerPayment ? $0 < reference : $0 <= reference }) ?? true
      else {
        throw RowFault(
          Column.reference, "rows are sorted by reference\(isOncePerPayment ? ", and each comes once" : "")")
      }
      last = reference
    }
  }

  private func compareCounts() {
    guard let summary else { return }
    for (name, said, words) in [
      ("results", summary.results, AnswerResult.allCases.map(\.rawValue)),
      ("codes", summary.codes, AnswerCode.allCases.map(\.rawValue)),
    ] {
      for word in words {
        files.compare(
          .summary, "\(name).\(word)", said[word]?.count ?? 0, counts[word] ?? 0,
          "the rows of answers.csv")
      }
    }
    let booked = counts[AnswerResult.returned.rawValue] ?? 0
    if booked != returned {
      log.add(AnswerReport.returned.fileName, "has \(returned) rows, and answers.csv has \(booked) of them")
    }
  }
}

/// The order of the rows of `answers.csv`.
private struct AnswerOrder {
  private typealias Column = AnswerReport.AnswerColumn

  /// The names of the files, in the order in which they were given.
  private let files: [[UInt8]]
  private var isKnown = true
  private var reference: PaymentReference?
  private var last = (file: 0, line: 0)

  init(_ files: [[UInt8]]) { self.files = files }

  /// Whether a row may come after the last one.
  mutating func accepts(_ row: ReportRow) -> Bool {
    // Only a known payment has an account.
    let hasAccount = !row[Column.account].isEmpty
    guard isKnown || !hasAccount, let line = ReportField.count(row[Column.line]),
      let file = ReportField.unquoted(row[Column.file])
    else { return false }
    if hasAccount {
      guard let next = PaymentReference(row[Column.reference]), reference.map({ $0 <= next }) ?? true else {
        return false
      }
      if next != reference { last = (0, 0) }
      reference = next
    } else if isKnown {
      (isKnown, last) = (false, (0, 0))
    }
    // A file may be given twice.
    let places = files.indices.filter { files[$0] == file && ($0, line) >= (last.file, last.line) }
    guard let place = places.first else { return false }
    last = (place, line)
    return true
  }
}
