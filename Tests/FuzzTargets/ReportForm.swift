import ExactArithmetic
import Foundation
import Input
import JSON
import TestOracles

/// What reports must look like, and how their figures must add up, from `reports.md` only.
enum ReportForm {
  private static let columns = [
    "settlement.csv": "pay_key,kind,role,account,currency,gross,passed_on,fee,net,refund_key",
    "receivers.csv": "account,currency,payments,gross,passed_on,fee,net,refunds,refund_net,payout",
    "totals.csv":
      "currency,payments,sender_amount,sender_fees,receiver_net,fees,balance,refunds,refunded,receiver_debit,fees_returned",
    "refunds.csv": "refund_key,pay_key,run,currency,amount,fees_returned,remaining",
    "preapprovals.csv": "preapproval_key,status,sender,currency,payments,amount",
    "control.csv": "currency,records,amount,settled,pending,held,rejected",
    "fees.csv": "pay_key,account,bearer,name,currency,fee,vat,refund_key",
    "exceptions.csv": "file,line,offset,pay_key,outcome,code,field,currency,amount,paypal_error_id,message,"
      + "refund_key,preapproval_key",
  ]

  /// The reports of a settled batch.
  static func check(_ reports: [String: [UInt8]]) throws(Disagreement) {
    var columns = columns
    // Only a night that shows the names of fees has it.
    if reports["fees.csv"] == nil { columns["fees.csv"] = nil }
    let names = Set(columns.keys).union(["summary.json", "SHA256SUMS"])
    try require(Set(reports.keys) == names, "the reports are \(reports.keys.sorted())")
    var tables: [String: [[String]]] = [:]
    for (name, header) in columns {
      var rows = try rows(of: reports[name] ?? [], name)
      try require(!rows.isEmpty && rows.removeFirst().joined(separator: ",") == header, "\(name) has another header")
      let width = header.split(separator: ",").count
      for row in rows { try require(row.count == width, "\(name) has a row of \(row.count) fields: \(row)") }
      tables[name] = rows
    }
    try checkPayments(tables["settlement.csv"] ?? [])
    if let fees = tables["fees.csv"] { try checkFees(fees, tables["settlement.csv"] ?? []) }
    try checkReceivers(tables)
    for row in tables["totals.csv"] ?? [] {
      let figures = try numbers(row[2...])
      try require(
        figures[4].isZero && figures[0] + figures[1] == figures[2] + figures[3]
          && figures[6] == figures[7] + figures[8], "totals.csv does not balance: \(row)")
    }
    for row in tables["control.csv"] ?? [] {
      let figures = try numbers(row[2...])
      try require(
        figures[0] == figures[1] + figures[2] + figures[3] + figures[4], "control.csv does not add up: \(row)")
    }
    for row in tables["exceptions.csv"] ?? [] {
      try require(["REJECTED", "PENDING", "HELD"].contains(row[4]), "exceptions.csv: \(row)")
      try require(Int(row[1]) ?? 0 > 0 && Int(row[2]) ?? -1 >= 0, "exceptions.csv has a row of no place: \(row)")
      try checkSecrets(row[6], row[10], code: row[5])
    }
    try checkSummary(reports["summary.json"] ?? [], tables)
  }

  /// The lines of a validation, each of them JSON.
  static func checkFindings(_ text: [UInt8]) throws(Disagreement) {
    let names = [
      "file", "line", "offset", "payKey", "severity", "code", "field", "paypalErrorId", "message", "refundKey",
      "preapprovalKey",
    ]
    for line in text.split(separator: 0x0A) {
      try checkText(Array(line))
      guard case .object(let fields)? = try? JSONTree(parsing: Array(line)) else {
        throw Disagreement(words: "validation prints no JSON object: \(shown(line))")
      }
      let given = fields.map { String(decoding: $0.name, as: UTF8.self) }
      // A batch error has no offset, and not always a line.
      if given.count < names.count {
        let isExpected = given == names.filter { given.contains($0) } && given.count >= names.count - 2
        try require(isExpected, "validation prints other fields of a batch error: \(shown(line))")
        continue
      }
      try require(given == names, "validation prints other fields: \(shown(line))")
      let texts = fields.map { field in
        if case .string(let characters) = field.value { String(decoding: characters, as: UTF8.self) } else { "" }
      }
      try checkSecrets(texts[6], texts[8], code: texts[5])
    }
    try require(text.isEmpty || text.last == 0x0A, "validation ends without a line feed")
  }

