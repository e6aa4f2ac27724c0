import Failures
import Foundation
import Returns
import TestSupport

/// Reads a file of answers in any format. Whatever is in it, what comes back must be payments that the file names with
/// their own amounts.
enum AnswerTarget {
  static func check(_ bytes: [UInt8]) throws(Disagreement) {
    let ledger = AnswerLedger.shared
    let answer = ledger.addressed(bytes)
    let place = Scratch.file("answer", answer)
    defer { place.remove() }
    let made = try MadeReturns(place, ledger, hasDebtor: answer.count % 2 == 0)
    try made.check(ledger.payments)
    let oracle = try AnswerOracle(answer)
    for row in made.returned {
      try require(
        oracle.states(row, ledger.payments[row.reference]!),
        "the file does not say that \(row.reference) came back: \(shown(answer))")
    }
    for row in made.confirmed {
      try require(
        oracle.confirms(row, ledger.payments[row.reference]), "the file has no such debit: \(row) in \(shown(answer))")
    }
    try checkPieces(answer, made, place, ledger)
  }

  /// Reads a document behind so much space that a piece that is read ends within it.
  private static func checkPieces(
    _ answer: [UInt8], _ made: MadeReturns, _ place: Scratch.Place, _ ledger: AnswerLedger
  ) throws(Disagreement) {
    guard let start = answer.firstIndex(of: UInt8(ascii: "<")), answer.count > start + 8,
      answer[..<start].allSatisfy({ [0x09, 0x0A, 0x0D, 0x20].contains($0) })
    else { return }
    // Some of them are enough, as the space takes time.
    guard answer.count % 4 < 2 else { return }
    let hash = answer.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    let end = start + 4 + Int(hash) % (answer.count - start - 4)
    place.write([UInt8](repeating: 0x20, count: 65_536 - end) + answer)
    let moved = try MadeReturns(place, ledger, hasDebtor: answer.count % 2 == 0)
    try require(
      moved.fault == made.fault && moved.tables == made.tables,
      "a piece that ends at byte \(end) changes the result from \(made.fault ?? "tables") to \(moved.fault ?? "tables")"
    )
  }
}

/// A row of `answers.csv`.
struct AnswerRow: Equatable {
  let reference, account, currency, amount, format, status, reason, date, result, code: String

  init(_ fields: [String]) {
    (reference, account, currency, amount, format) = (fields[0], fields[1], fields[2], fields[3], fields[4])
    (status, reason, date, result, code) = (fields[5], fields[6], fields[7], fields[8], fields[9])
  }
}

/// What `settle returns` makes of a file.
private struct MadeReturns {
  private(set) var tables: [String: [[String]]] = [:]
  private(set) var rows: [AnswerRow] = []
  /// The line and the code of the file's error; nil if it has none.
  private(set) var fault: String?

  var returned: [AnswerRow] { rows.filter { $0.result == "RETURN" } }
  var confirmed: [AnswerRow] { rows.filter { $0.status == "DEBIT" && $0.code.isEmpty } }

  init(_ place: Scratch.Place, _ ledger: AnswerLedger, hasDebtor: Bool) throws(Disagreement) {
    let output = place.folder + "/returns"
    defer { try? FileManager.default.removeItem(atPath: output) }
    var options = Returns.Options(answers: [place.path], ledger: ledger.path, output: output)
    if hasDebtor { options.debtor = ledger.debtor }
    if hasDebtor {
      options.confirm = ConfirmedPeriod(since: "2026-11-24", asOf: "2026-11-26", within: 0)
    }
    let result: ReturnsResult
    do throws(Failure) {
      result = try openingWhenFree(isBusy: { $0.exitCode == 75 }) { [options] () throws(Failure) in
        try Returns.make(options, open: { _ in }, note: { _ in })
      }
    } catch {
      throw Disagreement(words: "reading ends with \(error.exitCode): \(error.message)")
    }
    switch result {
    case .faulty(let faults):
      let faults = faults.flatMap(\.listed)
      try require(faults.count == 1, "\(faults.count) errors of one file")
      try require(!FileManager.default.fileExists(atPath: output), "a directory is made of a file with an error")
      for fault in faults {
        try ReportForm.checkText(Array(fault.text.utf8))
        self.fault = "\(fault.line ?? 0): \(fault.code)"
      }
    case .made(let figures):
      for name in ["returned.csv", "changes.csv", "answers.csv", "payments.csv"]
      where name != "payments.csv" || options.confirm != nil {
        let bytes = try? Data(contentsOf: URL(fileURLWithPath: output + "/" + name))
        tables[name] = try ReportForm.rows(of: Array(bytes ?? Data()), name)
      }
      rows = tables["answers.csv"]!.dropFirst().map(AnswerRow.init)
      let isQuiet =
        rows.allSatisfy { $0.code.isEmpty && $0.result != "CHANGE" } && figures.disagreements.isEmpty
        && !(tables["payments.csv"] ?? []).contains { $0[5] == "NOT_SEEN" }
      try require(result.exitCode == (isQuiet ? 0 : 1), "ends with \(result.exitCode)")
      if !rows.isEmpty {
        try Self.verify(output, options)
        // Some of them are enough.
        if rows.count % 4 == 1 { try OtherInputs(output, options, place).check() }
      }
    }
  }

