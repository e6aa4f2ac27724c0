import Foundation
import Payouts
import Records

/// Reads a terms file, compared with a second reading of its lines, as simple as possible.
enum TermsTarget {
  private static let columns = [
    "account", "currency", "from", "delay_days", "reserve_percent", "reserve_days", "minimum_balance",
  ]

  static func check(_ bytes: [UInt8]) throws(Disagreement) {
    let place = Scratch.file("terms.csv", bytes)
    defer { place.remove() }
    guard let faults = try? Terms.read(place.path).faults else {
      return try require(Self.faults(of: bytes)?.isEmpty ?? true, "no error is found in \(shown(bytes))")
    }
    // Quotes and long lines are for the second reading of payees.
    guard let expected = Self.faults(of: bytes), faults.count <= 1_000 else { return }
    let found = faults.listed.map { "\($0.line!): \($0.code)" + ($0.field.map { " at \($0)" } ?? "") }
    try require(found == expected, "\(found) are found, \(expected) are in \(shown(bytes))")
  }

  /// The errors of a file; nil if it has quotes, or what is no text.
  private static func faults(of bytes: [UInt8]) -> [String]? {
    var bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    guard !bytes.contains(UInt8(ascii: "\"")), String(validating: bytes, as: UTF8.self) != nil else { return nil }
    var (faults, seen, hasHeader) = ([String](), Set<[String]>(), false)
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (place, line) in lines.enumerated() {
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { continue }
      if line.count > 4096 { return nil }
      let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
        String(decoding: $0, as: UTF8.self)
      }
      if !hasHeader {
        if fields != columns { return ["\(place + 1): TERMS_HEADER"] }
        hasHeader = true
      } else if fields.count != columns.count {
        faults.append("\(place + 1): FIELD_COUNT")
      } else {
        let row = Dictionary(uniqueKeysWithValues: zip(columns, fields))
        faults += columns.compactMap { column in code(of: column, row, &seen).map { "\(place + 1): \($0) at \(column)" }
        }
      }
    }
    let last = lines.count - (lines.last!.isEmpty ? 1 : 0)
    return hasHeader ? faults : ["\(max(1, last)): TERMS_HEADER"]
  }

  /// What is wrong with a field; nil if nothing is.
  private static func code(of column: String, _ row: [String: String], _ seen: inout Set<[String]>) -> String? {
    let field = row[column]!
    func isDays(_ text: String) -> Bool {
      text.wholeMatch(of: /0|[1-9][0-9]{0,2}/) != nil && Int(text)! <= 365
    }
    let account = row["account"]!
    let isAccount = account == "*" || Account.canonical(account.utf8) != nil
    let isCurrency = currencies.contains(row["currency"]!)
    switch column {
    case "account": return isAccount ? nil : field.isEmpty ? "MISSING_FIELD" : "INVALID_ACCOUNT"
    case "currency": return isCurrency ? nil : field.isEmpty ? "MISSING_FIELD" : "CURRENCY_NOT_SUPPORTED"
    case "from":
      guard isDay(field) else { return field.isEmpty ? "MISSING_FIELD" : "INVALID_VALUE" }
      guard isAccount, isCurrency else { return nil }
      return seen.insert([account.lowercased(), row["currency"]!, field]).inserted ? nil : "DUPLICATE_TERMS"
    case "delay_days": return field.isEmpty || isDays(field) ? nil : "INVALID_VALUE"
    case "reserve_days":
      if field.isEmpty { return row["reserve_percent"]!.isEmpty ? nil : "MISSING_FIELD" }
      return isDays(field) ? nil : "INVALID_VALUE"
    case "reserve_percent":
      if field.isEmpty { return row["reserve_days"]!.isEmpty ? nil : "MISSING_FIELD" }
      let isPercent = field.wholeMatch(of: /(0|[1-9][0-9]{0,2})(\.[0-9]{1,2})?/) != nil && Double(field)! <= 100
      return isPercent ? nil : "INVALID_VALUE"
    default: return isMinimum(field, row["currency"]!) ? nil : "INVALID_AMOUNT"
    }
  }

  private static let currencies = Set(
    ("AUD BRL CAD CHF CZK DKK EUR GBP HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN SEK SGD THB TRY TWD USD")
      .split(separator: " ").map(String.init))

  private static func isDay(_ text: String) -> Bool {
    guard let match = text.wholeMatch(of: /(20[0-9]{2})-([0-9]{2})-([0-9]{2})/) else { return false }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: "UTC")!
    return DateComponents(year: Int(match.1), month: Int(match.2), day: Int(match.3)).isValidDate(in: calendar)
  }

  /// Whether an amount is empty, or has a form of the batch and at most its currency's decimals.
  private static func isMinimum(_ text: String, _ currency: String) -> Bool {
    if text.isEmpty { return true }
    guard let match = text.wholeMatch(of: /(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?/) else { return false }
    let (whole, rest) = (String(match.1), String(match.2 ?? ""))
    guard let exponent = Int(match.3 ?? "0"), abs(exponent) <= 64, whole.utf8.count + rest.utf8.count <= 64 else {
      return false
    }
    let digits = whole + rest
    guard currencies.contains(currency), digits.contains(where: { $0 != "0" }) else { return true }
    let decimals = rest.utf8.count - exponent - digits.reversed().prefix { $0 == "0" }.count
    return decimals <= (["HUF", "JPY", "TWD"].contains(currency) ? 0 : 2)
  }
}
