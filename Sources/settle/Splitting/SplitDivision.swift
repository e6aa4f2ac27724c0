import ExactArithmetic
import JSON
import Money
import Rules
import Text

/// A total and the parties that share it, as given on a line of `settle split`.
struct SplitDivision {
  static let termKeys = ["name", "subtotal", "percent", "share", "rest", "min", "max"]
  private static let mostTerms = 1000

  private var errors: [(reason: RejectionReason, field: String, message: String)] = []
  private var total = ExactDecimal.zero
  private var currency: Currency?
  private var names: [[UInt8]] = []
  private var parties: [SplitPart] = []

  /// Reads a line's object.
  init(_ line: JSONTree) {
    if let code = require(line["currency"], at: "/currency") {
      if let code = code.string {
        currency = Currency(code: code)
        if currency == nil { reject(.currencyNotSupported, at: "/currency", .string(code)) }
      } else if let value = line["currency"] {
        reject(.wrongType, at: "/currency", value, "a string")
      }
    }
    if let amount = require(line["amount"], at: "/amount") {
      total = amountValue(amount, at: "/amount", isPositive: true) ?? .zero
    }
    guard let terms = require(line["terms"], at: "/terms") else { return }
    guard let elements = terms.elements else {
      reject(.wrongType, at: "/terms", terms, "an array of objects")
      return
    }
    if !(1...Self.mostTerms).contains(elements.count) {
      reject(.invalidValue, at: "/terms", "\(elements.count) terms; expected 1 to \(Self.mostTerms)")
    }
    for (place, element) in elements.prefix(Self.mostTerms).enumerated() { readTerm(element, at: "/terms/\(place)") }
    if parties.count(where: { $0.terms == .rest }) > 1 {
      reject(.splitTerms, at: "/terms", "several terms are rest; expected at most one")
    }
  }

  /// The parts, in the order of the terms; throws the first error by the order of the error table, then of the fields.
  func parts() throws(DivisionError) -> [ExactDecimal] {
    let first = errors.min {
      $0.reason == $1.reason ? $0.field.utf8.lexicographicallyPrecedes($1.field.utf8) : $0.reason < $1.reason
    }
    if let first { throw DivisionError(first.reason, at: first.field, first.message) }
    var parties = parties
    if let error = divide(&parties) { throw error }
    return parties.map(\.amount)
  }

  private func divide(_ parts: inout [SplitPart]) -> DivisionError? {
    guard let currency else { preconditionFailure("a currency that is missing is an error") }
    var parties = parts.mutableSpan
    switch Money.Split.setTargets(&parties, of: total) {
    case .exceedsTotal(let promised):
      return DivisionError(
        .splitExceedsTotal, at: "/terms", "the parts promise \(promised.trimmed(to: currency)) of \(total)")
    case .notWhole(let sum):
      return DivisionError(
        .splitNotWhole, at: "/terms",
        "the parts add up to \(sum.trimmed(to: currency)) of \(total); expected a term that is rest: it gets what is left"
      )
    case .whole(let denominator):
      Money.Split.round(
        &parties, of: total, denominator: denominator, to: -currency.settlementExponent
      ) { names[$0].lexicographicallyPrecedes(names[$1]) }
      let place = parties.indices.first {
        parties[$0].amount.isZero && parties[$0].minimum == nil && [.percent, .share].contains(parties[$0].terms)
      }
      return place.map {
        DivisionError(
          .splitZeroPart, at: "/terms/\($0)",
          "the part of \(total) comes to zero; give it min 0 if that is wanted")
      }
    }
  }

  // MARK: Reading

  private mutating func reject(_ reason: RejectionReason, at field: String, _ message: String) {
    errors.append((reason, field, message))
  }

  /// Rejects a value. If the value alone does not explain the error, the message also says what was expected.
  private mutating func reject(
    _ reason: RejectionReason, at field: String, _ value: JSONTree, _ expected: String? = nil
  ) {
    let message = reason.message(of: value, named: Self.name(field))
    reject(reason, at: field, message + (expected.map { "; expected \($0)" } ?? ""))
  }

