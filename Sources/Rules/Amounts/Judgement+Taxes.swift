import ExactArithmetic
import Input
import Money
import Records
import Text

/// How the tax of a receiver is checked.
public struct TaxFigures: Sendable {
  /// The rate that counts at the address.
  public let rate: TaxRate
  /// Whether the receiver's payment type is exempt, so that no tax is due.
  public let isExempt: Bool
  /// What is taxed: the subtotal, and shipping if the rate is for that, too.
  public let base: ExactDecimal
  /// The tax that is due.
  public let due: ExactDecimal
  /// The tax that the payment states.
  public let stated: ExactDecimal
}

/// Taxes held against a table of rates by address (`amounts.md`, "Tax rates").
extension Judgement {
  /// Which rate counts at the address of a payment.
  enum TaxRateChoice {
    /// Nothing is known: the address is not valid.
    case unknown
    /// No rate fits, or there is no address.
    case unfit
    /// The rate at a place of the table.
    case rate(Int)
  }

  @inline(never)
  mutating func checkTaxes() {
    let choice = chooseTaxRate()
    if case .unfit = choice { note(.taxNotChecked, at: .record) }
    guard kind != nil, case .rate(let rate) = choice else { return }
    for place in 0..<receiverCount {
      guard let tax = taxFigures(of: place, at: rate), tax.stated != tax.due else { continue }
      reject(.taxMismatch, at: taxPath(of: place), found: tax.stated, expected: tax.due)
    }
  }

  /// How a receiver's tax is checked, by its place below `explainableReceivers`; nil if it is not.
  mutating func taxFigures(of place: Int) -> TaxFigures? {
    guard kind != nil, rules.taxes != nil, case .rate(let rate) = chooseTaxRate() else { return nil }
    return taxFigures(of: place, at: rate)
  }

  private func taxFigures(of place: Int, at rate: Int) -> TaxFigures? {
    let receiver = receivers + place
    let path = FieldPath.receiver(receiver.pointee.index)
    guard let taxes = rules.taxes, let currency, receiver.pointee.areAmountsKnown,
      kind != .chained || receiver.pointee.isPrimary,
      receiver.pointee.adjustment != nil
        || scanner.receiverField(.invoiceData, row: receiver.pointee.row).kind == .object,
      scanner.receiverField(.split, row: receiver.pointee.row).isAbsent,
      isValid(path.receiverField(.paymentType))
    else { return nil }
    let rate = taxes.rates[rate]
    var base = receiver.pointee.subtotal
    if rate.taxesShipping { base.add(receiver.pointee.totalShipping) }
    let isExempt = taxes.exempt.contains(receiver.pointee.type)
    return TaxFigures(
      rate: rate, isExempt: isExempt, base: base,
      due: isExempt
        ? .zero(at: -currency.settlementExponent)
        : .quantizedProduct(rate.fraction, base, to: -currency.settlementExponent, rounding: taxes.rounding),
      stated: receiver.pointee.totalTax)
  }

  private func taxPath(of place: Int) -> FieldPath {
    guard let adjustment = receivers[place].adjustment else {
      return FieldPath.receiver(receivers[place].index).invoiceField(.totalTax)
    }
    let path =
      receivers[place].index == nil
      ? FieldPath.top(.adjustedAmounts) : .adjustment(adjustment).adjustmentField(.amounts)
    return path.amountsField(.tax)
  }

  // MARK: The rate

  private mutating func chooseTaxRate() -> TaxRateChoice {
    let address = scanner.field(.shippingAddress)
    if address.isAbsent { return .unfit }
    guard address.kind == .object else { return .unknown }
    let code = scanner.addressField(.countrycode)
    if code.isAbsent { return .unfit }
    let fields: [AddressField] = [.countrycode, .state, .postalcode]
    guard fields.allSatisfy({ isValid(.address($0)) }) else { return .unknown }
    let mark = scratchUsed
    defer { scratchUsed = mark }
    let (bytes, count) = text(code)
    guard let country = Country.find(bytes, count: count) else { return .unknown }
    let state = copy(scanner.addressField(.state))
    TaxTable.compareState(state)
    let postal = copy(scanner.addressField(.postalcode))
    let length = TaxTable.comparePostal(postal)
    let place = rules.taxes?.place(
      country: country, state: UnsafeBufferPointer(state), postal: UnsafeBufferPointer(rebasing: postal[..<length]))
    return place.map(TaxRateChoice.rate) ?? .unfit
  }

  /// A string's characters in the scratch space; none if it is absent.
  private mutating func copy(_ slice: JSONSlice) -> UnsafeMutableBufferPointer<UInt8> {
    guard slice.kind == .string else { return UnsafeMutableBufferPointer(start: nil, count: 0) }
    let room = takeScratch(slice.length)
    return UnsafeMutableBufferPointer(
      start: room, count: UTF8Text.unescape(line + Int(slice.start), count: slice.length, into: room))
  }

  /// Whether a value is valid, absent ones included, once it was checked.
  private func isValid(_ path: FieldPath) -> Bool {
    !findings.contains { $0.path == path && $0.reason < .currencyInCountryOnly }
  }
}
