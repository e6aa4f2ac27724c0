import ExactArithmetic
import Money
import Records

/// Taxes compared with the rates (`amounts.md`, "Tax rates").
extension TaxTable {
  @inline(never)
  func check(_ judgement: inout Judgement) {
    let (rate, isUnfit) = choose(&judgement.record)
    if isUnfit { judgement.record.note(.taxNotChecked, at: .record) }
    guard judgement.kind != nil, let rate else { return }
    for place in 0..<judgement.receivers.count {
      guard let tax = figures(of: place, judgement, rate), tax.stated != tax.due else { continue }
      let path = path(of: judgement.receivers.figures[place])
      if isTolerated(tax) {
        judgement.record.note(.taxRounded, at: path)
      } else {
        judgement.record.reject(.taxMismatch, at: path, found: tax.stated, expected: tax.due)
      }
    }
  }

  /// How the tax of the receiver at `place` is checked; nil if it is not checked.
  func figures(of place: Int, _ judgement: inout Judgement) -> TaxFigures? {
    guard judgement.kind != nil, let rate = choose(&judgement.record).rate else { return nil }
    return figures(of: place, judgement, rate)
  }

  private func figures(of number: Int, _ judgement: borrowing Judgement, _ rate: TaxRate) -> TaxFigures? {
    let receiver = judgement.receivers.figures[number]
    let place = receiver.place
    guard let currency = judgement.currency, receiver.areAmountsKnown,
      judgement.kind != .chained || receiver.isPrimary,
      receiver.adjustment != nil || judgement.record.receiver(.invoiceData, of: place).kind == .object,
      judgement.record.receiver(.split, of: place).isAbsent,
      judgement.record.isValid(place.path.receiverField(.paymentType)),
      !judgement.sharedTypes.isInvalid(for: place, judgement.record)
    else { return nil }
    var base = receiver.subtotal
    if rate.taxesShipping { base.add(receiver.totalShipping) }
    let isExempt = exempt.contains(receiver.type)
    return TaxFigures(
      rate: rate, isExempt: isExempt, base: base,
      due: isExempt
        ? .zero(at: -currency.settlementExponent)
        : .quantizedProduct(rate.fraction, base, to: -currency.settlementExponent, rounding: rounding),
      stated: receiver.totalTax)
  }

  /// Whether a tax that differs from the one that is due differs by no more than the tolerance. Both have the
  /// currency's decimals.
  public func isTolerated(_ tax: TaxFigures) -> Bool {
    let most = ExactDecimal(tolerance, exponent: tax.due.exponent)
    return !tax.isExempt && tax.stated <= tax.due + most && tax.due <= tax.stated + most
  }

  private func path(of receiver: ReceiverFigures) -> FieldPath {
    let place = receiver.place
    guard let adjustment = receiver.adjustment else { return place.path.invoiceField(.totalTax) }
    let amounts = place.row == 0 ? .top(.adjustedAmounts) : FieldPath.adjustment(adjustment).adjustmentField(.amounts)
    return amounts.amountsField(.tax)
  }

  /// The rate for a payment's address. `isUnfit` is true if the address is valid, or missing, and no rate fits it.
  private func choose(_ record: inout RecordReader) -> (rate: TaxRate?, isUnfit: Bool) {
    let address = record.top(.shippingAddress)
    if address.isAbsent { return (nil, true) }
    guard address.kind == .object else { return (nil, false) }
    let code = record.address(.countrycode)
    if code.isAbsent { return (nil, true) }
    for field in [AddressField.countrycode, .state, .postalcode] where !record.isValid(.address(field)) {
      return (nil, false)
    }
    guard let country = record.withCharacters(of: code.slice, { Country.find($0) }) else { return (nil, false) }
    var state = record.characters(of: record.address(.state))
    Self.compareState(&state)
    var postal = record.characters(of: record.address(.postalcode))
    Self.comparePostal(&postal)
    let place = place(country: country, state: state, postal: postal)
    return (place.map { rates[$0] }, place == nil)
  }
}

extension RecordReader {
  /// A string's characters; empty if it is absent.
  fileprivate func characters(of value: FieldValue) -> [UInt8] {
    value.kind == .string ? withCharacters(of: value.slice) { Array($0) } : []
  }

  /// Whether a value has no error of its own, once it was checked. An absent value is valid.
  fileprivate func isValid(_ path: FieldPath) -> Bool {
    !findings.errors.contains { $0.path == path && $0.reason < .currencyInCountryOnly }
  }
}
