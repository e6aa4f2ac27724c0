import Console
import ExactArithmetic
import JSON
import LedgerRuns

extension FoundRecord.Party {
  static let columns = Listing<Self>([
    ListColumn("account", absent: "not given") { $0.account },
    ListColumn("role") { $0.role },
    ListColumn("gross") { $0.gross },
    ListColumn("passedOn", title: "passed on") { $0.passedOn },
    ListColumn("fee") { $0.fee },
    ListColumn("net") { $0.net },
  ])
}

/// How a found record is shown.
extension FoundRecord {
  // MARK: As JSON

  /// Its fields, the same for every record.
  var json: [(String, JSONTree)] {
    [
      ("outcome", .string(outcome)), ("payKey", .given(payKey)), ("refundKey", .given(refundKey)),
      ("preapprovalKey", .given(preapprovalKey)), ("kind", .given(kind)), ("currency", .given(currency)),
      ("amount", .given(amount?.description)), ("parties", parties.map(Party.columns.array) ?? .null),
      ("agreement", agreement.map(Self.json) ?? .null), ("file", .given(place?.file)),
      ("line", place.map { .number($0.line) } ?? .null), ("errors", .array(errors.map(Self.json))),
      ("ledger", ledger), ("paidOut", paidOut.map(ShownWay.columns.array) ?? .null),
    ]
  }

  private static func json(_ agreement: AgreementNight) -> JSONTree {
    [
      "actions": .array(agreement.actions.map(JSONTree.string)), "payments": .number(agreement.payments),
      "amount": .string("\(agreement.amount)"),
      "after": agreement.after.map { after in
        [
          "status": .string(after.status), "sender": .given(after.sender), "payments": .number(after.payments),
          "amount": .string("\(after.amount)"),
        ]
      } ?? .null,
    ]
  }

  private static func json(_ error: Failing) -> JSONTree {
    [
      "code": .string(error.code), "field": .given(error.field),
      "paypalErrorId": error.payPalErrorID.map(JSONTree.number) ?? .null, "message": .string(error.message),
    ]
  }

  /// What the ledger has of it, over all nights.
  private var ledger: JSONTree {
    switch known {
    case .payment(let history): history.json(payKey ?? "")
    case .refund(let refund): refund.json
    case .nothing: agreement.map { $0.history.json(preapprovalKey ?? "") } ?? .null
    }
  }

  // MARK: For people

  /// Its lines.
  var text: [String] {
    var title = "\(outcome)  \(subject)"
    if let kind, refundKey == nil { title += ", \(kind)" }
    if let currency, let amount { title += ", \(currency) \(amount.grouped)" }
    if let place { title += ", \(place.file):\(place.line)" }
    let errors = errors.map { "\($0.code)\($0.field.isEmpty ? "" : " at \($0.field)"): \($0.message)" }
    let ways = paidOut.map(ShownWay.lines) ?? []
    return [title] + (partyLines + agreementLines + errors + ways).map { "  " + $0 }
  }

  private var subject: String {
    if let refundKey { return "refund \(refundKey)" + (payKey.map { " of payment \($0)" } ?? "") }
    let agreement = preapprovalKey.map { "agreement \($0)" }
    return payKey.map { "payment \($0)" + (agreement.map { " under \($0)" } ?? "") } ?? agreement ?? ""
  }

  private var partyLines: [String] {
    let history = if case .payment(let history) = known { history } else { nil as PaymentHistory? }
    let table = parties.map(Party.columns.table)
    return (table ?? []) + (history?.lines(isBelowParties: table != nil) ?? [])
  }

  private var agreementLines: [String] {
    guard let agreement, let currency else { return [] }
    func use(_ payments: Int, _ amount: ExactDecimal) -> String {
      "used by \(Terminal.count(payments, "payment")): \(currency) \(amount.grouped)"
    }
    let after = agreement.after.map {
      ["after the night: \($0.status), sender \(Self.name($0.sender)), \(use($0.payments, $0.amount))"]
    }
    return (agreement.actions.isEmpty ? [] : [agreement.actions.joined(separator: ", ")])
      + (agreement.payments == 0 ? [] : [use(agreement.payments, agreement.amount)]) + (after ?? [])
  }

  private static func name(_ account: String) -> String { account.isEmpty ? "not given" : account }
}
