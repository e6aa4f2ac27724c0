import ExactArithmetic
import Money
import Records

/// How the fee of a name is computed, for an explanation.
public struct NamedFeeSteps: Sendable {
  public let name: String
  /// The entry that fits; nil if none does.
  public let entry: NamedFee?
  /// Its steps before anything gives way; nil if no entry fits, or nothing is kept.
  public let figures: NamedFee.Figures?
  /// What was left of what the receiver keeps.
  public let left: ExactDecimal
  /// What is charged.
  public let fee, vat: ExactDecimal

  /// Whether it was reduced to what was left.
  public var isCapped: Bool { figures.map { $0.fee + $0.vat > left } ?? false }
}

extension NamedFee {
  /// Whether it fits a receiver of a payment.
  fileprivate func fits(_ receiver: ReceiverFigures, _ currency: Currency, _ source: FundingSource) -> Bool {
    fits(currency) && fundingSources?.contains(source) ?? true
      && countries.map { all in receiver.country.map(all.contains) ?? false } ?? true
      && categories?.contains(receiver.category) ?? true
  }
}

extension RecordJudge {
  /// How the named fees of the receiver at `place` are computed, in their order.
  func namedFeeSteps(of place: Int) -> [NamedFeeSteps] {
    let receiver = judgement.receiver(place)
    let (currency, source) = (judgement.currency!, judgement.fundingSource!)
    let fees = rules.schedule.plans[receiver.plan].fees
    let zero = ExactDecimal.zero(at: -currency.settlementExponent)
    var left = receiver.kept
    var names: [Int] = []
    for fee in fees where !names.contains(fee.name) { names.append(fee.name) }
    return names.map { name in
      let entry = fees.first { $0.name == name && $0.fits(receiver, currency, source) }
      let figures =
        receiver.kept.isZero ? nil : entry?.figures(of: receiver, currency, rules.schedule.rounding)
      var (fee, vat) = figures.map { ($0.fee, $0.vat) } ?? (zero, zero)
      let before = left
      if let entry, fee + vat > left {
        vat = rules.schedule.rounding.vat(within: left, entry.vat, to: zero.exponent)
        fee = left - vat
      }
      left = left - fee - vat
      return NamedFeeSteps(
        name: String(decoding: rules.schedule.names[name], as: UTF8.self), entry: entry, figures: figures, left: before,
        fee: fee, vat: vat)
    }
  }
}

extension Judgement {
  /// A receiver's category as it is given; nil if it has none, or no fee depends on it.
  public func category(of place: Int) -> [UInt8]? {
    guard record.hasCategories else { return nil }
    let value = record.receiver(.category, of: receivers.figures[place].place)
    return value.kind == .string ? record.withCharacters(of: value.slice) { [UInt8]($0) } : nil
  }
}
