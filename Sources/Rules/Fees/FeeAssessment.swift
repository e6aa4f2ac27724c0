import ExactArithmetic
import Money
import Postings
import Records

/// Assesses fees on what each receiver keeps, and charges them to the parties that the fee payer names (`rules.md`,
/// "Fees").
struct FeeAssessment: ~Copyable {
  let schedule: FeeSchedule
  private let prices: PriceTable
  var names: NamedPrices
  /// Whether the schedule has named fees.
  let isNamed: Bool
  /// Whether fees are listed although the schedule has no names: each is called `fee`.
  private let listsPlain: Bool

  /// - Parameter showsNames: whether the night shows the names of fees.
  init(_ schedule: FeeSchedule, showsNames: Bool) {
    self.schedule = schedule
    prices = PriceTable(schedule)
    names = NamedPrices(schedule)
    isNamed = schedule.hasNames
    listsPlain = showsNames && !schedule.hasNames
  }

  /// Computes the figures of a payment without errors. The only error found here is `FEES_EXCEED_AMOUNT`.
  mutating func assess(_ judgement: inout Judgement) {
    if Self.areMinorUnits(&judgement) {
      assess(&judgement, in: MinorUnits.self)
    } else {
      assessDecimals(&judgement)
    }
  }

  @inline(never)
  private mutating func assessDecimals(_ judgement: inout Judgement) { assess(&judgement, in: ExactDecimal.self) }

  /// Whether minor units represent each gross, and all of them together.
  @inline(__always)
  private static func areMinorUnits(_ judgement: inout Judgement) -> Bool {
    let exponent = -judgement.record.currency!.settlementExponent
    var are = MinorUnits.represent(judgement.tally.gross, exponent: exponent)
    for place in 0..<judgement.receivers.count {
      are = are && MinorUnits.represent(judgement.receivers.postings[1 + place].gross, exponent: exponent)
    }
    return are
  }

  /// The primary receiver's gross is only meaningful if the payment is chained.
  @inline(__always)
  private mutating func assess<Amount: FeeAmount>(_ judgement: inout Judgement, in _: Amount.Type) {
    let (kind, currency) = (judgement.kind!, judgement.record.currency!)
    let exponent = -currency.settlementExponent
    let count = judgement.receivers.count
    let zero = Amount.zero(at: exponent)
    let (total, own) = (Amount(judgement.tally.gross), Amount(judgement.tally.primaryGross))
    var fees = zero
    for place in 0..<count {
      Self.keep(
        &judgement.receivers.figures[place], &judgement.receivers.postings[1 + place], kind, total: total, own: own,
        zero: zero, exponent: exponent)
      choosePlan(
        &judgement.receivers.figures[place], account: judgement.receivers.postings[1 + place].account, currency,
        from: judgement.senderCountry, judgement.fundingSource!, judgement.card?.entry, &judgement.record)
      if isNamed {
        assessNames(of: place, &judgement, currency)
      } else {
        assessPlain(&judgement.receivers.figures[place], currency)
      }
      fees += Amount(judgement.receivers.figures[place].assessedFee)
    }
    var (senderFees, receiverNet) = (zero, zero)
    var isNetNegative = false
    for place in 0..<count {
      let (own, ofSender) = Self.fees(judgement.feePayer!, &judgement.receivers.figures[place], all: fees, zero: zero)
      senderFees += ofSender
      let net = Self.settle(
        &judgement.receivers.figures[place], &judgement.receivers.postings[1 + place], kind, fee: own,
        exponent: exponent)
      receiverNet += net
      if net < zero { isNetNegative = true }
    }
    let sent = kind == .chained ? own : total
    sent.enter(into: &judgement.senderAmount, exponent: exponent)
    senderFees.enter(into: &judgement.senderFees, exponent: exponent)
    fees.enter(into: &judgement.fees, exponent: exponent)
    receiverNet.enter(into: &judgement.receiverNet, exponent: exponent)
    if isNetNegative { return Self.rejectNegativeNet(&judgement) }
    for place in 0..<count {
      let path = judgement.receivers.figures[place].place.path
      if judgement.receivers.figures[place].isOverridden { judgement.record.note(.feePayerOverridden, at: path) }
      if judgement.receivers.figures[place].isCapped { judgement.record.note(.feeCapped, at: path) }
      if judgement.receivers.figures[place].lacksFee { judgement.record.note(.feeNotSet, at: path) }
    }
    if listsPlain { judgement.receivers.chargePlain() }
    judgement.receivers.postings[0].account = judgement.places.sender.range
    Self.enterSender(
      &judgement.receivers.postings[0], sent: sent, fees: senderFees, zero: zero, exponent: exponent)
    // The books of a payment: the nets of its postings and the assessed fees sum to zero.
    for place in 0...count { fees += Amount(judgement.receivers.postings[place].net) }
    precondition(!(fees < zero) && !(zero < fees), "the postings of a payment do not sum to zero")
  }

