import ExactArithmetic
import JSON
import Money
import Rules
import Text

/// A total and the parties that share it, as a line of `settle split` gives them.
struct SplitDivision {
  static let termKeys = ["name", "subtotal", "percent", "share", "rest", "min", "max"]
  private static let mostTerms = 1000

  private var errors: [(reason: RejectionReason, field: String)] = []
  private var total = ExactDecimal.zero
  private var currency: Currency?
  private var names: [[UInt8]] = []
  private var parties: [SplitPart] = []

  /// Reads a line's object.
  init(_ line: JSONTree) {
    if let code = require(line["currency"], at: "/currency") {
      if let code = code.string {
        currency = Currency(code: code)
        if currency == nil { reject(.currencyNotSupported, at: "/currency") }
      } else {
        reject(.wrongType, at: "/currency")
      }
    }
    if let amount = require(line["amount"], at: "/amount") {
      total = amountValue(amount, at: "/amount", isPositive: true) ?? .zero
    }
    guard let terms = require(line["terms"], at: "/terms") else { return }
    guard let elements = terms.elements else {
      reject(.wrongType, at: "/terms")
      return
    }
    if !(1...Self.mostTerms).contains(elements.count) { reject(.invalidValue, at: "/terms") }
    for (place, element) in elements.prefix(Self.mostTerms).enumerated() { readTerm(element, at: "/terms/\(place)") }
    if parties.count(where: { $0.terms == .rest }) > 1 { reject(.splitTerms, at: "/terms") }
  }

  /// The parts, in the order of the terms; throws the first error in the order of the error table, then of the fields.
  func parts() throws(DivisionError) -> [ExactDecimal] {
    let first = errors.min {
      $0.reason == $1.reason ? $0.field.utf8.lexicographicallyPrecedes($1.field.utf8) : $0.reason < $1.reason
    }
    if let first { throw DivisionError(first.reason, at: first.field) }
    var parties = parties
    if let error = parties.withUnsafeMutableBufferPointer({ divide($0) }) { throw error }
    return parties.map(\.amount)
  }

  private func divide(_ parties: UnsafeMutableBufferPointer<SplitPart>) -> DivisionError? {
    switch Money.Split.setTargets(parties, of: total) {
    case .exceedsTotal: return DivisionError(.splitExceedsTotal, at: "/terms")
    case .notWhole: return DivisionError(.splitNotWhole, at: "/terms")
    case .whole(let denominator):
      Money.Split.round(
        parties, of: total, denominator: denominator, to: -(currency?.settlementExponent ?? 0)
      ) { names[$0].lexicographicallyPrecedes(names[$1]) }
      let place = parties.indices.first {
        parties[$0].amount.isZero && parties[$0].minimum == nil && [.percent, .share].contains(parties[$0].terms)
      }
      return place.map { DivisionError(.splitZeroPart, at: "/terms/\($0)") }
    }
  }

  // MARK: Reading

  private mutating func reject(_ reason: RejectionReason, at field: String) { errors.append((reason, field)) }

  private mutating func require(_ value: JSONTree?, at field: String) -> JSONTree? {
    if value == nil { reject(.missingField, at: field) }
    return value
  }

  private mutating func readTerm(_ term: JSONTree, at field: String) {
    var party = SplitPart(.rest)
    defer { parties.append(party) }
    names.append([])
    guard term.fields != nil else { return reject(.wrongType, at: field) }
    readName(term["name"], at: field + "/name")
    var given = 0
    for (key, terms) in [("subtotal", SplitPart.Terms.fixed), ("percent", .percent), ("share", .share)] {
      guard let value = term[key] else { continue }
      given += 1
      party.terms = terms
      let path = "\(field)/\(key)"
      let read =
        terms == .fixed
        ? amountValue(value, at: path, isPositive: true) : decimal(value, at: path, isPositive: terms == .share)
      party.value = read ?? .zero
      if terms == .percent, let read, ExactDecimal(100) < read { reject(.invalidValue, at: path) }
    }
    if let rest = term["rest"] {
      if case .boolean(let isRest) = rest {
        if isRest { given += 1 }
      } else {
        given += 1
        reject(.wrongType, at: field + "/rest")
      }
    }
    party.minimum = term["min"].flatMap { amountValue($0, at: field + "/min", isPositive: false) }
    party.maximum = term["max"].flatMap { amountValue($0, at: field + "/max", isPositive: false) }
    if let minimum = party.minimum, let maximum = party.maximum, maximum < minimum {
      reject(.splitTerms, at: field + "/min")
    }
    let hasBounds = term["min"] != nil || term["max"] != nil
    if given != 1 || hasBounds && [.fixed, .rest].contains(party.terms) { reject(.splitTerms, at: field) }
    // Two of several kinds are no rest, and neither is none.
    if party.terms == .rest, given != 1 { party.terms = .fixed }
  }

  private mutating func readName(_ value: JSONTree?, at field: String) {
    guard let value = require(value, at: field) else { return }
    guard case .string(let name) = value else { return reject(.wrongType, at: field) }
    guard (1...255).contains(UTF8Text.scalarCount(name, count: name.count)) else {
      return reject(.invalidValue, at: field)
    }
    if names.contains(name) { reject(.receiversNotUnique, at: field) }
    names[names.count - 1] = name
  }

  private mutating func decimal(_ value: JSONTree, at field: String, isPositive: Bool) -> ExactDecimal? {
    guard value.literal != nil else {
      reject(.wrongType, at: field)
      return nil
    }
    guard let decimal = value.decimal() else {
      reject(.decimalSyntax, at: field)
      return nil
    }
    if decimal < .zero { reject(.negativeAmount, at: field) }
    if isPositive, decimal.isZero { reject(.amountNotPositive, at: field) }
    return decimal < .zero || isPositive && decimal.isZero ? nil : decimal
  }

  private mutating func amountValue(_ value: JSONTree, at field: String, isPositive: Bool) -> ExactDecimal? {
    guard let decimal = decimal(value, at: field, isPositive: isPositive), let currency else { return nil }
    let amount = decimal.exact(at: -currency.settlementExponent)
    if amount == nil { reject(.amountPrecision, at: field) }
    return amount
  }
}
