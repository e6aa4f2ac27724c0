import BatchFile
import ExactArithmetic
import Money
import Payments
import Reports
import Settlement

/// What the sender pays, the lines of the settlement, and their zero sum.
extension Explanation {
  mutating func addLines(_ assessor: borrowing PaymentAssessor) {
    addSender(assessor)
    let isSettled = assessor.outcome == .settled
    let lines = isSettled ? "Lines of \(SettlementReport.fileName)" : "Lines, were it completed"
    title("\(lines), without pay_key and kind")
    let (heading, rows) = table(assessor)
    for row in ClosingTable.table(heading, rows, texts: 3) { line(row) }
    title("Zero sum")
    line(zeroSum(assessor))
    if !isSettled {
      title("Nothing moves yet: the payment is \(assessor.outcome.name); \(SettlementReport.fileName) leaves it out.")
    }
  }

  private mutating func addSender(_ assessor: borrowing PaymentAssessor) {
    title("Sender")
    if assessor.kind == .chained {
      row("sends", "\(assessor.senderAmount), the gross of the primary receiver")
    } else {
      let gross = receivers.map { $0.figures.gross.description }
      let whose = receivers.count == 1 ? "the receiver's gross" : "the gross of all receivers"
      row("sends", "\(Self.sum(gross, assessor.senderAmount, of: "gross amounts")), \(whose)")
    }
    let (amount, fees) = (assessor.senderAmount, assessor.senderFees)
    row("pays", fees.isZero ? "\(amount); no fees on top" : "\(amount) + \(fees) fees = \(amount + fees)")
  }

  /// The rows as the report has them, without the columns that are the same in all of them.
  private func table(_ assessor: borrowing PaymentAssessor) -> (heading: [String], rows: [[String]]) {
    var text = TextBuffer()
    text.append(SettlementReport.header)
    SettlementReport.append(assessor, to: &text) { _, _ in }
    let rows = text.string.split(separator: "\n").map { line in
      var cells = line.split(separator: ",", omittingEmptySubsequences: false).dropFirst(2).map(String.init)
      // Of all that is left only the account is a text from the batch; amounts are shown whole.
      let account = Array(cells[1].utf8)
      cells[1] = Self.identifier(account, account.count)
      return cells
    }
    return (rows[0], Array(rows.dropFirst()))
  }

  private func zeroSum(_ assessor: borrowing PaymentAssessor) -> String {
    var balance = -(assessor.senderAmount + assessor.senderFees)
    var terms = [balance.description]
    for receiver in receivers {
      balance.add(receiver.figures.net)
      terms.append(receiver.figures.net.description)
    }
    balance.add(assessor.fees)
    return terms.joined(separator: " + ") + " net + \(assessor.fees) fees = \(balance)"
  }
}
