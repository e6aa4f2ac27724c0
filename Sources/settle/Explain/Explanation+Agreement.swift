import BatchRun
import Console
import ExactArithmetic
import Money
import Records
import Rules
import Text

/// An agreement: what a record does to it, and what it means for a payment.
extension Explanation {
  mutating func addPreapproval(
    _ judgement: borrowing Judgement, at place: String, _ errors: [String], _ met: ClaimTrace.Met?
  ) {
    let key = MessageText.identifier(Array(judgement.preapprovalKey))
    text = "Preapproval \(key.isEmpty ? "without a valid key" : key): \(judgement.outcome.name)\n"
    row("record", place)
    if let record = judgement.agreementRecord {
      row("action", record.action.name)
      row("sender", record.sender.isEmpty ? "not given" : MessageText.identifier(record.sender))
    }
    addErrors(errors, earlier: nil)
    guard case .agreement(let before, let after, _) = met else { return }
    title("Agreement")
    row("before", before?.status.rawValue ?? "none")
    row("after", after?.status.rawValue ?? "none")
    if let agreement = after ?? before { addTerms(agreement) }
  }

  private mutating func addTerms(_ agreement: Agreement) {
    row("sender", agreement.sender.isEmpty ? "none yet" : MessageText.identifier(agreement.sender))
    for term in agreement.terms.lines { line(term) }
  }

  /// The agreement that a payment names, before and after the payment.
  mutating func addAgreement(_ before: Agreement?, _ after: Agreement?, _ payment: AgreementPayment) {
    title("Agreement: \(before?.status.rawValue ?? "none with this key")")
    guard let before else { return }
    addTerms(before)
    guard before.status == .active else { return }
    title("Each check")
    for row in Table.lines(["check", "payment", "agreement"], checks(before, payment), texts: 2) { line(row) }
    title("Used")
    let days = before.terms.period.days(around: payment.day, first: before.terms.firstDay)
    row("period", days.map { "\($0.lowerBound.text) to \($0.upperBound.text)" } ?? "the whole life of the agreement")
    for (label, agreement) in [("before", before), ("after", after ?? before)] {
      row(
        label,
        "\(Terminal.count(agreement.payments, "payment")), \(agreement.amount) \(agreement.terms.currency.code); "
          + "in the period \(agreement.payments(inPeriodOf: payment.day))")
    }
  }

  /// What is checked, the payment's value, and what was agreed.
  private func checks(_ agreement: Agreement, _ payment: AgreementPayment) -> [[String]] {
    let (terms, day) = (agreement.terms, payment.day)
    let weekday = DayOfWeek(number: UInt8(day.weekday + 1))?.name ?? ""
    func limit(_ limit: some CustomStringConvertible) -> String { "at most \(limit)" }
    var checks = [
      ["sender", MessageText.identifier(payment.sender), MessageText.identifier(agreement.sender)],
      ["currency", payment.currency.code, terms.currency.code],
      ["fee payer", payment.feePayer.name, terms.feesPayer.feePayer.name],
      ["PIN", payment.isPINVerified ? "verified" : "not verified", terms.pinType.name],
      ["day", day.text, "\(terms.firstDay.text) to \(terms.lastDay.text)"],
      ["day of the week", weekday, terms.dayOfWeek.name],
      ["day of the month", "\(day.day)", terms.dateOfMonth == 0 ? "any" : "\(terms.dateOfMonth), or the last"],
      ["payments with this one", "\(agreement.payments + 1)", terms.count.map { limit($0) } ?? "no limit"],
      [
        "in the period with this one", "\(agreement.payments(inPeriodOf: day) + 1)",
        terms.countPerPeriod.map { limit($0) } ?? "no limit",
      ],
    ]
    guard payment.currency == terms.currency else { return checks }
    checks.append([
      "amount, fees on top included", "\(payment.amount)", terms.perPayment.map { limit($0) } ?? "no limit",
    ])
    checks.append(["amounts with this one", "\(agreement.amount + payment.amount)", limit(terms.total)])
    return checks
  }
}
