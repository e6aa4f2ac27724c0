public enum StatementFormat: String, CaseIterable, Sendable {
  /// PayPal's Settlement Report, version 009: a folder for each account.
  case stl
  /// Plain CSV: a file for each account.
  case csv
  /// A page in the reader's language: a file for each account.
  case html
}
