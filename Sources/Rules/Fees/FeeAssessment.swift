import ExactArithmetic
import Money
import Records

/// Assesses fees on what each receiver keeps, and charges them to the parties that the fee payer names (`rules.md`,
/// "Fees").
///
/// Its functions are mutating although they change nothing in it, because a borrowed one would be copied.
struct FeeAssessment: ~Copyable {
  private let schedule: FeeSchedule
  private let prices: PriceTable

  init(_ schedule: FeeSchedule) {
    self.schedule = schedule
    prices = PriceTable(schedule)
  }

  /// Computes the figures of a payment without errors. The only error found here is `FEES_EXCEED_AMOUNT`.
  mutating func assess(_ judgement: inout Judgement) {
    let (kind, currency) = (judgement.kind!, judgement.record.currency!)
    let count = judgement.receivers.count
    let zero = ExactDecimal.zero(at: -currency.settlementExponent)
    judgement.senderAmount.set(kind == .chained ? judgement.tally.primaryGross : judgement.tally.gross)
    judgement.senderFees.set(zero)
    judgement.fees.set(zero)
    judgement.receiverNet.set(zero)
    for place in 0..<count {
      let receiver = judgement.receivers[place]
      receiver.pointee.kept.set(receiver.pointee.posting.pointee.gross)
      receiver.pointee.posting.pointee.passedOn.set(zero)
      if kind == .chained, receiver.pointee.isPrimary { Self.passOn(receiver, &judgement.tally) }
      assess(receiver, currency, &judgement)
      judgement.fees.add(receiver.pointee.assessedFee)
    }
    Self.bear(judgement.feePayer!, &judgement, zero: zero)
    for place in 0..<count {
      let receiver = judgement.receivers[place]
      let posting = receiver.pointee.posting
      if posting.pointee.fee > receiver.pointee.kept {
        return judgement.record.reject(
          .feesExceedAmount, at: .top(.feePayer), found: posting.pointee.fee, expected: receiver.pointee.kept)
      }
      posting.pointee.role = kind != .chained ? .receiver : receiver.pointee.isPrimary ? .primary : .secondary
      posting.pointee.net.set(receiver.pointee.kept)
      posting.pointee.net.subtract(posting.pointee.fee)
      judgement.receiverNet.add(posting.pointee.net)
    }
    for place in 0..<count {
      let receiver = judgement.receivers[place]
      if receiver.pointee.isOverridden { judgement.record.note(.feePayerOverridden, at: receiver.pointee.place.path) }
      if receiver.pointee.isCapped { judgement.record.note(.feeCapped, at: receiver.pointee.place.path) }
    }
    Self.enterSender(&judgement)
    Self.proveZeroSum(&judgement)
  }

  @inline(__always)
  private static func passOn(_ receiver: ReceiverRoom, _ tally: inout ReceiverTally) {
    let posting = receiver.pointee.posting
    posting.pointee.passedOn.set(tally.gross)
    posting.pointee.passedOn.subtract(tally.primaryGross)
    receiver.pointee.kept.subtract(posting.pointee.passedOn)
  }

  /// `min(round(rate x kept + fixed), kept)`, rounded once, after the addition; zero if the receiver keeps nothing.
  @inline(__always)
  private mutating func assess(_ receiver: ReceiverRoom, _ currency: Currency, _ judgement: inout Judgement) {
    let exponent = -currency.settlementExponent
    let posting = receiver.pointee.posting
    let (plan, choice) = schedule.plan(
      type: receiver.pointee.type, subType: receiver.pointee.subType, fundingSource: judgement.fundingSource!,
      account: posting.pointee.account, accountLength: posting.pointee.accountLength, entry: judgement.card?.entry)
    receiver.pointee.plan = plan
    receiver.pointee.planChoice = choice
    receiver.pointee.isCapped = false
    let (from, to) = (judgement.senderCountry, receiver.pointee.country)
    let price = prices.price(plan, currency)
    let isCrossBorder = from != nil && to != nil && from != to && choice != .personal && price.pointee.addsCrossBorder
    receiver.pointee.isCrossBorder = isCrossBorder
    guard !receiver.pointee.kept.isZero else { return receiver.pointee.assessedFee.set(.zero(at: exponent)) }
    // Neither the kept amount nor a price is ever negative.
    (price + (isCrossBorder ? 1 : 0)).assess(receiver, to: exponent, rounding: schedule.rounding)
    receiver.pointee.capFee()
  }

  @inline(__always)
  private static func bear(_ feePayer: FeePayer, _ judgement: inout Judgement, zero: ExactDecimal) {
    for place in 0..<judgement.receivers.count {
      let receiver = judgement.receivers[place]
      let posting = receiver.pointee.posting
      receiver.pointee.isOverridden = false
      switch feePayer {
      case .eachReceiver: posting.pointee.fee.set(receiver.pointee.assessedFee)
      case .sender:
        let paysItself = receiver.pointee.country == .india || receiver.pointee.country == .germany
        if receiver.pointee.type == .personal, paysItself {
          posting.pointee.fee.set(receiver.pointee.assessedFee)
          receiver.pointee.isOverridden = true
        } else {
          posting.pointee.fee.set(zero)
          judgement.senderFees.add(receiver.pointee.assessedFee)
        }
      case .primaryReceiver: posting.pointee.fee.set(receiver.pointee.isPrimary ? judgement.fees : zero)
      case .secondaryOnly: posting.pointee.fee.set(receiver.pointee.isPrimary ? zero : judgement.fees)
      }
    }
  }

  @inline(__always)
  private static func enterSender(_ judgement: inout Judgement) {
    let sender = judgement.receivers.postings
    sender.pointee.account = judgement.sender.bytes
    sender.pointee.accountLength = judgement.sender.count
    sender.pointee.gross.set(judgement.senderAmount)
    sender.pointee.gross.negate()
    sender.pointee.passedOn.set(.zero(at: judgement.senderAmount.exponent))
    sender.pointee.fee.set(judgement.senderFees)
    sender.pointee.net.set(sender.pointee.gross)
    sender.pointee.net.subtract(judgement.senderFees)
  }

  /// Checks the books of a payment: the nets of its postings and the assessed fees sum to zero.
  @inline(__always)
  private static func proveZeroSum(_ judgement: inout Judgement) {
    var balance = judgement.fees
    for posting in 0...judgement.receivers.count { balance.add(judgement.receivers.postings[posting].net) }
    precondition(balance.isZero, "the postings of a payment do not sum to zero")
  }
}
