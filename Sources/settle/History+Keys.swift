import BatchRun
import Console
import ExactArithmetic
import JSON
import Records
import Rules
import Text

/// One payment, or one agreement, over all nights.
extension History {
  func tell(payment payKey: String) throws(RunFailure) -> Int32 {
    let search = try LedgerSearch(ledger: ledger)
    let payment = try search.history(of: Array(payKey.utf8)).payment
    let (text, json) = (payment.map { Self.text(payKey, $0) }, payment.map { Self.json(payKey, $0) })
    return try tell(search, text, json, otherwise: "no run of the ledger settled a payment with that key")
  }

  func tell(agreement key: String) throws(RunFailure) -> Int32 {
    let search = try LedgerSearch(ledger: ledger)
    let agreement = try search.history(of: Array(key.utf8)).agreement
    let (text, json) = (agreement.map { Self.text(key, $0) }, agreement.map { Self.json(key, $0) })
    return try tell(search, text, json, otherwise: "the ledger has no agreement with that key")
  }

  func tell(
    _ search: LedgerSearch, _ text: String?, _ json: JSONTree?, otherwise: String
  ) throws(RunFailure) -> Int32 {
    Log.warn(about: search.history)
    guard let text, let json else {
      Log.error(otherwise)
      return 1
    }
    try Terminal.emit([format == .table ? text : json.description])
    return 0
  }

  // MARK: A payment

  static func json(_ payKey: String, _ history: PaymentHistory) -> JSONTree {
    let payment = history.payment?.payment
    return [
      "payKey": .string(payKey), "run": .number(history.run), "kind": given(payment?.kind.name.description),
      "currency": given(payment?.currency.code), "sender": given(payment.map { $0.sender }),
      "preapprovalKey": given(payment.map { $0.preapprovalKey }), "senderAmount": amount(payment?.senderAmount),
      "refunded": amount(history.payment?.refunded), "remaining": amount(history.payment?.remaining),
      "receivers": history.payment.map { refunded in
        .array(
          refunded.payment.receivers.enumerated().map { place, receiver in
            [
              "account": given(receiver.account), "role": .string(receiver.role.name.description),
              "refundable": amount(receiver.refundable), "refunded": amount(refunded.taken[place]),
            ]
          })
      } ?? .null,
      "refunds": .array(history.refunds.map(json)),
    ]
  }

  static func json(_ refund: EarlierTaking) -> JSONTree {
    [
      "refundKey": .string(refund.refundKey), "run": .number(refund.run), "amount": amount(refund.amount),
      "feesReturned": amount(refund.feesReturned),
    ]
  }

  private static func text(_ payKey: String, _ history: PaymentHistory) -> String {
    var lines = ["payment \(payKey), settled by run \(history.run)"]
    if let refunded = history.payment {
      let payment = refunded.payment
      lines.append("\(payment.kind.name), \(payment.currency.code), from \(name(payment.sender))")
      if !payment.preapprovalKey.isEmpty { lines.append("under the agreement \(name(payment.preapprovalKey))") }
      lines += receiverTable(refunded)
    }
    return (lines + refundLines(history)).joined(separator: "\n  ")
  }

  /// The receivers, and what refunds took from each.
  static func receiverTable(_ refunded: RefundedPayment) -> [String] {
    ClosingTable.table(
      ["account", "role", "refundable", "refunded"],
      refunded.payment.receivers.enumerated().map { place, receiver in
        [
          name(receiver.account), receiver.role.name.description, grouped(receiver.refundable),
          grouped(refunded.taken[place]),
        ]
      }, texts: 2)
  }

  /// What refunds left of a payment, and each refund.
  static func refundLines(_ history: PaymentHistory) -> [String] {
    let left = history.payment.map { refunded in
      "sent \(grouped(refunded.payment.senderAmount)), refunded \(grouped(refunded.refunded)), "
        + "remaining \(grouped(refunded.remaining))"
    }
    let refunds = history.refunds.map {
      ["\($0.refundKey)", "\($0.run)", grouped($0.amount), grouped($0.feesReturned)]
    }
    return [left ?? "the ledger does not keep who sent what to whom, or not any more"]
      + (refunds.isEmpty ? [] : ClosingTable.table(["refund", "run", "amount", "fees returned"], refunds))
  }

  // MARK: An agreement

  static func json(_ key: String, _ history: AgreementHistory) -> JSONTree {
    let agreement = history.agreement
    return [
      "preapprovalKey": .string(key), "status": .string(agreement.status.rawValue),
      "sender": given(agreement.sender), "currency": .string(agreement.terms.currency.code),
      "payments": .number(agreement.payments), "amount": amount(agreement.amount),
      "records": .array(
        history.records.map { ["action": .string($0.action.name), "run": .number($0.run)] }),
      "terms": .object(terms(agreement.terms).map { (Array($0.definition.name.description.utf8), $1) }),
    ]
  }

  /// The terms under the names of a record's fields; absent fields have the values they imply.
  private static func terms(_ terms: AgreementTerms) -> [(field: PreapprovalField, value: JSONTree)] {
    func count(_ count: Int?) -> JSONTree { count.map { .number($0) } ?? .null }
    return [
      (.startingDate, .string(terms.firstDay.text + "Z")), (.endingDate, .string(terms.lastDay.text + "Z")),
      (.currencyCode, .string(terms.currency.code)), (.maxTotalAmountOfAllPayments, amount(terms.total)),
      (.maxAmountPerPayment, amount(terms.perPayment)), (.maxNumberOfPayments, count(terms.count)),
      (.maxNumberOfPaymentsPerPeriod, count(terms.countPerPeriod)), (.paymentPeriod, .string(terms.period.name)),
      (.dateOfMonth, .number(terms.dateOfMonth)), (.dayOfWeek, .string(terms.dayOfWeek.name)),
      (.pinType, .string(terms.pinType.name)), (.feesPayer, .string(terms.feesPayer.name)),
    ]
  }

  /// The terms for people, one a line.
  static func termLines(_ terms: AgreementTerms) -> [String] {
    self.terms(terms).map { field, value in
      let shown = if case .string(let text) = value { String(decoding: text, as: UTF8.self) } else { "\(value)" }
      return "\(field.definition.name): \(shown == "null" ? "no limit" : shown)"
    }
  }

  private static func text(_ key: String, _ history: AgreementHistory) -> String {
    let agreement = history.agreement
    let records = history.records.map { "\($0.action.name) in run \($0.run)" }.joined(separator: ", ")
    let lines =
      [
        "agreement \(key): \(agreement.status.rawValue), sender \(name(agreement.sender))",
        "used by \(Terminal.count(agreement.payments, "payment")): "
          + "\(agreement.terms.currency.code) \(grouped(agreement.amount))",
        "records: \(records)",
      ]
      + termLines(agreement.terms)
    return lines.joined(separator: "\n  ")
  }

  // MARK: Values

  private static func grouped(_ amount: ExactDecimal) -> String { ClosingTable.grouped(amount) }

  private static func amount(_ amount: ExactDecimal?) -> JSONTree { given(amount?.description) }

  private static func given(_ text: String?) -> JSONTree { text.map { .string($0) } ?? .null }

  /// A key or account; null if it was not given.
  private static func given(_ bytes: [UInt8]?) -> JSONTree {
    given(bytes.flatMap { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) })
  }

  private static func name(_ bytes: [UInt8]) -> String { bytes.isEmpty ? "not given" : MessageText.identifier(bytes) }
}
