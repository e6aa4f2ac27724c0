import Text

/// How the first record of a file differs from the header that it must be.
package struct HeaderDifference {
  let message: String
  /// The columns of the header that it was compared with.
  let columns: [String]

  /// The most unknown columns that are named.
  private static let mostShown = 5

  /// - Parameters:
  ///   - line: the first record's line.
  ///   - fields: its fields; none if the line is not a record.
  init(_ line: [UInt8], fields: [String], columns: [String]) {
    self.columns = columns
    message = Self.separators(line, columns) ?? Self.columns(fields, columns) ?? "the first record must be the header"
  }

  /// Other separators, if the line is a header with them.
  private static func separators(_ line: [UInt8], _ columns: [String]) -> String? {
    for (byte, name) in [(UInt8(ascii: ";"), "semicolons"), (0x09, "tabs"), (UInt8(ascii: "|"), "vertical bars")] {
      let fields = line.split(separator: byte, omittingEmptySubsequences: false)
      guard fields.count > 1, fields.contains(where: { isColumn(String(decoding: $0, as: UTF8.self), columns) }) else {
        continue
      }
      return "the fields are separated by \(name), not commas"
    }
    return nil
  }

  /// The columns that are missing, unknown or out of order; nil if the record is no header.
  private static func columns(_ found: [String], _ columns: [String]) -> String? {
    // A payee's own record may have one such field: its method.
    guard found.count(where: { isColumn($0, columns) }) > 1 else { return nil }
    let missing = columns.filter { !found.contains($0) }
    let unknown = found.filter { !columns.contains($0) }
    var parts: [String] = []
    if !missing.isEmpty { parts.append("lacks \(missing.joined(separator: ", "))") }
    if !unknown.isEmpty {
      let names = unknown.prefix(mostShown).map(shown).joined(separator: ", ")
      let others = unknown.count - mostShown
      parts.append("has \(names)\(others > 0 ? " and \(others) others" : "") besides")
    }
    if parts.isEmpty { parts.append("has its columns in another order, or twice") }
    return "the first record \(parts.joined(separator: " and "))"
  }

  /// Whether a text is the name of a column, in any letter case, in quotes or not.
  private static func isColumn(_ text: String, _ columns: [String]) -> Bool {
    let isQuoted = text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
    return columns.contains((isQuoted ? String(text.dropFirst().dropLast()) : text).lowercased())
  }

  /// A column's name, unless it has digits: then it may be a bank account in a file without a header.
  private static func shown(_ column: String) -> String {
    column.utf8.contains { $0 &- 0x30 < 10 } ? "a column with digits" : MessageText.quoted(column.utf8)
  }
}