  /// A line for people: UTF-8 without control characters.
  static func checkText(_ line: [UInt8]) throws(Disagreement) {
    guard let text = String(validating: line, as: UTF8.self) else {
      throw Disagreement(words: "what is written is not UTF-8: \(shown(line))")
    }
    let controls = text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
    try require(!controls, "what is written has a control character: \(shown(line))")
  }

  /// A field and a message without a card number. Valid accounts and the figures that checks compute are not texts of
  /// the batch, and are not masked.
  private static func checkSecrets(_ field: String, _ message: String, code: String) throws(Disagreement) {
    let toldAsTheyAre = [
      "RECEIVERS_NOT_UNIQUE", "SENDER_IS_RECEIVER", "ITEM_TOTAL_MISMATCH", "INVOICE_SUBTOTAL_MISMATCH",
      "CHAIN_EXCEEDS_PRIMARY", "FEES_EXCEED_AMOUNT",
    ]
    if toldAsTheyAre.contains(code) { return }
    for text in [field, message] {
      try require(!holdsCardNumber(text), "a card number is told: \(text)")
    }
  }

  /// Whether a message contains a card number; digits before the dots of a shortened text may belong to a longer
  /// number.
  static func holdsCardNumber(_ text: String) -> Bool {
    let whole = text.replacing(/[0-9]+\.\.\./, with: "")
    return CardNumberOracle.masked(whole) != whole
  }

  // MARK: Figures

  /// Each payment's nets and fees sum to zero, sender included; the sender comes first.
  private static func checkPayments(_ rows: [[String]]) throws(Disagreement) {
    var sum = ExactDecimal.zero
    for (place, row) in rows.enumerated() {
      if row[2] == "SENDER" {
        try require(sum.isZero, "the payment before \(row[0]) sums to \(sum)")
        sum = .zero
      } else {
        let before = place > 0 ? rows[place - 1] : row.map { _ in "" }
        try require(row[0] == before[0] && row[9] == before[9], "\(row[0]) has a receiver before its sender")
      }
      try require((row[1] == "REFUND") == !row[9].isEmpty, "a row is of a refund or not: \(row)")
      let figures = try numbers(row[5..<9])
      try require(figures[0] == figures[1] + figures[2] + figures[3], "a row does not add up: \(row)")
      sum += figures[2] + figures[3]
    }
    try require(sum.isZero, "the last payment sums to \(sum)")
  }

  /// The fees by name, with VAT, of each payment and refund are those of who bears them.
  private static func checkFees(_ rows: [[String]], _ settlement: [[String]]) throws(Disagreement) {
    var sums: [[String]: ExactDecimal] = [:]
    for row in settlement { sums[[row[0], row[9], row[3]], default: .zero] += try numbers(row[7...7])[0] }
    for row in rows {
      let figures = try numbers(row[5...6])
      try require(figures.contains { !$0.isZero }, "a fee of nothing: \(row)")
      try require(
        figures.allSatisfy { $0.isZero || $0.isNegative == !row[7].isEmpty }, "a fee of the wrong sign: \(row)")
      sums[[row[0], row[7], row[2]], default: .zero] -= figures[0] + figures[1]
    }
    for (key, sum) in sums { try require(sum.isZero, "fees.csv and settlement.csv differ by \(sum): \(key)") }
  }

  /// `receivers.csv` is `settlement.csv` without its senders, by account and currency, in order.
  private static func checkReceivers(_ tables: [String: [[String]]]) throws(Disagreement) {
    var sums: [[String]: [ExactDecimal]] = [:]
    for row in tables["settlement.csv"] ?? [] where row[2] != "SENDER" {
      let figures = try [ExactDecimal(1)] + numbers(row[5..<9])
      let none = Array(repeating: ExactDecimal.zero, count: 5)
      // The payments' sums, the number of refunds, and their sum.
      let added = row[1] == "REFUND" ? none + [figures[0], figures[4]] : figures + [.zero, .zero]
      sums[[row[3], row[4]]] = zip(sums[[row[3], row[4]]] ?? none + [.zero, .zero], added).map { $0 + $1 }
    }
    let rows = tables["receivers.csv"] ?? []
    try require(rows.count == sums.count, "receivers.csv has \(rows.count) rows, not \(sums.count)")
    for row in rows {
      let figures = try numbers(row[2...])
      // A payment with two receivers of one account counts once.
      guard let expected = sums[[row[0], row[1]]] else { throw Disagreement(words: "nobody paid \(row)") }
      try require(
        figures[1..<7].elementsEqual(expected.dropFirst()) && figures[0] <= expected[0]
          && figures[7] == figures[4] + figures[6],
        "receivers.csv says \(row), settlement.csv \(expected)")
    }
    let keys = rows.map { Array("\($0[0])\u{0}\($0[1])".utf8) }
    try require(
      zip(keys, keys.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }, "receivers.csv is unsorted")
  }