  /// Sets what a receiver keeps, and what it passes on if it is the primary receiver of a chain: the total of all gross,
  /// without its own.
  @inline(__always)
  private static func keep<Amount: FeeAmount>(
    _ receiver: inout ReceiverFigures, _ posting: inout Posting, _ kind: PaymentKind, total: Amount, own: Amount,
    zero: Amount, exponent: Int
  ) {
    var (kept, passedOn) = (Amount(posting.gross), zero)
    if kind == .chained, receiver.isPrimary {
      passedOn = total - own
      kept = kept - passedOn
    }
    kept.enter(into: &receiver.kept, exponent: exponent)
    passedOn.enter(into: &posting.passedOn, exponent: exponent)
  }

  @inline(__always)
  private mutating func choosePlan(
    _ receiver: inout ReceiverFigures, account: Range<Int>, _ currency: Currency, from: Country?,
    _ fundingSource: FundingSource, _ entry: CardEntry?, _ record: inout RecordReader
  ) {
    let (plan, choice) = schedule.plan(
      type: receiver.type, subType: receiver.subType, fundingSource: fundingSource,
      account: record.copies.span.extracting(account), entry: entry)
    receiver.plan = plan
    receiver.planChoice = choice
    receiver.isCapped = false
    let to = receiver.country
    receiver.isCrossBorder =
      from != nil && to != nil && from != to && choice != .personal && prices.addsCrossBorder(plan, currency)
  }

  /// `min(round(rate x kept + fixed), kept)`, rounded once, after the addition; zero if the receiver keeps nothing.
  @inline(always)
  private mutating func assessPlain(_ receiver: inout ReceiverFigures, _ currency: Currency) {
    let exponent = -currency.settlementExponent
    guard !receiver.kept.isZero else { return receiver.assessedFee.set(.zero(at: exponent)) }
    // Neither the kept amount nor a price is ever negative.
    prices.assess(&receiver, currency, to: exponent, rounding: schedule.rounding)
    receiver.capFee()
  }

  /// The fees that a receiver bears, and the part of its fee that the sender bears.
  @inline(__always)
  private static func fees<Amount: FeeAmount>(
    _ feePayer: FeePayer, _ receiver: inout ReceiverFigures, all fees: Amount, zero: Amount
  ) -> (own: Amount, ofSender: Amount) {
    receiver.isOverridden = false
    switch feePayer {
    case .eachReceiver: return (Amount(receiver.assessedFee), zero)
    case .sender:
      let paysItself = receiver.country == .india || receiver.country == .germany
      receiver.isOverridden = receiver.type == .personal && paysItself
      return receiver.isOverridden ? (Amount(receiver.assessedFee), zero) : (zero, Amount(receiver.assessedFee))
    case .primaryReceiver: return (receiver.isPrimary ? fees : zero, zero)
    case .secondaryOnly: return (receiver.isPrimary ? zero : fees, zero)
    }
  }

  /// Sets role, fee and net of a receiver, and returns its net: what it keeps minus the fee that it bears.
  @inline(__always)
  private static func settle<Amount: FeeAmount>(
    _ receiver: inout ReceiverFigures, _ posting: inout Posting, _ kind: PaymentKind, fee: Amount, exponent: Int
  ) -> Amount {
    let net = Amount(receiver.kept) - fee
    posting.role = kind != .chained ? .receiver : receiver.isPrimary ? .primary : .secondary
    fee.enter(into: &posting.fee, exponent: exponent)
    net.enter(into: &posting.net, exponent: exponent)
    return net
  }

  /// Rejects a payment for the first receiver that keeps less than the fee that it bears.
  @inline(never)
  private static func rejectNegativeNet(_ judgement: inout Judgement) {
    for place in 0..<judgement.receivers.count {
      let (fee, kept) = (judgement.receivers[postingOf: place].fee, judgement.receivers.figures[place].kept)
      guard kept < fee else { continue }
      return judgement.record.reject(.feesExceedAmount, at: .top(.feePayer), found: fee, expected: kept)
    }
  }

  @inline(__always)
  private static func enterSender<Amount: FeeAmount>(
    _ posting: inout Posting, sent: Amount, fees: Amount, zero: Amount, exponent: Int
  ) {
    let gross = zero - sent
    gross.enter(into: &posting.gross, exponent: exponent)
    zero.enter(into: &posting.passedOn, exponent: exponent)
    fees.enter(into: &posting.fee, exponent: exponent)
    (gross - fees).enter(into: &posting.net, exponent: exponent)
  }
}
