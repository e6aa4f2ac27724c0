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
  init(_ line: JSONNode) {
    if let code = require(line["currency"]) {
      currency = code.tree.string.flatMap { Currency(code: $0) }
      if code.tree.string == nil {
        reject(.wrongType, code, "a string")
      } else if currency == nil {
        reject(.currencyNotSupported, code)
      }
    }
    if let amount = require(line["amount"]) { total = amountValue(amount, isPositive: true) ?? .zero }
    guard let terms = require(line["terms"]) else { return }
    guard let elements = try? terms.elements() else {
      reject(.wrongType, terms, "an array of objects")
      return
    }
    if !(1...Self.mostTerms).contains(elements.count) {
      reject(.invalidValue, at: terms, "\(elements.count) terms; expected 1 to \(Self.mostTerms)")
    }
    for element in elements.prefix(Self.mostTerms) { readTerm(element) }
    if parties.count(where: { $0.terms == .rest }) > 1 {
      reject(.splitTerms, at: terms, "several terms are rest; expected at most one")
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

  private mutating func reject(_ reason: RejectionReason, at node: JSONNode, _ message: String) {
    errors.append((reason, node.path.pointer(), message))
  }

  /// Rejects a value. If the value alone does not explain the error, the message also says what was expected.
  private mutating func reject(_ reason: RejectionReason, _ node: JSONNode, _ expected: String? = nil) {
    let message = reason.message(of: node.tree, named: Self.name(node))
    reject(reason, at: node, message + (expected.map { "; expected \($0)" } ?? ""))
  }

  /// The key of a value; for an element of an array, what it is.
  private static func name(_ node: JSONNode) -> String {
    if case .element = node.path { "a term" } else { node.path.name }
  }

  private mutating func require(_ node: JSONNode) -> JSONNode? {
    if node.found == nil { reject(.missingField, at: node, "\(Self.name(node)) is missing; it is required") }
    return node.given
  }

  private mutating func readTerm(_ term: JSONNode) {
    var party = SplitPart(.rest)
    defer { parties.append(party) }
    names.append([])
    guard term.tree.fields != nil else { return reject(.wrongType, term, "an object") }
    readName(term["name"])
    var given = 0
    for (key, terms) in [("subtotal", SplitPart.Terms.fixed), ("percent", .percent), ("share", .share)] {
      guard let value = term[key].given else { continue }
      given += 1
      party.terms = terms
      let read =
        terms == .fixed ? amountValue(value, isPositive: true) : decimal(value, isPositive: terms == .share)
      party.value = read ?? .zero
      if terms == .percent, let read, ExactDecimal(100) < read {
        reject(.invalidValue, value, "a percentage of at most 100")
      }
    }
    if let rest = term["rest"].given {
      if rest.tree.boolean != false { given += 1 }
      if rest.tree.boolean == nil { reject(.wrongType, rest, "true or false") }
    }
    party.minimum = term["min"].given.flatMap { amountValue($0, isPositive: false) }
    party.maximum = term["max"].given.flatMap { amountValue($0, isPositive: false) }
    if let minimum = party.minimum, let maximum = party.maximum, maximum < minimum {
      reject(.splitTerms, at: term["min"], "min is \(minimum); max is only \(maximum)")
    }
    let hasBounds = term["min"].found != nil || term["max"].found != nil
    if given != 1 {
      reject(
        .splitTerms, at: term,
        "a term has \(given == 0 ? "none" : "several") of subtotal, percent, share and rest; expected exactly one")
    } else if hasBounds, [.fixed, .rest].contains(party.terms) {
      reject(.splitTerms, at: term, "a term has min or max; only percent and share take them")
    }
    // A term of several kinds is not a rest, and neither is a term without one.
    if party.terms == .rest, given != 1 { party.terms = .fixed }
  }

  private mutating func readName(_ node: JSONNode) {
    guard let node = require(node) else { return }
    guard case .string(let name) = node.tree else { return reject(.wrongType, node, "a string") }
    guard (1...255).contains(UTF8Text.scalarCount(name.span)) else {
      return reject(.invalidValue, node, "1 to 255 characters")
    }
    if names.contains(name) {
      let message = RejectionReason.receiversNotUnique.message(of: node.tree, named: "name")
      reject(.receiversNotUnique, at: node, "\(message); an earlier term has the same")
    }
    names[names.count - 1] = name
  }

  private mutating func decimal(_ node: JSONNode, isPositive: Bool) -> ExactDecimal? {
    guard node.tree.literal != nil else {
      reject(.wrongType, node, "a decimal as a number or a string")
      return nil
    }
    guard let decimal = node.tree.decimal() else {
      reject(.decimalSyntax, node)
      return nil
    }
    if decimal < .zero { reject(.negativeAmount, node) }
    if isPositive, decimal.isZero { reject(.amountNotPositive, node) }
    return decimal < .zero || isPositive && decimal.isZero ? nil : decimal
  }

  private mutating func amountValue(_ node: JSONNode, isPositive: Bool) -> ExactDecimal? {
    guard let decimal = decimal(node, isPositive: isPositive), let currency else { return nil }
    let amount = decimal.exact(at: -currency.settlementExponent)
    if amount == nil {
      let message = RejectionReason.amountPrecision.message(of: node.tree, named: Self.name(node))
      reject(.amountPrecision, at: node, "\(message); \(currency.decimalsTaken)")
    }
    return amount
  }
}
