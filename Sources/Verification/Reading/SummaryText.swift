import BatchFile
import ExactArithmetic
import Money
import Payments
import Settlement

/// What `summary.json` says, read as strictly as it is written: this order of keys, no spaces, one line.
package struct SummaryText {
  /// A stored file of the batch.
  package struct File {
    /// Its name, its escapes undone.
    package let name: [UInt8]
    /// The length of what is stored.
    package let bytes: Int
    /// The SHA-256 of what is stored, in lower-case hexadecimal digits.
    package let sha256: String
  }
  /// The figures of one currency, in the order of their keys.
  package struct Total {
    /// Which currency.
    package let currency: Currency
    /// How many payments settled in it.
    package let payments: Int
    /// By place in `figureNames`.
    package let figures: [ExactDecimal]
  }
  /// Where the text is none.
  package struct Fault: Error {
    /// The byte at which it ceases to be one, from 0.
    package let offset: Int
    /// What was expected there, in words.
    package let expected: String
  }

  /// The keys of a currency's figures, in their order.
  package static let figureNames = ["senderAmount", "senderFees", "receiverNet", "fees", "balance"]
  /// The keys of the counts of records, in their order.
  package static let recordNames = ["read", "settled", "rejected", "pending", "held"]

  /// The version of settle that wrote it.
  package let version: String
  /// The header's identifier; nil where there is none.
  package let batchID: String?
  /// What came of the trailer's control totals.
  package let controlTotals: ControlTotalsState
  /// The batch's files, in its order; one at least.
  package let files: [File]
  /// By place in `recordNames`.
  package let records: [Int]
  /// How often each error was found, sorted by code; none of them zero.
  package let errors: [(code: String, count: Int)]
  /// How often each notice was given, likewise.
  package let notices: [(code: String, count: Int)]
  /// The currencies that settled, in the order of their codes.
  package let totals: [Total]

  /// Reads the whole text; throws where it is not as a run writes it.
  package init(_ text: [UInt8]) throws(Fault) {
    var reader = SummaryReader(text: text)
    guard text.withUnsafeBufferPointer({ $0.baseAddress.map { UTF8Text.isValid($0, count: text.count) } ?? true })
    else { throw reader.fault("UTF-8") }
    try reader.take(#"{"engine":{"name":"settle","version":"#)
    version = try reader.identifier()
    try reader.take(#"},"batch":{"id":"#)
    batchID = reader.takes("null") ? nil : try reader.identifier()
    try reader.take(#","controlTotals":"#)
    controlTotals = try reader.state()
    try reader.take(#","files":["#)
    var files: [File] = []
    repeat {
      try reader.take(#"{"name":"#)
      let name = try reader.string()
      try reader.take(#","bytes":"#)
      let bytes = try reader.count()
      try reader.take(#","sha256":"#)
      files.append(File(name: name, bytes: bytes, sha256: try reader.digest()))
      try reader.take("}")
    } while reader.takes(",")
    self.files = files
    try reader.take(#"]},"records":{"#)
    var records: [Int] = []
    for (place, name) in Self.recordNames.enumerated() {
      try reader.take((place == 0 ? "" : ",") + "\"\(name)\":")
      records.append(try reader.count())
    }
    self.records = records
    try reader.take(#"},"errors":"#)
    errors = try reader.counts()
    try reader.take(#","notices":"#)
    notices = try reader.counts()
    try reader.take(#","totals":["#)
    totals = try reader.totals()
    try reader.take("]}\n")
    try reader.takeEnd()
  }
}

extension SummaryText {
  /// Every key with what stands at it, one by one.
  var entries: [(key: String, value: String)] {
    var entries = [
      ("engine.version", version), ("batch.id", batchID ?? "null"), ("batch.controlTotals", controlTotals.rawValue),
    ]
    for (place, file) in files.enumerated() {
      let key = "batch.files[\(place)]"
      entries.append(("\(key).name", String(decoding: file.name, as: UTF8.self)))
      entries.append(("\(key).bytes", "\(file.bytes)"))
      entries.append(("\(key).sha256", file.sha256))
    }
    entries += zip(Self.recordNames, records).map { ("records.\($0)", "\($1)") }
    entries += errors.map { ("errors.\($0.code)", "\($0.count)") }
    entries += notices.map { ("notices.\($0.code)", "\($0.count)") }
    for total in totals {
      let key = "totals.\(total.currency.code)"
      entries.append(("\(key).payments", "\(total.payments)"))
      entries += zip(Self.figureNames, total.figures).map { ("\(key).\($0)", $1.description) }
    }
    return entries
  }
}

private struct SummaryReader {
  let text: [UInt8]
  var at = 0

  func fault(_ expected: String) -> SummaryText.Fault { SummaryText.Fault(offset: at, expected: expected) }

  /// Whether a text comes next; goes behind it.
  mutating func takes(_ expected: String) -> Bool {
    guard text[at...].starts(with: expected.utf8) else { return false }
    at += expected.utf8.count
    return true
  }

  mutating func take(_ expected: String) throws(SummaryText.Fault) {
    if !takes(expected) { throw fault(expected == "]}\n" ? "]} and a line feed" : expected) }
  }

  func takeEnd() throws(SummaryText.Fault) {
    if at < text.count { throw fault("the end of the file") }
  }

  mutating func count() throws(SummaryText.Fault) -> Int {
    let end = text[at...].firstIndex { $0 < UInt8(ascii: "0") || $0 > UInt8(ascii: "9") } ?? text.count
    guard let count = text[at..<end].withUnsafeBufferPointer({ ReportField.count($0) }) else {
      throw fault("a whole number")
    }
    at = end
    return count
  }

  /// A string without escapes in it, of the characters of a batch identifier.
  mutating func identifier() throws(SummaryText.Fault) -> String {
    let start = at
    let bytes = try string()
    guard !bytes.isEmpty, BatchIdentifier.isValid(bytes, count: bytes.count) else {
      at = start
      throw fault("1 to 64 of A-Z a-z 0-9 . _ -")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  mutating func state() throws(SummaryText.Fault) -> ControlTotalsState {
    let start = at
    if let state = ControlTotalsState(rawValue: String(decoding: try string(), as: UTF8.self)) { return state }
    at = start
    throw fault("verified, mismatch or absent")
  }

  mutating func digest() throws(SummaryText.Fault) -> String {
    let start = at
    let digest = String(decoding: try string(), as: UTF8.self)
    guard digest.utf8.count == 64, digest.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else {
      at = start
      throw fault("64 hexadecimal digits")
    }
    return digest
  }

  /// A string in quotes: UTF-8, and no escapes but those it needs.
  mutating func string() throws(SummaryText.Fault) -> [UInt8] {
    try take("\"")
    let start = at
    while at < text.count, text[at] != UInt8(ascii: "\"") {
      guard text[at] >= 0x20 else { throw fault("a control character to be escaped") }
      if text[at] == UInt8(ascii: "\\") {
        at += 1
        guard at < text.count, text[at] == UInt8(ascii: "\\") || text[at] == UInt8(ascii: "\"") else {
          throw fault("an escaped quote or backslash")
        }
      }
      at += 1
    }
    let escaped = Array(text[start..<at])
    try take("\"")
    return escaped.withUnsafeBufferPointer { bytes in
      guard !bytes.isEmpty, let from = bytes.baseAddress else { return [] }
      return [UInt8](unsafeUninitializedCapacity: bytes.count) { characters, count in
        count = UTF8Text.unescape(from, count: bytes.count, into: characters.baseAddress.unsafelyUnwrapped)
      }
    }
  }

  /// Codes with how often each occurred, sorted, none of them zero.
  mutating func counts() throws(SummaryText.Fault) -> [(code: String, count: Int)] {
    try take("{")
    var counts: [(code: String, count: Int)] = []
    if takes("}") { return counts }
    repeat {
      let code = try identifier()
      try take(":")
      let start = at
      counts.append((code, try count()))
      let isSorted = counts.count < 2 || counts[counts.count - 2].code.utf8.lexicographicallyPrecedes(code.utf8)
      guard isSorted, counts[counts.count - 1].count > 0 else {
        at = start
        throw fault("codes in order, each with a number above zero")
      }
    } while takes(",")
    try take("}")
    return counts
  }

  mutating func totals() throws(SummaryText.Fault) -> [SummaryText.Total] {
    var totals: [SummaryText.Total] = []
    guard takes("{") else { return totals }
    repeat {
      try take(#""currency":"#)
      let start = at
      let code = String(decoding: try string(), as: UTF8.self)
      guard let currency = Currency(code: code), totals.last.map({ $0.currency < currency }) ?? true else {
        at = start
        throw fault("one of the 24 codes, in order")
      }
      try take(#","payments":"#)
      let payments = try count()
      var figures: [ExactDecimal] = []
      for name in SummaryText.figureNames {
        try take(",\"\(name)\":")
        figures.append(try amount(currency))
      }
      totals.append(SummaryText.Total(currency: currency, payments: payments, figures: figures))
      try take("}")
    } while takes(",{")
    return totals
  }

  private mutating func amount(_ currency: Currency) throws(SummaryText.Fault) -> ExactDecimal {
    let start = at
    let bytes = try string()
    guard let amount = bytes.withUnsafeBufferPointer({ ReportField.amount($0, currency) }) else {
      at = start
      throw fault("an amount in \(currency.code) with \(currency.settlementExponent) decimals")
    }
    return amount
  }
}
