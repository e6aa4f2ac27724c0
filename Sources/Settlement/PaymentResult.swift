import ExactArithmetic
import Money
import Postings
import Records
import Rules
import Text

/// The part that a party plays: `.sender`, `.receiver`, and in a chained payment `.primary` and `.secondary`. `name`
/// is the word in reports.
public typealias PartyRole = Records.PartyRole

/// What one payment becomes.
public struct PaymentResult: Sendable {
  /// The pay key; empty if there is no valid one.
  public let payKey: String
  /// What became of the payment.
  public let outcome: Outcome
  /// The currency of all amounts; nil if it is not valid.
  public let currency: Currency?
  /// The sender's posting, then the receivers' in their order; empty unless the payment is settled.
  public let postings: [PaymentPosting]
  /// Why the payment is rejected, in the order of `exceptions.csv`; empty unless it is.
  public let rejections: [RecordFinding]
  /// What is worth saying of the payment besides, in no particular order.
  public let notices: [RecordFinding]

  init(_ judgement: borrowing Judgement) {
    payKey = String(decoding: judgement.payKey.buffer, as: UTF8.self)
    outcome = judgement.outcome
    currency = judgement.currency
    postings = judgement.outcome == .settled ? judgement.entry.postings.map(PaymentPosting.init) : []
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

/// What one party of a settled payment gives or gets: `net = gross - passedOn - fee`.
///
/// What a party gets is above zero, what it gives below. The nets and fees of a payment sum to zero.
public struct PaymentPosting: Sendable {
  /// The party's account, in lower case; empty if the payment does not name its sender.
  public let account: String
  /// The part that the party plays.
  public let role: PartyRole
  /// What is sent to it, or, below zero, by it.
  public let gross: ExactDecimal
  /// What a primary receiver passes on to the secondary ones.
  public let passedOn: ExactDecimal
  /// The fees that it bears.
  public let fee: ExactDecimal
  /// What it ends up with.
  public let net: ExactDecimal

  init(_ posting: Posting) {
    let account = UnsafeBufferPointer(start: posting.account, count: posting.accountLength)
    self.account = String(decoding: account, as: UTF8.self)
    role = posting.role
    gross = posting.gross
    passedOn = posting.passedOn
    fee = posting.fee
    net = posting.net
  }
}
