import ExactArithmetic
import Money
import Postings
import Records
import Rules
import Text

/// A party's role: `.sender`, `.receiver`, and in a chained payment `.primary` and `.secondary`. `name` is the word in
/// reports.
public typealias PartyRole = Records.PartyRole

/// The result of settling one payment.
public struct PaymentResult: Sendable {
  /// The pay key; empty if there is no valid one.
  public let payKey: String
  /// The payment's outcome.
  public let outcome: Outcome
  /// The currency of all amounts; nil if it is not valid.
  public let currency: Currency?
  /// The sender's posting, then the receivers' in their order; empty unless the payment is settled.
  public let postings: [PaymentPosting]
  /// Why the payment is rejected, in the order of `exceptions.csv`; empty if it is not.
  public let rejections: [RecordFinding]
  /// The payment's notices, in no particular order.
  public let notices: [RecordFinding]

  init(_ judgement: borrowing Judgement) {
    payKey = String(decoding: judgement.payKey)
    outcome = judgement.outcome
    currency = judgement.currency
    postings =
      judgement.outcome == .settled
      ? (0...judgement.receiverCount).map { PaymentPosting($0, of: judgement.entry) } : []
    let payKey = payKey
    rejections = judgement.findings.map { finding in
      RecordFinding(
        payKey: payKey, isNotice: false, code: finding.reason.code.description,
        field: TextBuffer.string { judgement.writeField(of: finding, to: &$0) },
        message: TextBuffer.string { judgement.writeMessage(of: finding, to: &$0) },
        payPalErrorID: finding.reason.payPalErrorID)
    }
    notices = judgement.notices.map { notice in
      RecordFinding(
        payKey: payKey, isNotice: true, code: notice.notice.code.description,
        field: TextBuffer.string { judgement.writeField(of: notice, to: &$0) },
        message: TextBuffer.string { judgement.writeMessage(of: notice, to: &$0) })
    }
  }
}

/// What one party of a settled payment pays or gets: `net = gross - passedOn - fee`.
///
/// What a party gets is above zero; what it pays is below. The nets and fees of a payment sum to zero.
public struct PaymentPosting: Sendable {
  /// The party's account, in lower case; empty if the payment does not name its sender.
  public let account: String
  /// The party's role.
  public let role: PartyRole
  /// What is sent to the party, or, below zero, by it.
  public let gross: ExactDecimal
  /// What a primary receiver passes on to the secondary receivers.
  public let passedOn: ExactDecimal
  /// The fees that the party bears.
  public let fee: ExactDecimal
  /// What the party gets after fees; for the sender, below zero, what it pays.
  public let net: ExactDecimal

  init(_ place: Int, of entry: SettledEntry) {
    account = String(decoding: entry.account(of: place))
    let posting = entry.postings[place]
    role = posting.role
    gross = posting.gross
    passedOn = posting.passedOn
    fee = posting.fee
    net = posting.net
  }
}
