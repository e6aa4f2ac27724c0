import BatchRun
import Failures
import Text

extension MadeRefunds {
  /// Writes the results of a shard's refunds, which come after all payments.
  func write(into step: StepDirectory) throws(Failure) {
    try step.write(settlement.bytes, count: settlement.count, to: "refund-settlement.csv")
    try step.write(rows.bytes, count: rows.count, to: "refunds.csv")
    var text = TextBuffer()
    for entry in entries {
      text.append("\(entry.refundKey),")
      text.append(key: entry.payment)
      text.append("," + Hexadecimal.text(entry.taken) + "\n")
    }
    try step.write(text.bytes, count: text.count, to: "refund-entries.csv")
  }
}
