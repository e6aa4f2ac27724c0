import ExactArithmetic
import Money
import Postings
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
      Self.keep(
        &judgement.receivers.figures[place], &judgement.receivers.postings[1 + place], kind,
        total: judgement.tally.gross, own: judgement.tally.primaryGross, zero: zero)
      assess(
        &judgement.receivers.figures[place], account: judgement.receivers.postings[1 + place].account, currency,
        from: judgement.senderCountry, judgement.fundingSource!, judgement.card?.entry, &judgement.record)
      judgement.fees.add(judgement.receivers.figures[place].assessedFee)
    }
    for place in 0..<count {
      Self.bear(
        judgement.feePayer!, &judgement.receivers.figures[place], &judgement.receivers.postings[1 + place],
        senderFees: &judgement.senderFees, fees: judgement.fees, zero: zero)
    }
    for place in 0..<count {
      guard judgement.receivers.figures[place].settle(&judgement.receivers.postings[1 + place], kind) else {
        return judgement.record.reject(
          .feesExceedAmount, at: .top(.feePayer), found: judgement.receivers[postingOf: place].fee,
          expected: judgement.receivers.figures[place].kept)
      }
      judgement.receiverNet.add(judgement.receivers.postings[1 + place].net)
    }
    for place in 0..<count {
      let path = judgement.receivers.figures[place].place.path
      if judgement.receivers.figures[place].isOverridden { judgement.record.note(.feePayerOverridden, at: path) }
      if judgement.receivers.figures[place].isCapped { judgement.record.note(.feeCapped, at: path) }
    }
    Self.enterSender(&judgement)
    Self.proveZeroSum(&judgement)
  }

  /// Sets what a receiver keeps, and what it passes on if it is the primary receiver of a chain.
  @inline(__always)
  private static func keep(
    _ receiver: inout ReceiverFigures, _ posting: inout Posting, _ kind: PaymentKind, total: ExactDecimal,
    own: ExactDecimal, zero: ExactDecimal
  ) {
    receiver.keepAll(&posting, zero: zero)
    if kind == .chained, receiver.isPrimary { receiver.passOn(&posting, total: total, own: own) }
  }

  /// `min(round(rate x kept + fixed), kept)`, rounded once, after the addition; zero if the receiver keeps nothing.
  @inline(__always)
  private mutating func assess(
    _ receiver: inout ReceiverFigures, account: Range<Int>, _ currency: Currency, from: Country?,
    _ fundingSource: FundingSource, _ entry: CardEntry?, _ record: inout RecordReader
  ) {
    let exponent = -currency.settlementExponent
    let (plan, choice) = schedule.plan(
      type: receiver.type, subType: receiver.subType, fundingSource: fundingSource,
      account: record.copies.span.extracting(account), entry: entry)
    receiver.plan = plan
    receiver.planChoice = choice
    receiver.isCapped = false
    let to = receiver.country
    receiver.isCrossBorder =
      from != nil && to != nil && from != to && choice != .personal && prices.addsCrossBorder(plan, currency)
    guard !receiver.kept.isZero else { return receiver.assessedFee.set(.zero(at: exponent)) }
    // Neither the kept amount nor a price is ever negative.
    prices.assess(&receiver, currency, to: exponent, rounding: schedule.rounding)
    receiver.capFee()
  }

  /// Charges a receiver's fee to the party that bears it.
  @inline(__always)
  private static func bear(
    _ feePayer: FeePayer, _ receiver: inout ReceiverFigures, _ posting: inout Posting,
    senderFees: inout ExactDecimal, fees: ExactDecimal, zero: ExactDecimal
  ) {
    receiver.isOverridden = false
    switch feePayer {
    case .eachReceiver: posting.fee.set(receiver.assessedFee)
    case .sender:
      let paysItself = receiver.country == .india || receiver.country == .germany
      if receiver.type == .personal, paysItself {
        posting.fee.set(receiver.assessedFee)
        receiver.isOverridden = true
      } else {
        posting.fee.set(zero)
        senderFees.add(receiver.assessedFee)
      }
    case .primaryReceiver: posting.fee.set(receiver.isPrimary ? fees : zero)
    case .secondaryOnly: posting.fee.set(receiver.isPrimary ? zero : fees)
    }
  }

  @inline(__always)
  private static func enterSender(_ judgement: inout Judgement) {
    judgement.receivers.postings[0].account = judgement.places.sender.range
    judgement.receivers.postings[0].gross.set(judgement.senderAmount)
    judgement.receivers.postings[0].gross.negate()
    judgement.receivers.postings[0].passedOn.set(.zero(at: judgement.senderAmount.exponent))
    judgement.receivers.postings[0].fee.set(judgement.senderFees)
    judgement.receivers.postings[0].net.set(judgement.receivers.postings[0].gross)
    judgement.receivers.postings[0].net.subtract(judgement.senderFees)
  }

  /// Checks the books of a payment: the nets of its postings and the assessed fees sum to zero.
  @inline(__always)
  private static func proveZeroSum(_ judgement: inout Judgement) {
    var balance = judgement.fees
    for posting in 0...judgement.receivers.count { balance.add(judgement.receivers.postings[posting].net) }
    precondition(balance.isZero, "the postings of a payment do not sum to zero")
  }
}
