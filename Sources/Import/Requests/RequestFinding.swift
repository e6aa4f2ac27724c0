/// A fault of a request, or a note on it.
public struct RequestFinding: Sendable, Equatable {
  /// The line of the field, from 1; if the field is missing, the first line of the request.
  public let line: Int
  /// The error id that PayPal's Adaptive Payments API gives for a fault, which keeps the request out of the batch; nil
  /// for a note on what the batch does not contain unchanged.
  public let payPalErrorID: Int?
  /// The field, as name-value pairs spell it; empty for the request as a whole, or for a line outside any request.
  public let field: String
  /// What is wrong and what was expected, or what became of the field.
  public let reason: String

  static let reversal = "is not carried over: settle always settles all receivers of a payment or none"

  /// Why fields of a request are not carried over, by the first part of their names.
  static let reasons = [
    "cancelUrl": "is not carried over: browser redirects do not apply to a batch",
    "returnUrl": "is not carried over: browser redirects do not apply to a batch",
    "requestEnvelope": "is not carried over: it only concerns PayPal's answer",
    "clientDetails": "is not carried over: it only describes the caller of PayPal's API",
    "reverseAllParallelPaymentsOnError": reversal,
    "fundingConstraint": "is not carried over: a batch says how a payment was funded, not how it may be funded",
    "displayMaxTotalAmount": "is not carried over: it only concerns what PayPal shows the sender",
    "memo": "is not carried over: only a payment of a batch has a memo",
    "pin": "is not carried over: a PIN stays with the party that asks for it; pinVerified says that it was right",
    "payKeyDuration": "is not carried over: a batch has no field for it",
    "sender": "is not carried over: a batch names a sender by email or phone",
    "receiverList": "is not carried over: a batch's receivers have no such field",
  ]
}

extension RequestFinding {
  init(_ fault: HereFault, line: Int) {
    self.init(line: line, payPalErrorID: fault.id, field: fault.field, reason: fault.reason)
  }
}