  /// The key that a pointer ends with; for an element of an array, what it is.
  private static func name(_ field: String) -> String {
    let key = field.split(separator: "/").last.map { String($0) } ?? field
    return Int(key) == nil ? key : "a term"
  }

  private mutating func require(_ value: JSONTree?, at field: String) -> JSONTree? {
    if value == nil { reject(.missingField, at: field, "\(Self.name(field)) is missing; it is required") }
    return value
  }

  private mutating func readTerm(_ term: JSONTree, at field: String) {
    var party = SplitPart(.rest)
    defer { parties.append(party) }
    names.append([])
    guard term.fields != nil else { return reject(.wrongType, at: field, term, "an object") }
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
      if terms == .percent, let read, ExactDecimal(100) < read {
        reject(.invalidValue, at: path, value, "a percentage of at most 100")
      }
    }
    if let rest = term["rest"] {
      if case .boolean(let isRest) = rest {
        if isRest { given += 1 }
      } else {
        given += 1
        reject(.wrongType, at: field + "/rest", rest, "true or false")
      }
    }
    party.minimum = term["min"].flatMap { amountValue($0, at: field + "/min", isPositive: false) }
    party.maximum = term["max"].flatMap { amountValue($0, at: field + "/max", isPositive: false) }
    if let minimum = party.minimum, let maximum = party.maximum, maximum < minimum {
      reject(.splitTerms, at: field + "/min", "min is \(minimum); max is only \(maximum)")
    }
    let hasBounds = term["min"] != nil || term["max"] != nil
    if given != 1 {
      reject(
        .splitTerms, at: field,
        "a term has \(given == 0 ? "none" : "several") of subtotal, percent, share and rest; expected exactly one")
    } else if hasBounds, [.fixed, .rest].contains(party.terms) {
      reject(.splitTerms, at: field, "a term has min or max; only percent and share take them")
    }
    // A term of several kinds is not a rest, and neither is a term without one.
    if party.terms == .rest, given != 1 { party.terms = .fixed }
  }

  private mutating func readName(_ value: JSONTree?, at field: String) {
    guard let value = require(value, at: field) else { return }
    guard case .string(let name) = value else { return reject(.wrongType, at: field, value, "a string") }
    guard (1...255).contains(UTF8Text.scalarCount(name.span)) else {
      return reject(.invalidValue, at: field, value, "1 to 255 characters")
    }
    if names.contains(name) {
      reject(
        .receiversNotUnique, at: field,
        "\(RejectionReason.receiversNotUnique.message(of: value, named: "name")); an earlier term has the same")
    }
    names[names.count - 1] = name
  }

  private mutating func decimal(_ value: JSONTree, at field: String, isPositive: Bool) -> ExactDecimal? {
    guard value.literal != nil else {
      reject(.wrongType, at: field, value, "a decimal as a number or a string")
      return nil
    }
    guard let decimal = value.decimal() else {
      reject(.decimalSyntax, at: field, value)
      return nil
    }
    if decimal < .zero { reject(.negativeAmount, at: field, value) }
    if isPositive, decimal.isZero { reject(.amountNotPositive, at: field, value) }
    return decimal < .zero || isPositive && decimal.isZero ? nil : decimal
  }

  private mutating func amountValue(_ value: JSONTree, at field: String, isPositive: Bool) -> ExactDecimal? {
    guard let decimal = decimal(value, at: field, isPositive: isPositive), let currency else { return nil }
    let amount = decimal.exact(at: -currency.settlementExponent)
    if amount == nil {
      let message = RejectionReason.amountPrecision.message(of: value, named: Self.name(field))
      reject(.amountPrecision, at: field, "\(message); \(currency.decimalsTaken)")
    }
    return amount
  }
}
