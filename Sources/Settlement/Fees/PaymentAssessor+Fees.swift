import ExactArithmetic
import Money
import Payments

/// Fees: assessed on what each receiver keeps, borne by whom the fee payer says (`rules.md`, "Fees").
extension PaymentAssessor {
  /// Works out the figures of a payment without errors; the one error found here is `FEES_EXCEED_AMOUNT`.
  mutating func assignFees() {
    let kind = kind.unsafelyUnwrapped
    let currency = currency.unsafelyUnwrapped
    let feePayer = feePayer.unsafelyUnwrapped
    let zero = ExactDecimal.zero(at: -currency.settlementExponent)
    senderAmount.set(kind == .chained ? tally.primaryGross : tally.gross)
    senderFees.set(zero)
    fees.set(zero)
    receiverNet.set(zero)
    for place in 0..<receiverCount {
      keep(place, kind: kind, zero: zero)
      assessFee(place, currency: currency, zero: zero)
      fees.add(receivers[place].assessedFee)
    }
    bearFees(feePayer, zero: zero)
    for place in 0..<receiverCount {
      let receiver = receivers + place
      if receiver.pointee.fee > receiver.pointee.kept {
        return find(
          .feesExceedAmount, at: .top(.feePayer), found: receiver.pointee.fee, expected: receiver.pointee.kept)
      }
      receiver.pointee.net.set(receiver.pointee.kept)
      receiver.pointee.net.subtract(receiver.pointee.fee)
      receiverNet.add(receiver.pointee.net)
    }
    noteFees()
    checkZeroSum()
  }

  @inline(__always)
  private mutating func keep(_ place: Int, kind: PaymentKind, zero: ExactDecimal) {
    let receiver = receivers + place
    receiver.pointee.kept.set(receiver.pointee.gross)
    if kind == .chained, receiver.pointee.isPrimary {
      receiver.pointee.passedOn.set(tally.gross)
      receiver.pointee.passedOn.subtract(tally.primaryGross)
      receiver.pointee.kept.subtract(receiver.pointee.passedOn)
    } else {
      receiver.pointee.passedOn.set(zero)
    }
  }

  /// `min(round(rate x kept + fixed), kept)`, rounded once, after the sum; nothing on nothing.
  @inline(__always)
  private mutating func assessFee(_ place: Int, currency: Currency, zero: ExactDecimal) {
    let receiver = receivers + place
    let (planPlace, choice) = schedule.plan(
      type: receiver.pointee.type, subType: receiver.pointee.subType,
      fundingSource: fundingSource.unsafelyUnwrapped, account: receiver.pointee.account,
      accountLength: receiver.pointee.accountLength)
    receiver.pointee.plan = planPlace
    receiver.pointee.planChoice = choice
    receiver.pointee.isCapped = false
    let isForeign = senderCountry != nil && receiver.pointee.country != nil && senderCountry != receiver.pointee.country
    schedule.plans.withUnsafeBufferPointer { plans in
      let plan = plans.baseAddress.unsafelyUnwrapped + planPlace
      let isCrossBorder = isForeign && choice != .personal && plan.pointee.addsCrossBorder
      receiver.pointee.isCrossBorder = isCrossBorder
      if receiver.pointee.kept.isZero {
        receiver.pointee.assessedFee.set(zero)
        return
      }
      let fee = ExactDecimal.quantizedProductSum(
        isCrossBorder ? plan.pointee.crossBorderRate : plan.pointee.rate, receiver.pointee.kept,
        plus: plan.pointee.fixed[Int(currency.index)], to: -currency.settlementExponent, rounding: schedule.rounding)
      receiver.pointee.isCapped = fee > receiver.pointee.kept
      receiver.pointee.assessedFee.set(receiver.pointee.isCapped ? receiver.pointee.kept : fee)
    }
  }

  private mutating func bearFees(_ feePayer: FeePayer, zero: ExactDecimal) {
    for place in 0..<receiverCount {
      let receiver = receivers + place
      receiver.pointee.isOverridden = false
      switch feePayer {
      case .eachReceiver:
        receiver.pointee.fee.set(receiver.pointee.assessedFee)
      case .sender:
        if receiver.pointee.type == .personal,
          receiver.pointee.country == .india || receiver.pointee.country == .germany
        {
          receiver.pointee.fee.set(receiver.pointee.assessedFee)
          receiver.pointee.isOverridden = true
        } else {
          receiver.pointee.fee.set(zero)
          senderFees.add(receiver.pointee.assessedFee)
        }
      case .primaryReceiver:
        receiver.pointee.fee.set(receiver.pointee.isPrimary ? fees : zero)
      case .secondaryOnly:
        receiver.pointee.fee.set(receiver.pointee.isPrimary ? zero : fees)
      }
    }
  }

  private mutating func noteFees() {
    for place in 0..<receiverCount {
      let receiver = receivers + place
      if receiver.pointee.isOverridden || receiver.pointee.isCapped {
        let path = FieldPath.receiver(receiver.pointee.index)
        if receiver.pointee.isOverridden { note(.feePayerOverridden, at: path) }
        if receiver.pointee.isCapped { note(.feeCapped, at: path) }
      }
    }
  }

  /// The books of every payment: what the sender pays is what the receivers get, and the fees.
  private func checkZeroSum() {
    var balance = senderAmount
    balance.add(senderFees)
    balance.subtract(receiverNet)
    balance.subtract(fees)
    precondition(balance.isZero, "the lines of a payment do not sum to zero")
  }
}
