import Failures
import JSON
import Ledger
import Documents
import Text

/// Goes through the files of a directory of answers: their digests, and the order and the number of their rows.
final class ReturnsAudit {
  let folder: ReportFolder
  let log = FindingLog()
  private(set) var summary: ReturnsSummary?
  /// The rows of `answers.csv` and `returned.csv`.
  private(set) var (answers, returned) = (0, 0)
  private var digests: [String: String] = [:]
  private var counts: [String: Int] = [:]

  init(_ folder: ReportFolder) { self.folder = folder }

  func read() throws(Failure) {
    try read(.summary, readSummary)
    try checkNames()
    let files = summary?.files.map(\.name) ?? []
    var order = AnswerOrder(files)
    try readRows(.answers) { fields, line in
      answers += 1
      for field in [fields[8], fields[9]] where !field.isEmpty { counts[field, default: 0] += 1 }
      if !order.accepts(fields) { note(.answers, line, "rows are sorted by payout and number, then by file and line") }
    }
    var last: PaymentReference?
    try readRows(.returned) { fields, line in
      returned += 1
      guard let reference = PaymentReference(Array(fields[0].utf8)), last.map({ $0 < reference }) ?? true else {
        return note(.returned, line, "rows are sorted by reference, and each comes once")
      }
      last = reference
    }
    last = nil
    try readRows(.changes) { fields, line in
      guard let reference = PaymentReference(Array(fields[0].utf8)), last.map({ $0 <= reference }) ?? true else {
        return note(.changes, line, "rows are sorted by reference")
      }
      last = reference
    }
    if let confirm = summary?.confirm { try readPayments(confirm.payments) }
    compareCounts()
    if let lines = try folder.open(ReportKind.sums, log) {
      try ComparedReport.compareSums(lines, digests, log)
    }
  }

  private func checkNames() throws(Failure) {
    let known = (AnswerReport.files(hasPayments: summary?.confirm != nil).map(\.fileName) + [ReportKind.sums])
      .map { Array($0.utf8) }
    for name in try folder.names() where !known.contains(name) {
      log.add(
        "", field: "a file", found: MessageText.identifier(name),
        "a directory of answers holds these, SHA256SUMS and nothing else")
    }
  }

  private func readPayments(_ said: JSONTree) throws(Failure) {
    var last: PaymentReference?
    var counts: [String: Int] = [:]
    try readRows(.payments) { fields, line in
      guard let reference = PaymentReference(Array(fields[0].utf8)), last.map({ $0 < reference }) ?? true else {
        return note(.payments, line, "rows are sorted by reference, and each comes once")
      }
      last = reference
      counts["\(fields[2]) \(fields[5])", default: 0] += 1
    }
    var expected: [String: Int] = [:]
    for sum in said.elements ?? [] {
      let name = "\(sum["currency"]?.string ?? "") \(sum["state"]?.string ?? "")"
      expected[name, default: 0] += sum["payments"]?.count ?? 0
    }
    for name in Set(counts.keys).union(expected.keys).sorted() where counts[name] != expected[name] {
      log.add(
        AnswerReport.summary.fileName, field: "confirm.payments \(name)", found: "\(expected[name] ?? 0)",
        expected: "\(counts[name] ?? 0)", "the rows of payments.csv")
    }
  }

  private func note(_ report: AnswerReport, _ line: Int, _ reason: String) {
    log.add(report.fileName, line: line, reason)
  }

  private func read(
    _ report: AnswerReport, _ body: (ReportLines) throws(Failure) -> Void
  ) throws(Failure) {
    guard let lines = try folder.open(report.fileName, log) else { return }
    try body(lines)
    try lines.skipRest()
    for file in lines.digests { digests[file.name] = file.digest }
  }

  private func readSummary(_ lines: ReportLines) throws(Failure) {
    let name = AnswerReport.summary.fileName
    guard let (text, tree) = try log.tree(of: lines) else { return }
    guard let said = ReturnsSummary(tree) else { return log.add(name, "is not a summary of answers") }
    let written = Array("\(said.tree)\n".utf8)
    log.checkForm(name, text, tree, written.span, said.tree)
    summary = said
  }

  private func readRows(
    _ report: AnswerReport, _ take: (_ fields: [String], _ line: Int) -> Void
  ) throws(Failure) {
    try read(report) { lines throws(Failure) in
      let columns = report.header.count { $0 == "," } + 1
      var record = CSVRecord()
      guard try lines.next(), [UInt8](lines.current) + [0x0A] == Array(report.header.utf8) else {
        return log.add(report.fileName, line: 1, "expected the header \(report.header.dropLast())")
      }
      while try lines.next() {
        guard record.split(lines.current), record.count == columns else {
          note(report, lines.number, "is not a row of \(columns) fields")
          continue
        }
        take(record.strings, lines.number)
      }
    }
  }

  private func compareCounts() {
    guard let summary else { return }
    for (name, words) in [
      ("results", AnswerResult.allCases.map(\.rawValue)), ("codes", AnswerCode.allCases.map(\.rawValue)),
    ] {
      for word in words {
        let (said, found) = (summary.counts[name]?[word]?.count ?? 0, counts[word] ?? 0)
        if said != found {
          log.add(
            AnswerReport.summary.fileName, field: "\(name).\(word)", found: "\(said)", expected: "\(found)",
            "the rows of answers.csv")
        }
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
  private let files: [String]
  private var isKnown = true
  private var reference: PaymentReference?
  private var last = (file: 0, line: 0)

  init(_ files: [String]) { self.files = files }

  /// Whether a row may come after the last one.
  mutating func accepts(_ fields: [String]) -> Bool {
    // Only a known payment has an account.
    let hasAccount = !fields[1].isEmpty
    guard isKnown || !hasAccount, let line = Int(fields[12]) else { return false }
    if hasAccount {
      guard let next = PaymentReference(Array(fields[0].utf8)), reference.map({ $0 <= next }) ?? true else {
        return false
      }
      if next != reference { last = (0, 0) }
      reference = next
    } else if isKnown {
      (isKnown, last) = (false, (0, 0))
    }
    // A file may be given twice.
    let places = files.indices.filter { files[$0] == fields[11] && ($0, line) >= (last.file, last.line) }
    guard let place = places.first else { return false }
    last = (place, line)
    return true
  }
}
