import ExactArithmetic
import Money
import TestSupport
import Testing

@Suite("Splits") struct SplitTests {
  /// A party in the tests' notation: `percent=12.5,min=1`, with its name.
  struct Party {
    let name: String
    var terms = SplitPart.Terms.rest
    var value = ExactDecimal.zero
    var minimum: ExactDecimal?
    var maximum: ExactDecimal?

    init(_ text: String) {
      let (name, rest) = (text.prefix { $0 != ":" }, text.drop { $0 != ":" }.dropFirst())
      self.name = String(name)
      for pair in rest.split(separator: ",") {
        let value = pair.split(separator: "=").count > 1 ? ExactDecimal(String(pair.split(separator: "=")[1])) : nil
        switch pair.split(separator: "=")[0] {
        case "fixed": (terms, self.value) = (.fixed, value ?? .zero)
        case "percent": (terms, self.value) = (.percent, value ?? .zero)
        case "share": (terms, self.value) = (.share, value ?? .zero)
        case "min": minimum = value
        case "max": maximum = value
        default: break
        }
      }
    }
  }

  struct Outcome {
    var verdict = "whole"
    var denominator = ExactDecimal(1)
    var parts: [SplitPart] = []
  }

  static func split(_ total: String, to exponent: Int = -2, _ parties: [Party]) -> Outcome {
    var outcome = Outcome()
    let total = ExactDecimal(total) ?? .zero
    outcome.parts = parties.map { SplitPart($0.terms, $0.value, minimum: $0.minimum, maximum: $0.maximum) }
    switch setTargets(&outcome.parts, of: total) {
    case .whole(let denominator):
      outcome.denominator = denominator
      round(&outcome.parts, of: total, denominator: denominator, to: exponent, parties)
    case .exceedsTotal(let sum): outcome.verdict = "exceeds by \(difference(sum, total, outcome.parts))"
    case .notWhole(let sum): outcome.verdict = "not whole: \(difference(sum, total, outcome.parts))"
    }
    return outcome
  }

  private static func setTargets(_ parts: inout [SplitPart], of total: ExactDecimal) -> Split.Verdict {
    var parts = parts.mutableSpan
    return Split.setTargets(&parts, of: total)
  }

  private static func round(
    _ parts: inout [SplitPart], of total: ExactDecimal, denominator: ExactDecimal, to exponent: Int,
    _ parties: [Party]
  ) {
    var parts = parts.mutableSpan
    Split.round(&parts, of: total, denominator: denominator, to: exponent) {
      parties[$0].name.utf8.lexicographicallyPrecedes(parties[$1].name.utf8)
    }
  }

  /// How far a sum is from the total; what a refused split shows adds up to it.
  private static func difference(
    _ sum: ExactDecimal, _ total: ExactDecimal, _ targets: [SplitPart]
  ) -> ExactDecimal {
    #expect(targets.reduce(.zero) { $0 + $1.numerator } == sum)
    return (sum - total).trimmed(to: .usd)
  }

  @Test(
    "the specification's examples, and edge cases",
    arguments: [
      ("100.00", "agent:percent=12.5 post:fixed=20.00 alto:share=1 cello:share=2", "12.50 20.00 22.50 45.00"),
      ("100.00", "drums:share=1 cello:share=1 alto:share=1", "33.33 33.33 33.34"),
      ("100.00", "a:share=1,max=10 b:share=1 c:share=2,min=70", "10.00 20.00 70.00"),
      ("100.00", "shop: maker:percent=33.333", "66.67 33.33"),
      ("19.99", "market:percent=10 seller:share=1", "2.00 17.99"),
      ("100.00", "a:percent=50 b:percent=40", "not whole: -10.00"),
      ("0.01", "a:share=1 b:share=1", "0.01 0.00"),
      ("100.00", "a:percent=50 b:percent=50.0000000001", "exceeds by 0.0000000001"),
      ("100.00", "a:share=1,min=60 b:share=1,min=40.01", "exceeds by 0.01"),
      ("100.00", "a:share=1,max=60 b:share=1,max=39.99", "not whole: -0.01"),
      ("100.00", "a:share=1,max=60 b:share=1,max=39.99 c:", "60.00 39.99 0.01"),
      ("100.00", "a:percent=100 b:share=1 c:", "100.00 0.00 0.00"),
      ("100.00", "a:percent=1,min=5 b:percent=90,max=40 c:", "5.00 40.00 55.00"),
      ("100.00", "a:fixed=60.00 b:fixed=40.00", "60.00 40.00"),
      ("100.00", "a:share=1,min=50 b:share=1,max=10 c:share=1", "50.00 10.00 40.00"),
      ("100.00", "a:share=1,min=40 b:share=2,min=40 c:share=7,max=20", "40.00 40.00 20.00"),
    ])
  func examples(total: String, parties: String, wanted: String) {
    let outcome = Self.split(total, parties.split(separator: " ").map { Party(String($0)) })
    let parts = outcome.parts.map(\.amount.description).joined(separator: " ")
    #expect((outcome.verdict == "whole" ? parts : outcome.verdict) == wanted)
  }

