import BatchRun
import Console
import ExactArithmetic
import Money
import Records
import Reports
import Rules
import Text

/// One payment's arithmetic in words, step by step, as a person would check it.
struct Explanation {
  /// The text so far, lines with their ends.
  var text = ""
  /// The fields that have an error, as JSON Pointers.
  private var faultyFields: Set<String> = []
  /// The receivers, told apart: what is sent to each and its name for sentences.
  let receivers: [Part]

  /// What an explanation says of one receiver in several places.
  struct Part {
    let figures: ReceiverFigures
    let invoice: InvoiceFigures
    let split: SplitFigures?
    let tax: TaxFigures?
    let account: String

    /// What is sent to it; nil if that cannot be told.
    var gross: ExactDecimal? {
      figures.areAmountsKnown || split?.isDivided == true ? figures.posting.pointee.gross : nil
    }
  }

  /// Explains the record that the assessor holds.
  ///
  /// - Parameters:
  ///   - place: its file and line.
  ///   - earlier: the file and line of the first record with its key, if it is a repetition.
  ///   - met: what its claim on an agreement or a settled payment met, if it has one.
  init(of assessor: inout RecordAssessor, at place: String, earlier: String?, _ met: ClaimTrace.Met? = nil) {
    // Of a record with a structural error nothing is known but that.
    let isRead = assessor.findings.first?.reason.isStructural != true
    receivers = (0..<(isRead ? assessor.explainableReceivers : 0)).map { place in
      let figures = assessor.receiver(place).pointee
      let account = Self.identifier(figures.posting.pointee.account, figures.posting.pointee.accountLength)
      return Part(
        figures: figures, invoice: assessor.invoiceFigures(of: place), split: assessor.splitFigures(of: place),
        tax: assessor.taxFigures(of: place), account: account.isEmpty ? "no valid account" : account)
    }
    let errors = self.errors(of: &assessor)
    switch assessor.recordType {
    case .refund where isRead: addRefund(assessor, at: place, errors, earlier: earlier, met)
    case .preapproval where isRead: addPreapproval(assessor, at: place, errors, met)
    default:
      addHeading(assessor, at: place, isRead: isRead)
      addErrors(errors, earlier: earlier)
      addPayment(assessor, met)
    }
    addNotices(&assessor)
  }

  private mutating func addPayment(_ assessor: borrowing RecordAssessor, _ met: ClaimTrace.Met?) {
    if case .agreement(let before, let after, let payment?) = met { addAgreement(before, after, payment) }
    for place in receivers.indices { addReceiver(place, of: assessor) }
    if receivers.count < assessor.receiverCount {
      title("\(assessor.receiverCount - receivers.count) more in receiverPaymentDetails, not explained")
    }
    if assessor.hasFees { addFees(assessor) }
    if assessor.outcome == .rejected {
      title("Rejected: no money moves, and no fee is charged.")
    } else {
      addLines(assessor)
    }
  }

  // MARK: Heading

  private mutating func addHeading(_ assessor: borrowing RecordAssessor, at place: String, isRead: Bool) {
    let key = Self.identifier(assessor.payKey.bytes, assessor.payKey.count)
    let name = isRead ? "Payment \(key.isEmpty ? "without a valid key" : key)" : "Record"
    text = "\(name): \(assessor.outcome.name)\n"
    row("record", place)
    guard isRead else { return }
    row("kind", kind(assessor))
    row("currency", told(assessor.currency.map { "\($0.code), \(Self.decimals($0))" }, "/paymentCurrency"))
    row("status", told(assessor.status.map { status($0, assessor.outcome) }, "/status"))
    row("fee payer", told(assessor.feePayer?.name, "/feePayer"))
    let sender = Self.identifier(assessor.sender.bytes, assessor.sender.count)
    row("sender", told(sender.isEmpty ? nil : sender, "/sender"))
    row("sender country", told(assessor.senderCountry?.code, "/senderCountry"))
    row("funding source", told(assessor.fundingSource?.name, "/fundingSource"))
    let agreement = Self.identifier(assessor.preapprovalKey.bytes, assessor.preapprovalKey.count)
    if !agreement.isEmpty { row("agreement", agreement) }
    if let card = assessor.card {
      row("card", faultyFields.contains("/card") ? told(nil, "/card") : self.card(card))
    }
  }

  /// A card's number masked, how it was read, and how long it is good.
  private func card(_ card: PaymentCard) -> String {
    let month = card.month.map { "good until \($0.month)/\($0.year)" }
    return [
      told(card.number?.shown, "/card/cardNumber", "number"), told(card.entry?.name, "/card/entry", "entry"),
      told(month, "/card/expirationDate", "expiration date"),
    ].joined(separator: ", ")
  }

  private func kind(_ assessor: borrowing RecordAssessor) -> String {
    guard let kind = assessor.kind else { return "cannot be told (see the errors)" }
    let count = assessor.receiverCount
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

  /// A value, or why there is none.
  func told(_ value: String?, _ field: String, _ name: String? = nil) -> String {
    value ?? (name.map { "\($0) " } ?? "") + (faultyFields.contains(field) ? "not valid (see the errors)" : "not given")
  }

  // MARK: Errors and notices

  private mutating func errors(of assessor: inout RecordAssessor) -> [String] {
    var message = TextBuffer()
    return assessor.findings.map { finding in
      faultyFields.insert(TextBuffer.string { assessor.writeField(of: finding, to: &$0) })
      return TextBuffer.string { FindingsReport.append(finding, .text, of: &assessor, message: &message, to: &$0) }
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

  private mutating func addNotices(_ assessor: inout RecordAssessor) {
    guard !assessor.notices.isEmpty else { return }
    title("Notices")
    var message = TextBuffer()
    for notice in assessor.notices {
      text +=
        "  " + TextBuffer.string { FindingsReport.append(notice, .text, of: assessor, message: &message, to: &$0) }
    }
  }
}
