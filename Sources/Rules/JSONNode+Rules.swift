import ExactArithmetic
import JSON
import Money
import Text

// The values of fee schedules, profiles and tax rates.
extension JSONNode {
  /// Throws if an object inside it has a name twice.
  func expectNamesOnce() throws(JSONFault) {
    for element in tree.elements ?? [] { try JSONNode(element, path).expectNamesOnce() }
    if tree.fields != nil { try forEachField { _, node throws(JSONFault) in try node.expectNamesOnce() } }
  }

  /// A case by its name.
  func choice<Value: CaseIterable & RawRepresentable<String>>(_: Value.Type = Value.self) throws(JSONFault) -> Value {
    guard let value = Value(rawValue: try string()) else {
      throw refused("; expected \(MessageText.list(Value.allCases.map(\.rawValue)))")
    }
    return value
  }

  /// What refunds do with fees: whether they return them.
  func returns() throws(JSONFault) -> Bool {
    let policy = try string()
    guard ["KEEP", "RETURN"].contains(policy) else { throw refused("; expected KEEP or RETURN") }
    return policy == "RETURN"
  }

  /// An array of different texts, at least one, as the values that `find` finds.
  func values<Value: Hashable>(_ expected: String, _ find: (Span<UInt8>) -> Value?) throws(JSONFault) -> [Value] {
    let elements = try elements()
    if elements.isEmpty { throw fault("is empty; leave it out if anything fits") }
    var (values, seen): ([Value], Set<Value>) = ([], [])
    for element in elements {
      guard case .string(let text) = element.tree, let value = find(text.span) else {
        throw element.refused("; expected \(expected)")
      }
      guard seen.insert(value).inserted else { throw element.refused(", which is in the array twice") }
      values.append(value)
    }
    return values
  }

  /// A number that is written as one digit.
  func digit() throws(JSONFault) -> Int {
    guard case .number(let text) = tree, text.count == 1 else { throw refused("; expected a number of one digit") }
    return Int(text[0] - UInt8(ascii: "0"))
  }

  func zeroOrMore() throws(JSONFault) -> ExactDecimal {
    let value = try decimal()
    guard value >= .zero else { throw refused("; expected zero or more") }
    return value
  }

  /// A decimal from 0 to `most`.
  func fraction(of most: Int = 1) throws(JSONFault) -> ExactDecimal {
    let value = try zeroOrMore()
    guard value <= ExactDecimal(most) else { throw refused("; expected 0 to \(most)") }
    return value
  }

  private func decimal() throws(JSONFault) -> ExactDecimal {
    switch tree {
    case .number, .string: break
    default: throw mismatch("a decimal, as a number or a string")
    }
    guard let value = tree.decimal() else {
      throw refused("; expected a decimal of at most 64 digits and an exponent from -64 to 64")
    }
    return value
  }

  /// The value cannot be used: the value, followed by `words`.
  func refused(_ words: String) -> JSONFault { fault("is \(tree.shown)\(words)") }
}

extension JSONTree {
  /// The decimal that a number or a string spells, as written; nil if it is neither, or is over the limits.
  public func decimal(digitLimit: Int = DecimalLimits.digits) -> ExactDecimal? {
    switch self {
    case .number(let text), .string(let text): DecimalLimits.decimal(text, digitLimit: digitLimit)
    default: nil
    }
  }
}