  @Test("random splits sum to the total, in any order, near their exact targets and within their bounds")
  func properties() {
    var random = SeededGenerator()
    for _ in 0..<2000 {
      let (total, parties) = Self.random(&random)
      let outcome = Self.split(total, parties)
      let context = "\(total) \(parties), \(random.reproduction)"
      guard outcome.verdict == "whole" else { continue }
      let sum = outcome.parts.map(\.amount).reduce(.zero, +)
      #expect(sum == ExactDecimal(total), "\(context)")
      for (part, party) in zip(outcome.parts, parties) { check(part, party, outcome, context) }
      let shuffled = parties.shuffled(using: &random)
      let again = Self.split(total, shuffled)
      for (part, party) in zip(again.parts, shuffled) {
        let first = outcome.parts[parties.firstIndex { $0.name == party.name } ?? 0]
        #expect(part.amount == first.amount && part.hasMissingUnit == first.hasMissingUnit, "\(context)")
      }
    }
  }

  private func check(_ part: SplitPart, _ party: Party, _ outcome: Outcome, _ context: String) {
    let (cent, denominator) = (ExactDecimal(1, exponent: -2), outcome.denominator)
    let distance = part.amount * denominator - part.numerator
    #expect(distance < cent * denominator && -(cent * denominator) < distance, "\(context)")
    if let minimum = party.minimum { #expect(part.amount >= minimum, "\(context)") }
    if let maximum = party.maximum { #expect(part.amount <= maximum, "\(context)") }
    guard party.terms == .share else { return }
    // There is one z for all shares: a party with more than z x share is raised by a minimum, one with less is limited
    // by a maximum.
    for other in outcome.parts where other.terms == .share {
      let (mine, theirs) = (part.numerator * other.value, other.numerator * part.value)
      let isHeld =
        mine == theirs
        || (theirs < mine
          ? part.numerator == (part.minimum ?? ExactDecimal(-1)) * denominator
            || other.numerator == (other.maximum ?? ExactDecimal(-1)) * denominator
          : true)
      #expect(isHeld, "\(context)")
    }
  }

  private static func random(_ random: inout SeededGenerator) -> (String, [Party]) {
    let cents = Int.random(in: 1...20_000, using: &random)
    func amount(_ most: Int) -> String {
      ExactDecimal(Int.random(in: 0...most, using: &random), exponent: -2).description
    }
    let parties = (0..<Int.random(in: 1...7, using: &random)).map { number in
      var text = "n\(number):"
      switch Int.random(in: 0..<9, using: &random) {
      case 0: text += "fixed=\(amount(cents / 4))"
      case 1, 2:
        text += "percent=\(Int.random(in: 0...30, using: &random)).\(Int.random(in: 0...999_999, using: &random))"
      default:
        text +=
          "share=\(["1", "2", "0.5", "3.333", "1e-9", "99999999999999999999"].randomElement(using: &random) ?? "1")"
      }
      if !text.contains("fixed"), Bool.random(using: &random) {
        let minimum = Int.random(in: 0...cents / 5, using: &random)
        text += ",min=\(ExactDecimal(minimum, exponent: -2))"
        if Bool.random(using: &random) {
          text += ",max=\(ExactDecimal(minimum + Int.random(in: 0...cents / 3, using: &random), exponent: -2))"
        }
      } else if !text.contains("fixed"), Bool.random(using: &random) {
        text += ",max=\(amount(cents / 2))"
      }
      return Party(text)
    }
    return (ExactDecimal(cents, exponent: -2).description, parties + [Party("rest:")])
  }
}