  private static func checkSummary(_ text: [UInt8], _ tables: [String: [[String]]]) throws(Disagreement) {
    try require(text.last == 0x0A && text.filter { $0 == 0x0A }.count == 1, "summary.json is not one line")
    guard let summary = try? JSONSerialization.jsonObject(with: Data(text)) as? [String: Any],
      let records = summary["records"] as? [String: Int], let errors = summary["errors"] as? [String: Int]
    else { throw Disagreement(words: "summary.json is not as it should be: \(shown(text))") }
    func count(_ name: String) -> Int { records[name] ?? -1 }
    try require(
      ["settled", "rejected", "pending", "held", "refunded", "preapprovals"].reduce(0) { $0 + count($1) }
        == count("read"),
      "the records do not add up: \(records)")
    let exceptions = tables["exceptions.csv"] ?? []
    let senders = (tables["settlement.csv"] ?? []).count { $0[2] == "SENDER" }
    let moved = count("settled") + count("refunded")
    try require(senders == moved, "\(senders) payments are settled and refunds made, not \(moved)")
    try require(tables["refunds.csv"]?.count == count("refunded"), "refunds.csv has another number of refunds")
    for outcome in ["pending", "held"] {
      let told = exceptions.count { $0[4] == outcome.uppercased() }
      try require(told == count(outcome), "\(told) payments are \(outcome), not \(count(outcome))")
    }
    let rejections = exceptions.filter { $0[4] == "REJECTED" }
    let told = Dictionary(grouping: rejections, by: { $0[5] }).mapValues(\.count)
    try require(told == errors, "exceptions.csv has the errors \(told), summary.json \(errors)")
    try require(
      Set(rejections.map { $0[1] }).count == count("rejected"),
      "\(count("rejected")) records are not rejected on their lines")
  }

  private static func numbers(_ cells: ArraySlice<String>) throws(Disagreement) -> [ExactDecimal] {
    var numbers: [ExactDecimal] = []
    for cell in cells {
      guard let number = ExactDecimal(cell), number.description == cell, cell.first != "-" || !number.isZero else {
        throw Disagreement(words: "\(cell) is no figure")
      }
      numbers.append(number)
    }
    return numbers
  }

  // MARK: CSV

  /// The rows of a CSV text whose fields have no line ends, and are in quotes only if necessary.
  static func rows(of text: [UInt8], _ name: String) throws(Disagreement) -> [[String]] {
    try require(text.last == 0x0A, "\(name) ends without a line feed")
    var rows: [[String]] = []
    for line in text.dropLast().split(separator: 0x0A, omittingEmptySubsequences: false) {
      try checkText(Array(line))
      var cells: [String] = []
      var rest = line[...]
      while true {
        var cell: [UInt8] = []
        if rest.first == UInt8(ascii: "\"") {
          rest.removeFirst()
          while let end = rest.firstIndex(of: UInt8(ascii: "\"")) {
            cell += rest[..<end]
            rest = rest[(end + 1)...]
            guard rest.first == UInt8(ascii: "\"") else { break }
            cell.append(rest.removeFirst())
          }
          try require(cell.contains { $0 == 0x22 || $0 == 0x2C }, "\(name) has needless quotes: \(shown(line))")
        } else {
          cell = Array(rest.prefix { $0 != UInt8(ascii: ",") })
          try require(!cell.contains(UInt8(ascii: "\"")), "\(name) has a quote within a field: \(shown(line))")
          rest = rest.dropFirst(cell.count)
        }
        cells.append(String(decoding: cell, as: UTF8.self))
        guard rest.first == UInt8(ascii: ",") else { break }
        rest.removeFirst()
      }
      try require(rest.isEmpty, "\(name) goes on behind quotes: \(shown(line))")
      rows.append(cells)
    }
    return rows
  }
}