  /// The engine's own verification, which reads the file again.
  private static func verify(_ output: String, _ options: Returns.Options) throws(Disagreement) {
    do throws(Failure) {
      let verdict = try ReturnsVerification.verify(
        output, ledger: options.ledger, answers: options.answers, debtor: options.debtor)
      if let finding = verdict.findings.first { throw Failure.unreadable(finding.text) }
    } catch {
      throw Disagreement(words: "the verification says: \(error.message)")
    }
  }

  /// Compares what comes back with the payments.
  func check(_ payments: [String: AnswerLedger.Payment]) throws(Disagreement) {
    guard fault == nil else { return }
    for row in rows where ["RETURN", "REPEATED", "CONFIRMED"].contains(row.result) {
      // A debit of a whole file names none of its payments.
      if row.status == "DEBIT", row.reference.isEmpty { continue }
      guard let payment = payments[row.reference] else {
        throw Disagreement(words: "\(row.reference) comes back and is not a payment")
      }
      let isSame = row.currency == payment.currency && PlainAmount.areEqual(row.amount, payment.amount)
      let isNotGiven = row.format == "PAIN002" && row.currency.isEmpty && row.amount.isEmpty
      try require(
        row.account == payment.account && (isSame || isNotGiven) && row.code.isEmpty,
        "\(row.reference) comes back with \(row), and is \(payment)")
    }
    let listed = tables["returned.csv"]!.dropFirst()
    try require(
      listed.map { $0[0] } == returned.map(\.reference) && listed.map { $0[1] } == returned.map(\.reason)
        && Set(listed.map { $0[0] }).count == listed.count,
      "returned.csv has \(listed), and answers.csv \(returned)")
    if let states = tables["payments.csv"]?.dropFirst() { try check(states, payments) }
  }

  /// Compares the list of payments with the answers.
  private func check(
    _ states: ArraySlice<[String]>, _ payments: [String: AnswerLedger.Payment]
  ) throws(Disagreement) {
    try require(
      Set(states.map { $0[0] }) == Set(payments.keys) && states.count == payments.count, "payments.csv: \(states)")
    for state in states {
      let own = rows.filter { $0.reference == state[0] && $0.date <= "2026-11-26" }
      let payment = payments[state[0]]!
      let files = confirmed.filter { $0.reference.isEmpty && $0.date <= "2026-11-26" }
      let isRight =
        switch state[5] {
        case "OPEN": own.contains { !$0.code.isEmpty } || rows.contains { $0.reference.isEmpty && !$0.code.isEmpty }
        case "RETURNED": own.contains { ["RETURN", "REPEATED"].contains($0.result) && $0.status != "DEBIT" }
        case "CONFIRMED": own.contains { $0.status == "DEBIT" && $0.code.isEmpty } || !files.isEmpty
        default: own.allSatisfy { $0.code.isEmpty && $0.result == "NOTED" || $0.result == "CHANGE" }
        }
      try require(
        isRight && state[1] == payment.account && state[2] == payment.currency && state[3] == payment.amount,
        "payments.csv has \(state), and answers.csv \(own)")
    }
  }
}

/// Decimals compared as texts.
enum PlainAmount {
  /// Whether two texts are the same decimal.
  static func areEqual(_ left: some StringProtocol, _ right: some StringProtocol) -> Bool {
    guard let left = form(left) else { return false }
    return left == form(right)
  }

  /// Digits without zeros in front of the whole part and at the end of the fraction.
  private static func form(_ text: some StringProtocol) -> [String]? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard 1...2 ~= parts.count, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }) else {
      return nil
    }
    var fraction = parts.count == 2 ? String(parts[1]) : ""
    while fraction.last == "0" { fraction.removeLast() }
    return [String(parts[0].drop { $0 == "0" }), fraction]
  }
}
