import Money
import Records
import Text

/// Taxes compared with the rates (`amounts.md`, "Tax rates").
extension TaxTable {
  @inline(never)
  func check(_ judgement: inout Judgement) {
    let (rate, isUnfit) = choose(&judgement.record)
    if isUnfit { judgement.record.note(.taxNotChecked, at: .record) }
    guard judgement.kind != nil, let rate else { return }
    for place in 0..<judgement.receivers.count {
      let receiver = judgement.receivers[place]
      guard let tax = figures(of: receiver, judgement, rate), tax.stated != tax.due else { continue }
      judgement.record.reject(.taxMismatch, at: path(of: receiver), found: tax.stated, expected: tax.due)
    }
  }

  /// How the tax of the receiver at `place` is checked; nil if it is not checked.
  func figures(of place: Int, _ judgement: inout Judgement) -> TaxFigures? {
    guard judgement.kind != nil, let rate = choose(&judgement.record).rate else { return nil }
    return figures(of: judgement.receivers[place], judgement, rate)
  }

  private func figures(of receiver: ReceiverRoom, _ judgement: borrowing Judgement, _ rate: TaxRate) -> TaxFigures? {
    let place = receiver.pointee.place
    guard let currency = judgement.currency, receiver.pointee.areAmountsKnown,
      judgement.kind != .chained || receiver.pointee.isPrimary,
      receiver.pointee.adjustment != nil || judgement.record.receiver(.invoiceData, of: place).kind == .object,
      judgement.record.receiver(.split, of: place).isAbsent,
      judgement.record.isValid(place.path.receiverField(.paymentType))
    else { return nil }
    var base = receiver.pointee.subtotal
    if rate.taxesShipping { base.add(receiver.pointee.totalShipping) }
    let isExempt = exempt.contains(receiver.pointee.type)
    return TaxFigures(
      rate: rate, isExempt: isExempt, base: base,
      due: isExempt
        ? .zero(at: -currency.settlementExponent)
        : .quantizedProduct(rate.fraction, base, to: -currency.settlementExponent, rounding: rounding),
      stated: receiver.pointee.totalTax)
  }

  private func path(of receiver: ReceiverRoom) -> FieldPath {
    let place = receiver.pointee.place
    guard let adjustment = receiver.pointee.adjustment else { return place.path.invoiceField(.totalTax) }
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
    let mark = record.scratchUsed
    defer { record.scratchUsed = mark }
    let name = record.text(code.slice)
    guard let country = Country.find(name.bytes, count: name.count) else { return (nil, false) }
    let state = record.copy(record.address(.state))
    Self.compareState(state)
    let postal = record.copy(record.address(.postalcode))
    let length = Self.comparePostal(postal)
    let place = place(
      country: country, state: UnsafeBufferPointer(state), postal: UnsafeBufferPointer(rebasing: postal[..<length]))
    return (place.map { rates[$0] }, place == nil)
  }
}

extension RecordReader {
  /// A string's characters, copied to the scratch space; empty if it is absent.
  fileprivate mutating func copy(_ value: FieldValue) -> UnsafeMutableBufferPointer<UInt8> {
    guard value.kind == .string else { return UnsafeMutableBufferPointer(start: nil, count: 0) }
    let room = takeScratch(value.slice.length)
    return UnsafeMutableBufferPointer(
      start: room, count: UTF8Text.unescape(line + Int(value.slice.start), count: value.slice.length, into: room))
  }

  /// Whether a value has no error of its own, once it was checked. An absent value is valid.
  fileprivate func isValid(_ path: FieldPath) -> Bool {
    !findings.errors.contains { $0.path == path && $0.reason < .currencyInCountryOnly }
  }
}
