extension RequestImport {
  /// How the requests are written. A new format is a case here and a reader in a folder of its own.
  public enum Format: String, CaseIterable, Sendable {
    /// JSON objects, one or many.
    case json = "adaptive-json"
    /// Name-value pairs: query strings.
    case nameValue = "adaptive-nvp"
    /// URLs that PayPal Here was called with, and the URLs that it called back.
    case here

    /// What requests look like; messages contain it.
    public var expected: String {
      switch self {
      case .json: "objects like {\"actionType\":\"PAY\", ...}"
      case .nameValue: "query strings like actionType=PAY&currencyCode=USD&..."
      case .here: "URLs like paypalhere://takePayment?invoice=..."
      }
    }

    /// What the batch's id begins with.
    var batchPrefix: String { self == .here ? "here-" : "adaptive-" }

    /// Reads a text's requests.
    ///
    /// - Parameter skip: called for each part of the text that is skipped.
    /// - Returns: whether it was read to its end.
    func read(_ text: [UInt8], skip: (RequestFinding) -> Void, _ take: (Given) -> Void) -> Bool {
      switch self {
      case .json: return JSONRequests.read(text) { take(.adaptive($0)) }
      case .nameValue:
        NameValueRequests.read(text, skip: skip) { take(.adaptive($0)) }
        return true
      case .here:
        HereRequest.read(text) { take(.here($1, line: $0)) }
        return true
      }
    }
  }

  /// A request as its reader returns it.
  enum Given {
    case adaptive(PayRequest)
    /// A line of PayPal Here URLs, or why it cannot be read.
    case here(Result<HereRequest, HereFault>, line: Int)
  }
}
