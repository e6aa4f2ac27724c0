import BatchRun
import Console
import ExactArithmetic
import Money
import Postings
import Records
import Documents
import Rules
import Text

/// One payment's arithmetic in words, step by step, as a person would check it.
struct Explanation {
  /// The text so far, with line ends.
  var text = ""
  /// The fields that have an error, as JSON Pointers.
  private var faultyFields: Set<String> = []
  let rules: SettlementRules
  /// The receivers: what is sent to each, and its name for sentences.
  let receivers: [Part]

  /// What an explanation says about one receiver in several places.
  struct Part {
    let figures: ReceiverFigures
    let posting: Posting
    let invoice: InvoiceFigures
    let split: SplitFigures?
    let tax: TaxFigures?
    let fee: FeeFigures?
    let account: String

    /// What is sent to it; nil if that is not known.
    var gross: ExactDecimal? {
      figures.areAmountsKnown || split?.isDivided == true ? posting.gross : nil
    }
  }

  /// Explains the record that a judge holds.
  ///
  /// - Parameters:
  ///   - place: its file and line.
  ///   - earlier: the file and line of the first record with the same key, if this one repeats it.
  ///   - met: the state that its claim on an agreement or a settled payment found, if it makes one.
  init(of judge: inout RecordJudge, at place: String, earlier: String?, _ met: ClaimTrace.Met? = nil) {
    rules = judge.rules
    // A record with a structural error has no fields that can be explained.
    let isRead = judge.judgement.findings.first?.reason.isStructural != true
    receivers = (0..<(isRead ? judge.judgement.explainableReceivers : 0)).map { place in
      let figures = judge.judgement.receiver(place)
      let account = MessageText.identifier(Array(judge.judgement.account(of: place)))
      return Part(
        figures: figures, posting: judge.judgement.posting(of: place), invoice: judge.invoiceFigures(of: place),
        split: judge.judgement.splitFigures(of: place),
        tax: judge.taxFigures(of: place), fee: judge.judgement.hasFees ? judge.feeFigures(of: place) : nil,
        account: account.isEmpty ? "no valid account" : account)
    }
    let errors = self.errors(of: judge.judgement)
    switch judge.judgement.recordType {
    case .refund where isRead: addRefund(judge.judgement, at: place, errors, earlier: earlier, met)
    case .preapproval where isRead: addPreapproval(judge.judgement, at: place, errors, met)
    default:
      addHeading(judge.judgement, at: place, isRead: isRead)
      addErrors(errors, earlier: earlier)
      addPayment(&judge, met)
    }
    addNotices(of: judge.judgement)
  }

  private mutating func addPayment(_ judge: inout RecordJudge, _ met: ClaimTrace.Met?) {
    if case .agreement(let before, let after, let payment?) = met { addAgreement(before, after, payment) }
    for place in receivers.indices { addReceiver(place, of: &judge) }
    if receivers.count < judge.judgement.receiverCount {
      title("\(judge.judgement.receiverCount - receivers.count) more in receiverPaymentDetails, not explained")
    }
    if judge.judgement.hasFees { addFees(judge.judgement) }
    if judge.judgement.outcome == .rejected {
      title("Rejected: no money moves, and no fee is charged.")
    } else {
      addLines(judge.judgement)
    }
  }

  // MARK: Heading

  private mutating func addHeading(_ judgement: borrowing Judgement, at place: String, isRead: Bool) {
    let key = MessageText.identifier(Array(judgement.payKey))
    let name = isRead ? "Payment \(key.isEmpty ? "without a valid key" : key)" : "Record"
    text = "\(name): \(judgement.outcome.name)\n"
    row("record", place)
    guard isRead else { return }
    row("kind", kind(judgement))
    row("currency", given(judgement.currency.map { "\($0.code), \(Self.decimals($0))" }, "/paymentCurrency"))
    row("status", given(judgement.status.map { status($0, judgement.outcome) }, "/status"))
    row("fee payer", given(judgement.feePayer?.name, "/feePayer"))
    let sender = MessageText.identifier(Array(judgement.sender))
    row("sender", given(sender.isEmpty ? nil : sender, "/sender"))
    row("sender country", given(judgement.senderCountry?.code, "/senderCountry"))
    row("funding source", given(judgement.fundingSource?.name, "/fundingSource"))
    let agreement = MessageText.identifier(Array(judgement.preapprovalKey))
    if !agreement.isEmpty { row("agreement", agreement) }
    if let card = judgement.card {
      row("card", faultyFields.contains("/card") ? given(nil, "/card") : self.card(card))
    }
  }

  /// A card's masked number, how it was read, and until when it is valid.
  private func card(_ card: PaymentCard) -> String {
    let month = card.month.map { "good until \($0.month)/\($0.year)" }
    return [
      given(card.number?.shown, "/card/cardNumber", "number"), given(card.entry?.name, "/card/entry", "entry"),
      given(month, "/card/expirationDate", "expiration date"),
    ].joined(separator: ", ")
  }

  private func kind(_ judgement: borrowing Judgement) -> String {
    guard let kind = judgement.kind else { return "unknown (see the errors)" }
    let count = judgement.receiverCount
    switch kind {
    case .simple: return "SIMPLE: one receiver"
    case .parallel: return "PARALLEL: \(count) receivers, none of them primary"
    case .chained: return "CHAINED: a primary receiver and \(count - 1) secondary"
    }
  }

  private func status(_ status: PaymentStatus, _ outcome: Outcome) -> String {
    outcome == .rejected ? "\(status.name), but with an error -> REJECTED" : "\(status.name) -> \(outcome.name)"
  }

  private static func decimals(_ currency: Currency) -> String {
    currency.settlementExponent == 0 ? "no decimals" : "\(currency.settlementExponent) decimals"
  }

  /// A value, or why it is missing.
  func given(_ value: String?, _ field: String, _ name: String? = nil) -> String {
    value ?? (name.map { "\($0) " } ?? "") + (faultyFields.contains(field) ? "not valid (see the errors)" : "not given")
  }

  // MARK: Errors and notices

  private mutating func errors(of judgement: borrowing Judgement) -> [String] {
    judgement.findings.map { finding in
      faultyFields.insert(TextBuffer.string { judgement.writeField(of: finding, to: &$0) })
      return FindingsReport.line(finding, of: judgement)
    }
  }

  mutating func addErrors(_ errors: [String], earlier: String?, isRefund: Bool = false) {
    guard !errors.isEmpty else { return }
    title("Why it is rejected: \(Terminal.count(errors.count, "error"))")
    for error in errors { text += "  " + error }
    guard let earlier else { return }
    line(
      isRefund
        ? "It repeats the refund key of \(earlier); only the first refund with a key can be made."
        : "It repeats the pay key of \(earlier); only the first payment with a key can settle.")
  }

  private mutating func addNotices(of judgement: borrowing Judgement) {
    guard !judgement.notices.isEmpty else { return }
    title("Notices")
    for notice in judgement.notices { text += "  " + FindingsReport.line(notice, of: judgement) }
  }
}
