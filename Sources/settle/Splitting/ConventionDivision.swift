import ExactArithmetic
import JSON
import Money
import Text

/// An amount divided by ratios the way another library does it: a line of `settle split` that names a convention.
enum ConventionDivision {
  /// The parts of a line; throws its error.
  static func parts(_ line: JSONTree) throws(DivisionError) -> [ExactDecimal] {
    guard let convention = line["convention"]?.string.flatMap(AllocationConvention.init(rawValue:)) else {
      let names = MessageText.list(AllocationConvention.allCases.map(\.rawValue))
      throw DivisionError("unknown_convention", expected(line, "convention", names))
    }
    guard let elements = line["ratios"]?.elements, !elements.isEmpty else {
      throw DivisionError("empty_ratios", "there are no ratios; expected an array of one or more")
    }
    var ratios: [Ratio] = []
    for element in elements {
      guard let ratio = element.literal.flatMap(Ratio.init) else {
        throw DivisionError(
          "invalid", at: "/ratios", "a ratio is \(element.shown); expected a decimal or a fraction like 1/3")
      }
      ratios.append(ratio)
    }
    let rounding = line["rounding"].map { $0.string.flatMap(mode) } ?? RoundingMode.halfUp
    guard let rounding, line["rounding"] != nil || convention != .roundEachLastAbsorbs else {
      throw invalid(line, "rounding", MessageText.list(RoundingMode.allCases.map(\.rawValue)))
    }
    guard let amount = line["amount"]?.decimal() else { throw invalid(line, "amount", "a decimal") }
    var unit = ExactDecimal(1, exponent: min(0, amount.exponent))
    if let step = line["step"] {
      guard let decimal = step.decimal(), ExactDecimal.zero < decimal else {
        throw invalid(line, "step", "a decimal above zero")
      }
      unit = decimal
    }
    let (units, rest) = amount.quotientAndRemainder(dividingBy: unit)
    guard rest.isZero else { throw invalid(line, "amount", "a multiple of \(unit)") }
    do throws(AllocationConvention.Failure) {
      let parts = try convention.allocate(units, by: ratios, rounding: rounding)
      // A part of zero has no sign.
      return parts.map { part in
        (part * unit + .zero).quantized(to: min(0, unit.exponent), rounding: .halfUp)
      }
    } catch {
      let message =
        switch error {
        case .emptyRatios: "there are no ratios"
        case .negativeRatio: "a ratio is below zero"
        case .zeroRatioSum: "all ratios are zero, and the amount is not"
        }
      throw DivisionError(error.rawValue, message)
    }
  }

  private static func invalid(_ line: JSONTree, _ key: String, _ words: String) -> DivisionError {
    DivisionError("invalid", at: "/\(key)", expected(line, key, words))
  }

  private static func expected(_ line: JSONTree, _ key: String, _ words: String) -> String {
    "\(key) is \(line[key]?.shown ?? "not given"); expected \(words)"
  }

  /// A rounding mode in any letter case, with or without `_`.
  private static func mode(_ name: String) -> RoundingMode? {
    func plain(_ name: String) -> String { name.filter { $0 != "_" }.uppercased() }
    return RoundingMode.allCases.first { plain($0.rawValue) == plain(name) }
  }
}
