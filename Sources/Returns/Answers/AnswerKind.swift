/// What an answer says.
enum AnswerKind: UInt8 {
  /// The payment came back, or was refused.
  case `return`
  /// The payment, or a whole file, left the account.
  case debit
  /// A return seen from the other side, or taken back.
  case reversal
  /// Money came in, and nothing says that it was a return.
  case credit
  /// The bank asks for other values next time; the payment was made.
  case change
  /// Another status of a payment.
  case status
  /// The status of a whole block or file.
  case whole
}
