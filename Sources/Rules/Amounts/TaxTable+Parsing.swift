import ExactArithmetic
import JSON
import Money
import Records
import Text

extension TaxTable {
  /// Reads the rates from their JSON text.
  ///
  /// Throws if the text is not a JSON object, lacks a key, has an unknown key or a key twice, holds a value outside its
  /// table, or has two rates for the same addresses. A null counts as an absent key.
  public convenience init(json: [UInt8]) throws(FeeScheduleError) {
    var rates: [(node: JSONNode, rate: TaxRate)] = []
    let (rounding, tolerance, exempt) = try FeeScheduleError.reading(json) { document throws(JSONFault) in
      let root = try document.object(
        required: ["rounding", "rates"], optional: ["tolerance", "exempt"], leavesOutNull: true)
      for node in try root["rates"].elements() { rates.append((node, try Self.rate(node))) }
      return (
        try root["rounding"].choice(RoundingMode.self), try root["tolerance"].given?.digit() ?? 0,
        try Self.exempt(root["exempt"].given)
      )
    }
    let nodes = rates.map(\.node)
    try self.init(
      text: json, rounding: rounding, tolerance: tolerance, exempt: exempt, rates: rates.map(\.rate)
    ) { place throws(FeeScheduleError) in
      throw FeeScheduleError(
        nodes[place].fault(
          "is for the addresses of an earlier rate (letter case, spaces and hyphens of postal do not count)"))
    }
  }

  private static func exempt(_ node: JSONNode?) throws(JSONFault) -> [PaymentType] {
    var types: [PaymentType] = []
    for element in try node?.elements() ?? [] {
      guard let type = PaymentType.find(try element.string()) else {
        throw element.refused("; expected \(MessageText.list(PaymentType.allCases.map(\.name)))")
      }
      guard !types.contains(type) else { throw element.fault("is given twice") }
      types.append(type)
    }
    return types
  }

  private static func rate(_ node: JSONNode) throws(JSONFault) -> TaxRate {
    let fields = try node.object(
      required: ["country", "percent"], optional: ["state", "postal", "shipping"], leavesOutNull: true)
    guard let country = Country(code: try fields["country"].string()) else {
      throw fields["country"].refused("; expected a two-letter country code in upper case")
    }
    var state = try text(fields["state"].given)
    compareState(&state)
    var postal = try text(fields["postal"].given)
    comparePostal(&postal)
    if postal.isEmpty, let node = fields["postal"].given {
      throw node.refused("; expected more than spaces and hyphens")
    }
    let percent = try fields["percent"].fraction(of: 100)
    return TaxRate(
      country: country, state: state, postal: postal, percent: percent,
      fraction: percent * ExactDecimal(1, exponent: -2),
      taxesShipping: try fields["shipping"].given?.boolean() ?? false)
  }

  /// A text of 1 to 255 characters; empty if the key is absent.
  private static func text(_ node: JSONNode?) throws(JSONFault) -> [UInt8] {
    guard let node else { return [] }
    let text = Array(try node.string().utf8)
    guard (1...255).contains(UTF8Text.scalarCount(text.span)) else {
      throw node.refused("; expected 1 to 255 characters")
    }
    return text
  }
}
