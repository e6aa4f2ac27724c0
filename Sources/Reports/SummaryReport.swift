import BatchFile
import ExactArithmetic
import Money
import Payments
import Settlement

/// `summary.json`: the batch on one line. Nothing in it differs between two runs of the same batch.
public enum SummaryReport {
  /// The file's name.
  public static let fileName = "summary.json"

  /// One stored file of the batch.
  public struct StoredFile: Sendable {
    /// Its name as given, with control characters escaped.
    public let name: String
    /// Its size as stored, in bytes.
    public let bytes: Int
    /// The SHA-256 of its stored bytes, in lower-case hexadecimal digits.
    public let sha256: String

    /// A stored file.
    public init(name: String, bytes: Int, sha256: String) {
      self.name = name
      self.bytes = bytes
      self.sha256 = sha256
    }
  }

  /// The whole file.
  public static func write(
    version: String, batchID: String?, controlTotals: ControlTotalsState, files: [StoredFile], totals: ControlTotals,
    to text: inout TextBuffer
  ) {
    text.append("{\"engine\":{\"name\":\"settle\",\"version\":")
    JSONText.append(version, to: &text)
    text.append("},\"batch\":{\"id\":")
    if let batchID { JSONText.append(batchID, to: &text) } else { text.append("null") }
    text.append(",\"controlTotals\":\"\(controlTotals.rawValue)\",\"files\":[")
    for (index, file) in files.enumerated() {
      text.append(index == 0 ? "{\"name\":" : ",{\"name\":")
      JSONText.append(file.name, to: &text)
      text.append(",\"bytes\":\(file.bytes),\"sha256\":\"\(file.sha256)\"}")
    }
    text.append("]},\"records\":{\"read\":\(totals.recordsRead),\"settled\":\(totals[.settled]),")
    text.append("\"rejected\":\(totals[.rejected]),\"pending\":\(totals[.pending]),\"held\":\(totals[.held])}")
    append(
      counts: RejectionReason.allCases.map { ($0.code.description, totals.errors[Int($0.rawValue)]) },
      named: "errors", to: &text)
    append(
      counts: Notice.allCases.map { ($0.code.description, totals.notices[Int($0.rawValue)]) }, named: "notices",
      to: &text)
    append(totals, to: &text)
    text.append("}\n")
  }

  /// The codes that occurred, sorted.
  private static func append(counts: [(code: String, count: Int)], named name: String, to text: inout TextBuffer) {
    text.append(",\"\(name)\":{")
    let occurred = counts.filter { $0.count > 0 }.sorted { $0.code.utf8.lexicographicallyPrecedes($1.code.utf8) }
    for (index, entry) in occurred.enumerated() {
      text.append("\(index == 0 ? "" : ",")\"\(entry.code)\":\(entry.count)")
    }
    text.append("}")
  }

  private static func append(_ totals: ControlTotals, to text: inout TextBuffer) {
    text.append(",\"totals\":[")
    var isFirst = true
    for (currency, sums) in zip(Currency.all, totals.currencies) where sums.payments > 0 {
      text.append("\(isFirst ? "" : ","){\"currency\":\"\(currency.code)\",\"payments\":\(sums.payments)")
      append(sums.senderAmount, named: "senderAmount", to: &text)
      append(sums.senderFees, named: "senderFees", to: &text)
      append(sums.receiverNet, named: "receiverNet", to: &text)
      append(sums.fees, named: "fees", to: &text)
      append(sums.balance, named: "balance", to: &text)
      text.append("}")
      isFirst = false
    }
    text.append("]")
  }

  private static func append(_ figure: ExactDecimal, named name: String, to text: inout TextBuffer) {
    text.append(",\"\(name)\":\"")
    text.append(figure)
    text.append("\"")
  }
}
