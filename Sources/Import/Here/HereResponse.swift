/// The URL that PayPal Here calls back after it was called (`here.md`, "The response URL").
public enum HereResponse {
  /// The response to one URL; empty if it asks for none, nil if it has faults, which are reported.
  ///
  /// - Parameters:
  ///   - told: the response's values except the invoice's number and total; nil if the payment was cancelled.
  ///   - line: the URL's line, for findings.
  public static func one(
    for url: some Collection<UInt8>, _ told: [HereValue: String]?, line: Int = 1, tell: (RequestFinding) -> Void
  ) -> [UInt8]? {
    response(to: Result { () throws(HereFault) in try HereRequest(Array(url)[...]) }, told, line, tell)
  }

  /// Hands out the responses to URLs, one per line.
  public static func read(
    _ text: [UInt8], _ told: [HereValue: String]?, tell: (RequestFinding) -> Void, _ take: ([UInt8]) -> Void
  ) {
    HereRequest.read(text) { line, request in
      if let response = response(to: request, told, line, tell) { take(response) }
    }
  }

  private static func response(
    to request: Result<HereRequest, HereFault>, _ told: [HereValue: String]?, _ line: Int,
    _ tell: (RequestFinding) -> Void
  ) -> [UInt8]? {
    do throws(HereFault) {
      let values = told?.mapValues { Array($0.utf8) }
      let payment = HerePayment(try request.get().withoutResponse, merchant: nil, tip: values?[.tip])
      for fault in payment.faults { tell(RequestFinding(fault, line: line)) }
      return payment.faults.isEmpty ? payment.responseURL(values) ?? [] : nil
    } catch {
      tell(RequestFinding(error, line: line))
      return nil
    }
  }
}
