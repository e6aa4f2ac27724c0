import ExactArithmetic
import Money
import Records

/// Fees: assessed on what each receiver keeps, borne by whom the fee payer says (`rules.md`, "Fees").
extension Judgement {
  /// Works out the figures of a payment without errors; the one error found here is `FEES_EXCEED_AMOUNT`.
  mutating func assignFees() {
    let kind = kind.unsafelyUnwrapped
    let currency = currency.unsafelyUnwrapped
    let feePayer = feePayer.unsafelyUnwrapped
    let zero = ExactDecimal.zero(at: -currency.settlementExponent)
    senderAmount.set(kind == .chained ? tally.pointee.primaryGross : tally.pointee.gross)
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
      if receiver.pointee.posting.pointee.fee > receiver.pointee.kept {
        return reject(
          .feesExceedAmount, at: .top(.feePayer), found: receiver.pointee.posting.pointee.fee,
          expected: receiver.pointee.kept)
      }
      receiver.pointee.posting.pointee.role =
        kind != .chained ? .receiver : receiver.pointee.isPrimary ? .primary : .secondary
      receiver.pointee.posting.pointee.net.set(receiver.pointee.kept)
      receiver.pointee.posting.pointee.net.subtract(receiver.pointee.posting.pointee.fee)
      receiverNet.add(receiver.pointee.posting.pointee.net)
    }
    noteFees()
    enterSender()
    checkZeroSum()
  }

  @inline(__always)
  private mutating func keep(_ place: Int, kind: PaymentKind, zero: ExactDecimal) {
    let receiver = receivers + place
    receiver.pointee.kept.set(receiver.pointee.posting.pointee.gross)
    if kind == .chained, receiver.pointee.isPrimary {
      receiver.pointee.posting.pointee.passedOn.set(tally.pointee.gross)
      receiver.pointee.posting.pointee.passedOn.subtract(tally.pointee.primaryGross)
      receiver.pointee.kept.subtract(receiver.pointee.posting.pointee.passedOn)
    } else {
      receiver.pointee.posting.pointee.passedOn.set(zero)
    }
  }

  /// `min(round(rate x kept + fixed), kept)`, rounded once, after the sum; nothing on nothing.
  @inline(__always)
  private mutating func assessFee(_ place: Int, currency: Currency, zero: ExactDecimal) {
    let receiver = receivers + place
    let (planPlace, choice) = rules.schedule.plan(
      type: receiver.pointee.type, subType: receiver.pointee.subType,
      fundingSource: fundingSource.unsafelyUnwrapped, account: receiver.pointee.posting.pointee.account,
      accountLength: receiver.pointee.posting.pointee.accountLength, entry: card?.entry)
    receiver.pointee.plan = planPlace
    receiver.pointee.planChoice = choice
    receiver.pointee.isCapped = false
    let isForeign = senderCountry != nil && receiver.pointee.country != nil && senderCountry != receiver.pointee.country
    let price = prices.price(planPlace, currency)
    let isCrossBorder = isForeign && choice != .personal && price.pointee.addsCrossBorder
    receiver.pointee.isCrossBorder = isCrossBorder
    guard !receiver.pointee.kept.isZero else { return receiver.pointee.assessedFee.set(zero) }
    // What is kept is never negative, and neither are prices.
    (price + (isCrossBorder ? 1 : 0)).assess(
      receiver, to: -currency.settlementExponent, rounding: rules.schedule.rounding)
    receiver.pointee.capFee()
  }

  private mutating func bearFees(_ feePayer: FeePayer, zero: ExactDecimal) {
    for place in 0..<receiverCount {
      let receiver = receivers + place
      receiver.pointee.isOverridden = false
      switch feePayer {
      case .eachReceiver:
        receiver.pointee.posting.pointee.fee.set(receiver.pointee.assessedFee)
      case .sender:
        if receiver.pointee.type == .personal,
          receiver.pointee.country == .india || receiver.pointee.country == .germany
        {
          receiver.pointee.posting.pointee.fee.set(receiver.pointee.assessedFee)
          receiver.pointee.isOverridden = true
        } else {
          receiver.pointee.posting.pointee.fee.set(zero)
          senderFees.add(receiver.pointee.assessedFee)
        }
      case .primaryReceiver:
        receiver.pointee.posting.pointee.fee.set(receiver.pointee.isPrimary ? fees : zero)
      case .secondaryOnly:
        receiver.pointee.posting.pointee.fee.set(receiver.pointee.isPrimary ? zero : fees)
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

  @inline(__always)
  private mutating func enterSender() {
    let sender = postings
    sender.pointee.account = self.sender.bytes
    sender.pointee.accountLength = self.sender.count
    sender.pointee.gross.set(senderAmount)
    sender.pointee.gross.negate()
    sender.pointee.passedOn.set(.zero(at: senderAmount.exponent))
    sender.pointee.fee.set(senderFees)
    sender.pointee.net.set(sender.pointee.gross)
    sender.pointee.net.subtract(senderFees)
  }

  /// The books of every payment: the nets of its postings and the fees assessed sum to zero.
  private func checkZeroSum() {
    var balance = fees
    for posting in 0...receiverCount { balance.add(postings[posting].net) }
    precondition(balance.isZero, "the postings of a payment do not sum to zero")
  }
}
