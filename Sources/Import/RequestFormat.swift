extension RequestImport {
  /// How the requests are written. A new form is a case here, and a reader in a folder of its own.
  public enum Format: String, CaseIterable, Sendable {
    /// JSON objects, one or many.
    case json = "adaptive-json"
    /// Name-value pairs: query strings.
    case nameValue = "adaptive-nvp"

    /// What requests look like, in the words of messages.
    public var expected: String {
      switch self {
      case .json: "objects like {\"actionType\":\"PAY\", ...}"
      case .nameValue: "query strings like actionType=PAY&currencyCode=USD&..."
      }
    }

    /// Hands out the requests of a text, in order.
    ///
    /// - Parameter skip: told of commands and lines that have no request.
    /// - Returns: whether the whole text was read; it is not where too much of it cannot be read as what it is said to be.
    func read(_ text: [UInt8], skip: (RequestFinding) -> Void = { _ in }, _ take: (PayRequest) -> Void) -> Bool {
      switch self {
      case .json, .nameValue: RequestFile.read(text, isJSON: self == .json, skip: skip, take)
      }
    }
  }
}
