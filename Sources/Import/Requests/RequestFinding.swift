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
    "cancelUrl": "is not carried over: where the sender's browser goes is over when a batch is settled",
    "returnUrl": "is not carried over: where the sender's browser goes is over when a batch is settled",
    "requestEnvelope": "is not carried over: how PayPal answers is nothing to a batch",
    "clientDetails": "is not carried over: who calls PayPal is nothing to a batch",
    "reverseAllParallelPaymentsOnError": reversal,
    "fundingConstraint": "is not carried over: a batch says what a payment was funded from, not what it may be",
    "displayMaxTotalAmount": "is not carried over: what PayPal shows the sender is nothing to a batch",
    "memo": "is not carried over: only a payment of a batch has a memo",
    "pin": "is not carried over: a PIN stays with whoever asks for it, and pinVerified says that it was right",
    "payKeyDuration": "is not carried over: a batch has no place for it",
    "sender": "is not carried over: a batch names a sender by email or phone",
    "receiverList": "is not carried over: no field of a receiver that a batch has",
  ]
}

extension RequestFinding {
  init(_ fault: HereFault, line: Int) {
    self.init(line: line, payPalErrorID: fault.id, field: fault.field, reason: fault.reason)
  }
}
