import ExactArithmetic
import Postings
import Documents
import Rules
import Text

/// What the sender pays, the lines of the settlement, and their zero sum.
extension Explanation {
  mutating func addLines(_ judgement: borrowing Judgement) {
    addSender(judgement)
    let isSettled = judgement.outcome == .settled
    addLines(of: judgement.entry, isSettled ? "Lines of \(ReportKind.settlement.fileName)" : "Lines, if completed")
    if !isSettled {
      title(
        "Nothing moves yet: the payment is \(judgement.outcome.name); \(ReportKind.settlement.fileName) leaves it out.")
    }
  }

  /// The lines of an entry, and their zero sum.
  mutating func addLines(of entry: SettledEntry, _ name: String) {
    title("\(name), without the keys and kind")
    // Under the report's own names of its columns.
    let columns: [SettlementReport.Column] = [.role, .account, .currency, .gross, .passedOn, .fee, .net]
    var rows: [[String]] = []
    var nets: [ExactDecimal] = []
    for place in entry.postings.indices {
      let posting = entry.postings[place]
      let figures = [posting.gross, posting.passedOn, posting.fee, posting.net].map(\.description)
      let account = MessageText.identifier(Array(entry.account(of: place)))
      rows.append([posting.role.name.description, account, entry.currency.code] + figures)
      nets.append(posting.net)
    }
    for row in Table.lines(columns.map(\.name), rows, texts: 3) { line(row) }
    title("Zero sum")
    let balance = nets.reduce(entry.fees, +)
    line(nets.map(\.description).joined(separator: " + ") + " net + \(entry.fees) fees = \(balance)")
  }

  private mutating func addSender(_ judgement: borrowing Judgement) {
    title("Sender")
    if judgement.kind == .chained {
      row("sends", "\(judgement.senderAmount), the gross of the primary receiver")
    } else {
      let gross = receivers.map { $0.posting.gross.description }
      let whose = receivers.count == 1 ? "the receiver's gross" : "the gross of all receivers"
      row("sends", "\(Self.sum(gross, judgement.senderAmount, of: "gross amounts")), \(whose)")
    }
    let (amount, fees) = (judgement.senderAmount, judgement.senderFees)
    row("pays", fees.isZero ? "\(amount); no fees on top" : "\(amount) + \(fees) fees = \(amount + fees)")
  }
}
