extension RequestImport {
  /// How the requests are written. A new form is a case here, and a reader in a folder of its own.
  public enum Format: String, CaseIterable, Sendable {
    /// JSON objects, one or many.
    case json = "adaptive-json"
    /// Name-value pairs: query strings.
    case nameValue = "adaptive-nvp"
    /// URLs that PayPal Here was called with, and what it called back.
    case here

    /// What requests look like, in the words of messages.
    public var expected: String {
      switch self {
      case .json: "objects like {\"actionType\":\"PAY\", ...}"
      case .nameValue: "query strings like actionType=PAY&currencyCode=USD&..."
      case .here: "URLs like paypalhere://takePayment?invoice=..."
      }
    }

    /// What the batch's id begins with.
    var batchPrefix: String { self == .here ? "here-" : "adaptive-" }
  }
}
