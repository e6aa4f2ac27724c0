import FoundationEssentials
import JSON
import Text

/// A fault of a PayPal Here request: PayPal's error id, the field and the reason.
struct HereFault: Error {
  var id = 580022
  let field: String
  let reason: String

  static func structural(_ field: String, _ reason: String) -> HereFault {
    HereFault(id: Limits.invalidRequest, field: field, reason: reason)
  }
}

/// A line of a file of PayPal Here requests: the URL that the app was called with, and the one that it called back
/// (`here.md`, "File").
struct HereRequest {
  /// The fields of the URL, in the order in which errors are reported.
  enum Field: String, CaseIterable {
    case accepted, returnUrl, `as`, step, payerPhone, invoice
  }

  /// The decoded value of each field.
  private(set) var fields: [Field: [UInt8]] = [:]
  /// The names of fields that are not in `here.md`.
  private(set) var others: [String] = []
  /// The values that the app called back, without empty ones; nil if it did not call back.
  private(set) var response: [HereValue: [UInt8]]?
  /// The invoice, an object; nil if it is absent, or if its encoding (`as`) is unknown.
  private(set) var invoice: JSONTree?

  /// Hands out the requests of a text with their lines, from 1. If the structure of a line is wrong, that is its only
  /// fault.
  static func read(_ text: [UInt8], _ take: (Int, Result<HereRequest, HereFault>) -> Void) {
    for (index, whole) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      let line = whole.last == 0x0D ? whole.dropLast() : whole
      if line.first == UInt8(ascii: "#") || line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
      take(index + 1, Result { () throws(HereFault) in try HereRequest(line) })
    }
  }

  init(_ line: ArraySlice<UInt8>) throws(HereFault) {
    guard line.count <= Limits.requestBytes else { throw .structural("", "has more than \(Limits.requestBytes) bytes") }
    guard String(validating: line, as: UTF8.self) != nil else { throw .structural("", "is not UTF-8") }
    let parts = line.split(separator: 0x09, omittingEmptySubsequences: false).map { $0.trimming { $0 == 0x20 } }
    guard parts.count <= 2 else { throw .structural("", "has a second tab; expected a URL, a tab and a response") }
    try readFields(parts[0])
    if parts.count == 2, !parts[1].isEmpty {
      response = try HereValue.read(parts[1], returnURL: fields[.returnUrl])
    }
    try readInvoice()
  }

  /// The request as if the app had not called back yet.
  var withoutResponse: HereRequest {
    var request = self
    request.response = nil
    return request
  }

  private mutating func readFields(_ url: ArraySlice<UInt8>) throws(HereFault) {
    let whole = url.prefix { $0 != UInt8(ascii: "#") }
    let address = String(decoding: whole.prefix { $0 != UInt8(ascii: "?") }.map(\.lowercased), as: UTF8.self)
    guard address.utf8.count < whole.count, Self.addresses.contains(where: { $0.utf8.elementsEqual(address.utf8) })
    else { throw .structural("", "is not a URL like paypalhere://takePayment?invoice=...") }
    for pair in whole.dropFirst(address.utf8.count + 1).pairs {
      guard let name = pair.name.percentDecoded() else { throw .structural("", "has a name that cannot be decoded") }
      let field = Field.allCases.first { $0.rawValue.utf8.elementsEqual(name) }
      guard let value = pair.value.percentDecoded() else {
        throw .structural(field?.rawValue ?? "", "has a percent sign without two digits after it, or is not UTF-8")
      }
      guard let field else {
        others.append(MessageText.text(name))
        continue
      }
      guard fields.updateValue(value, forKey: field) == nil else { throw .structural(field.rawValue, "is given twice") }
    }
  }

  private static let addresses = ["", "/", "/v2"].map { "paypalhere://takepayment" + $0 }

  private mutating func readInvoice() throws(HereFault) {
    guard let written = fields[.invoice] else { return }
    var text: [UInt8]? = written
    if let form = fields[.as] {
      guard form.elementsEqual("b64".utf8) else { return }
      text = Self.base64(written)
    }
    guard let text else { throw .structural("invoice", "is not Base64") }
    do throws(JSONTree.SyntaxError) {
      invoice = try JSONTree(parsing: text)
    } catch {
      throw .structural("invoice", "is not JSON at byte \(error.offset + 1); expected \(error.expected)")
    }
    guard case .object? = invoice else { throw .structural("invoice", "is not a JSON object") }
    if let name = invoice?.repeatedMember { throw .structural("invoice", "has \(name) twice in one object") }
  }

  /// Decodes Base64 in either alphabet of RFC 4648, without line ends, with or without padding; nil if the text is not
  /// Base64.
  static func base64(_ text: [UInt8]) -> [UInt8]? {
    let plain = text.filter { $0 != 0x0D && $0 != 0x0A }
      .map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "+") : $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0 }
    let missing = (4 - plain.count % 4) % 4
    guard missing == 0 || !plain.contains(UInt8(ascii: "=")) else { return nil }
    let padded = Data(plain + Array(repeating: UInt8(ascii: "="), count: missing))
    // Unused bits must be zero.
    guard let bytes = Data(base64Encoded: padded), bytes.base64EncodedData() == padded else { return nil }
    return Array(bytes)
  }
}
