import Text

/// A value that the app gives when it calls back (`here.md`, "Response").
public enum HereValue: String, CaseIterable, Sendable {
  /// How the buyer paid, or that no one paid.
  case type = "Type"
  /// What the buyer gave in addition to the total.
  case tip = "Tip"
  /// PayPal's id of the invoice.
  case invoiceID = "InvoiceId"
  /// PayPal's id of the transaction.
  case transactionID = "TxId"
  /// Where the buyer's receipt went.
  case email = "Email"
  /// The invoice's number.
  case number = "Number"
  /// The invoice's total, with the tip.
  case grandTotal = "GrandTotal"

  /// The placeholder of the value in a return URL.
  private var placeholder: String { "{\(rawValue)}" }

  // MARK: Reading a response

  /// The values of a response that are not empty.
  ///
  /// - Parameter returnURL: the URL that the app was asked to call back, which may give the values other names.
  static func read(_ response: ArraySlice<UInt8>, returnURL: [UInt8]?) throws(HereFault) -> [HereValue: [UInt8]] {
    let names = names(in: returnURL)
    var values: [HereValue: [UInt8]] = [:]
    for pair in query(of: response).pairs {
      guard let name = pair.name.percentDecoded(), let value = pair.value.percentDecoded() else {
        throw .structural("response", "has a percent sign without two digits after it, or is not UTF-8")
      }
      for found in allCases where names[found] == name {
        guard values.updateValue(value, forKey: found) == nil else {
          throw .structural("response", "has \(found.rawValue) twice")
        }
      }
    }
    return values.filter { !$0.value.isEmpty }
  }

  /// The names under which values are found: those of their placeholders in the return URL, otherwise their own.
  private static func names(in returnURL: [UInt8]?) -> [HereValue: [UInt8]] {
    var names: [HereValue: [UInt8]] = [:]
    for pair in query(of: withoutResult(returnURL ?? [])[...]).pairs {
      let value = allCases.first { $0.placeholder.utf8.elementsEqual(pair.value) }
      if let value, names[value] == nil { names[value] = pair.name.percentDecoded() }
    }
    let others = Set(names.values)
    for value in allCases where names[value] == nil && !others.contains(Array(value.rawValue.utf8)) {
      names[value] = Array(value.rawValue.utf8)
    }
    return names
  }

  /// What follows the last `?` before the first `#`.
  private static func query(of url: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let whole = url.prefix { $0 != UInt8(ascii: "#") }
    return whole.lastIndex(of: UInt8(ascii: "?")).map { whole[($0 + 1)...] } ?? []
  }

  private static func withoutResult(_ returnURL: [UInt8]) -> [UInt8] {
    [("/{result}?", "?"), ("?{result}?", "?"), ("?{result}", "?"), ("{result}", "")]
      .reduce(returnURL) { $0.replacing($1.0.utf8, with: $1.1.utf8) }
  }

  // MARK: Making a response

  /// The URL that the app calls back (`here.md`, "The response URL").
  ///
  /// - Parameter values: the values that it gives; nil if the payment was cancelled.
  static func responseURL(_ returnURL: [UInt8], _ values: [HereValue: [UInt8]]?) -> [UInt8] {
    let template = withoutResult(returnURL)
    let text = String(decoding: values == nil ? cancelled(template) : template, as: UTF8.self)
    let visible = PercentEncoding.encoded(text.utf8) { (UInt8(ascii: "!")...UInt8(ascii: "~")).contains($0) }
    let values = values ?? [.type: Array("Unknown".utf8)]
    let url = visible.replacing(/\{([A-Za-z]+)\}/) { match in
      guard let value = HereValue(rawValue: String(match.1)) else { return String(match.0) }
      let text = String(decoding: values[value] ?? [], as: UTF8.self)
      return PercentEncoding.encoded(text.utf8, keeping: PercentEncoding.isUnreserved)
    }
    return Array(url.utf8)
  }

  /// A return URL with the type as the only value in its query.
  private static func cancelled(_ template: [UInt8]) -> [UInt8] {
    let query = query(of: template[...])
    let address = query.isEmpty ? template.prefix { $0 != UInt8(ascii: "#") } : template[..<query.startIndex]
    let fragment = template[(query.isEmpty ? address.endIndex : query.endIndex)...]
    var pairs = query.split(separator: UInt8(ascii: "&")).filter { pair in
      !allCases.contains { $0 != .type && pair.firstRange(of: $0.placeholder.utf8) != nil }
    }
    if !pairs.contains(where: { $0.firstRange(of: HereValue.type.placeholder.utf8) != nil }) {
      pairs.append(Array("Type=Unknown".utf8)[...])
    }
    let mark = address.last == UInt8(ascii: "?") ? "" : "?"
    return Array(address) + mark.utf8 + pairs.joined(separator: "&".utf8) + fragment
  }
}
