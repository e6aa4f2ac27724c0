import BatchRun
import Bytes
import Failures
import Text

extension MadeRefunds {
  /// Writes the results of a shard's refunds, which come after all payments.
  func write(into step: StepDirectory) throws(Failure) {
    try step.write(settlement.span, to: "refund-settlement.csv")
    try step.write(rows.span, to: "refunds.csv")
    if showsNames { try step.write(fees.span, to: ShardWork.fees[1]) }
    var text = TextBuffer()
    for entry in entries {
      text.append("\(entry.refundKey),")
      text.append(key: entry.payment)
      text.append("," + Hexadecimal.text(entry.taken) + "\n")
    }
    try step.write(text.span, to: "refund-entries.csv")
  }
}
