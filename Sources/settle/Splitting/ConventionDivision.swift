import ExactArithmetic
import JSON
import Money

/// An amount divided by ratios as another library does it: a line of `settle split` that names a convention.
enum ConventionDivision {
  /// The parts of a line; throws what is wrong with it.
  static func parts(_ line: JSONTree) throws(DivisionError) -> [ExactDecimal] {
    guard let convention = line["convention"]?.string.flatMap(AllocationConvention.init(rawValue:)) else {
      throw DivisionError("unknown_convention")
    }
    guard let elements = line["ratios"]?.elements, !elements.isEmpty else { throw DivisionError("empty_ratios") }
    let ratios = elements.compactMap { $0.literal.flatMap(Ratio.init) }
    guard ratios.count == elements.count else { throw DivisionError("invalid", at: "/ratios") }
    let rounding = line["rounding"].map { $0.string.flatMap(mode) } ?? RoundingMode.halfUp
    guard let rounding, line["rounding"] != nil || convention != .roundEachLastAbsorbs else {
      throw DivisionError("invalid", at: "/rounding")
    }
    guard let amount = line["amount"]?.decimal() else {
      throw DivisionError("invalid", at: "/amount")
    }
    var unit = ExactDecimal(1, exponent: min(0, amount.exponent))
    if let step = line["step"] {
      guard let decimal = step.decimal(), ExactDecimal.zero < decimal else {
        throw DivisionError("invalid", at: "/step")
      }
      unit = decimal
    }
    let (units, rest) = amount.quotientAndRemainder(dividingBy: unit)
    guard rest.isZero else { throw DivisionError("invalid", at: "/amount") }
    do throws(AllocationConvention.Failure) {
      let parts = try convention.allocate(units, by: ratios, rounding: rounding)
      // A part of nothing has no sign.
      return parts.map { part in
        (part * unit + .zero).quantized(to: min(0, unit.exponent), rounding: .halfUp)
      }
    } catch {
      throw DivisionError(error.rawValue)
    }
  }

  /// A rounding mode in any letter case, with `_` or without.
  private static func mode(_ name: String) -> RoundingMode? {
    func plain(_ name: String) -> String { name.filter { $0 != "_" }.uppercased() }
    return RoundingMode.allCases.first { plain($0.rawValue) == plain(name) }
  }
}
