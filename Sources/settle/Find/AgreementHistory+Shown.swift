import BatchRun
import Console
import JSON
import Text

/// What the ledger keeps of an agreement, shown: its state, its records and its terms.
extension AgreementHistory {
  func json(_ key: String) -> JSONTree {
    [
      "preapprovalKey": .string(key), "status": .string(status),
      "sender": .given(agreement.sender), "currency": .string(agreement.terms.currency.code),
      "payments": .number(agreement.payments), "amount": .string(agreement.amount.description),
      "records": .array(records.map { ["action": .string($0.action.name), "run": .number($0.run)] }),
      "terms": agreement.terms.json,
    ]
  }

  /// Its lines for people.
  func lines(_ key: String) -> [String] {
    let sender = agreement.sender.isEmpty ? "not given" : MessageText.identifier(agreement.sender)
    return [
      "agreement \(key): \(status), sender \(sender)",
      "used by \(Terminal.count(agreement.payments, "payment")): \(agreement.terms.currency.code) "
        + agreement.amount.grouped,
      "records: " + records.map { "\($0.action.name) in run \($0.run)" }.joined(separator: ", "),
    ] + agreement.terms.lines
  }
}
