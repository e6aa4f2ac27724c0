import Bytes
import Ledger
import Text

/// What a ledger keeps of an agreement, as a row.
enum AgreementRow {
  /// Appends the row: key, records, then period, payments and amount of each use.
  static func append(_ entry: AgreementEntry, to text: inout TextBuffer) {
    let records = entry.records.map { Hexadecimal.text($0) }.joined(separator: " ")
    let uses = entry.uses.map { "\($0.period):\($0.payments):\($0.amount)" }.joined(separator: " ")
    text.append("\(entry.preapprovalKey),\(records),\(uses)\n")
  }

  /// Reads a row; nil if it is malformed.
  static func entry(_ row: Span<UInt8>) -> AgreementEntry? {
    let fields = String(decoding: row).split(separator: ",", omittingEmptySubsequences: false)
    guard fields.count == 3 else { return nil }
    var uses: [AgreementEntry.Use] = []
    for use in fields[2].split(separator: " ") {
      let parts = use.split(separator: ":")
      guard parts.count == 3, let period = Int64(parts[0]), let payments = Int(parts[1]) else { return nil }
      uses.append(AgreementEntry.Use(period: period, payments: payments, amount: String(parts[2])))
    }
    return AgreementEntry(
      preapprovalKey: String(fields[0]),
      records: fields[1].split(separator: " ").compactMap { Hexadecimal.bytes($0.utf8) }, uses: uses)
  }
}
