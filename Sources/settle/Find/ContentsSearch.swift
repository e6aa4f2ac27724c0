import Documents
import ExactArithmetic
import Failures
import Ledger
import Text

/// Lists the payments and refunds of the nights that a payment of a payout consists of.
final class ContentsSearch: NightSearch {
  /// The first night whose rows do not add up to what the ledger booked.
  private(set) var failure: Failure?
  private let entries: [Int: AccountBook.Entry]
  private let rows: AccountPayments
  private let subject: String
  private var sum: ExactDecimal

  init(_ paid: PaidOut) {
    let payment = paid.payment
    let runs = paid.contents.entries.filter { $0.kind == .run }
    entries = Dictionary(uniqueKeysWithValues: runs.map { ($0.number, $0) })
    rows = AccountPayments(account: payment.account, asSender: false, currency: payment.currency)
    subject = "\(MessageText.identifier(payment.account, limit: .max)) \(payment.currency.code)"
    sum = .zero(at: -payment.currency.settlementExponent)
  }

  func look(at night: Night, _ reports: ReportSearch?, _ found: FoundNights) throws(Failure) {
    guard let reports, let entry = entries[night.number] else { return }
    var sum = sum
    try rows.show(night, reports, found) { sum.add($0) }
    guard sum != entry.amount, failure == nil else { return }
    let directory = night.shownDirectory
    failure = .inputOutput(
      "run \(night.number): \(directory)/settlement.csv: the rows of \(subject) add up to \(sum), and the ledger has "
        + "\(entry.amount): settle verify \(ShellWord.quoted(directory))")
  }

  func finish(_ found: FoundNights) {}
}
