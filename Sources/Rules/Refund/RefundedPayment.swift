import ExactArithmetic
import Postings
import Records

/// A settled payment and what was refunded so far. It judges the next refund.
public struct RefundedPayment: Sendable {
  public let payment: RefundablePayment
  /// The number of the run that settled it; 0 if this batch does.
  public let run: Int
  /// What each receiver returned so far, in the payment's order.
  public private(set) var taken: [ExactDecimal]

  /// - Parameter taken: what each receiver returned so far; empty if there was no refund.
  public init(_ payment: RefundablePayment, run: Int, taken: [ExactDecimal] = []) {
    self.payment = payment
    self.run = run
    self.taken = taken.isEmpty ? Array(repeating: payment.zero, count: payment.receivers.count) : taken
  }

  /// What remains refundable of a receiver's part.
  public func remaining(of place: Int) -> ExactDecimal { payment.receivers[place].refundable - taken[place] }

  /// What was refunded so far.
  public var refunded: ExactDecimal { taken.reduce(payment.zero, +) }

  /// What remains refundable.
  public var remaining: ExactDecimal {
    payment.receivers.indices.reduce(payment.zero) { $0 + remaining(of: $1) }
  }

  /// Adds what each receiver returned in an earlier refund.
  public mutating func refund(_ parts: [ExactDecimal]) {
    for place in parts.indices { taken[place].add(parts[place]) }
  }

  // MARK: Judging

  /// Judges the next refund, and if it is made, counts what it returns.
  public mutating func judge(_ terms: RefundTerms, _ schedule: FeeSchedule) -> RefundVerdict {
    let refusals = refusals(of: terms)
    guard refusals.isEmpty else { return .refused(refusals) }
    return .made(refund(terms, returnsFees: schedule.returnsFees), run: run)
  }

  /// Why the payment cannot be refunded like this; empty if it can.
  private func refusals(of terms: RefundTerms) -> [ClaimRefusal] {
    let remaining = remaining
    if remaining.isZero { return [ClaimRefusal(.fullyRefunded, of: .refund)] }
    var refusals: [ClaimRefusal] = []
    let isOfCurrency = terms.currency.map { $0 == payment.currency } ?? true
    if !isOfCurrency { refusals.append(ClaimRefusal(.refundCurrency, of: .refund)) }
    func judge(_ amount: ExactDecimal, _ remaining: ExactDecimal, _ path: FieldPath) {
      guard isOfCurrency, amount != remaining else { return }
      if amount > remaining {
        refusals.append(ClaimRefusal(.refundExceedsRemaining, at: path, figures: (amount, remaining)))
      } else if payment.isPersonal {
        refusals.append(ClaimRefusal(.partialRefundNotAllowed, at: path, figures: (amount, remaining)))
      }
    }
    switch terms.asked {
    case .full:
      if taken.contains(where: { !$0.isZero }) { refusals.append(ClaimRefusal(.fullAfterPartial, of: .refund)) }
    case .amount(let amount): judge(amount, remaining, .refund(.amount))
    case .receivers(let parts):
      for part in parts {
        let path = FieldPath.refundReceiver(part.index)
        if let place = place(of: part.account) {
          judge(part.amount, self.remaining(of: place), path.refundReceiverField(.amount))
        } else {
          refusals.append(ClaimRefusal(.refundReceiverUnknown, at: path.refundReceiverField(.recipient)))
        }
      }
    }
    return refusals
  }

  private func place(of account: [UInt8]) -> Int? { payment.receivers.firstIndex { $0.account == account } }

  /// Makes a refund that is not refused.
  ///
  /// - Parameter returnsFees: whether the fee schedule returns fees of payments that were settled without named ones.
  private mutating func refund(_ terms: RefundTerms, returnsFees: Bool) -> MadeRefund {
    let before = taken
    let parts = shares(terms.asked).map(\.part)
    refund(parts)
    var returned: [MadeRefund.Returned] = []
    func giveBack(_ place: Int, _ name: [UInt8], _ fee: ExactDecimal, _ vat: ExactDecimal) {
      let (before, after) = (before[place], taken[place])
      let part = MadeRefund.Returned(
        place: place, name: name, fee: returnedPart(of: fee, place, from: before, to: after),
        vat: returnedPart(of: vat, place, from: before, to: after))
      if !(part.fee.isZero && part.vat.isZero) { returned.append(part) }
    }
    for (place, receiver) in payment.receivers.enumerated() {
      if receiver.charges.isEmpty, returnsFees {
        giveBack(place, FeeSchedule.plainName, receiver.assessedFee, payment.zero)
      }
      for charge in receiver.charges where charge.isReturned { giveBack(place, charge.name, charge.fee, charge.vat) }
    }
    return MadeRefund(payment: payment, parts: parts, returned: returned, remaining: remaining)
  }

  /// A receiver's share of a refund.
  public struct Share: Sendable {
    /// What it returns.
    public var part: ExactDecimal
    /// The fraction of a minor unit that rounding down removed: this divided by the payment's remaining amount; nil if
    /// the amount was not divided.
    var cutOff: ExactDecimal?
    /// Whether it got one of the minor units that rounding down left over.
    public var hasUnit = false
  }

  /// What each receiver returns. An amount is divided in proportion to what remains of each part, and rounded down to
  /// minor units. Each missing unit goes to the largest removed fraction; if several are equal, to the first account by
  /// its bytes.
  public func shares(_ asked: RefundTerms.Asked) -> [Share] {
    let places = payment.receivers.indices
    switch asked {
    case .full: return places.map { Share(part: remaining(of: $0)) }
    case .receivers(let parts):
      return payment.receivers.map { receiver in
        Share(part: parts.first { $0.account == receiver.account }?.amount ?? payment.zero)
      }
    case .amount(let amount):
      let exponent = -payment.currency.settlementExponent
      let unit = ExactDecimal(magnitude: 1, exponent: exponent)
      let divisor = remaining * unit
      var left = amount
      var shares = places.map { place in
        let (quotient, remainder) = (amount * remaining(of: place)).quotientAndRemainder(dividingBy: divisor)
        let part = (quotient * unit).quantized(to: exponent, rounding: .down)
        left.subtract(part)
        return Share(part: part, cutOff: remainder)
      }
      let order = places.sorted { first, second in
        let (a, b) = (shares[first].cutOff!, shares[second].cutOff!)
        return a == b
          ? payment.receivers[first].account.lexicographicallyPrecedes(payment.receivers[second].account) : a > b
      }
      for place in order where !left.isZero {
        shares[place].part.add(unit)
        shares[place].hasUnit = true
        left.subtract(unit)
      }
      precondition(left.isZero, "the parts of a refund do not sum to its amount")
      return shares
    }
  }

  /// The part of a receiver's fee that is returned: `floor(fee x taken after / refundable) - floor(fee x taken before /
  /// refundable)`.
  private func returnedPart(
    of fee: ExactDecimal, _ place: Int, from before: ExactDecimal, to after: ExactDecimal
  ) -> ExactDecimal {
    let receiver = payment.receivers[place]
    guard !receiver.refundable.isZero, !fee.isZero else { return payment.zero }
    let exponent = -payment.currency.settlementExponent
    let unit = ExactDecimal(magnitude: 1, exponent: exponent)
    func returned(_ taken: ExactDecimal) -> ExactDecimal {
      let units = (fee * taken).quotientAndRemainder(dividingBy: receiver.refundable * unit).quotient
      return (units * unit).quantized(to: exponent, rounding: .down)
    }
    return returned(after) - returned(before)
  }
}

/// The result of judging a refund.
public enum RefundVerdict: Sendable {
  /// It is not made.
  case refused([ClaimRefusal])
  /// It is made. The payment was settled by the run with this number; 0 for this run.
  case made(MadeRefund, run: Int)

  /// No payment with this key is settled.
  public static let notSettled = refused([ClaimRefusal(.paymentNotSettled, of: .refund)])
  /// The payment was settled too long ago, or the facts that a refund needs are no longer kept.
  public static let windowPassed = refused([ClaimRefusal(.refundWindowPassed, of: .refund)])
}

/// A refund that was made: what each receiver returned, and the fees that were returned.
public struct MadeRefund: Sendable {
  public let payment: RefundablePayment
  /// What each receiver returns, in the payment's order.
  public let parts: [ExactDecimal]
  /// The fees that are returned, to the parties that bore them.
  public let returned: [Returned]
  /// What remains of the payment afterwards.
  public let remaining: ExactDecimal

  /// What is returned of the fee that a receiver was charged under a name.
  public struct Returned: Sendable {
    /// The receiver's place in the payment.
    public let place: Int
    public let name: [UInt8]
    public let fee: ExactDecimal
    public let vat: ExactDecimal

    /// The same as sums of a night.
    var sums: FeeSums {
      var sums = FeeSums(exponent: fee.exponent)
      (sums.feeReturned, sums.vatReturned) = (fee, vat)
      return sums
    }
  }

  /// The part of each receiver's fee that is returned, with VAT.
  public var fees: [ExactDecimal] {
    var fees = Array(repeating: payment.zero, count: parts.count)
    for part in returned { fees[part.place].add(part.fee + part.vat) }
    return fees
  }

  /// What the sender gets back, without fees.
  public var amount: ExactDecimal { parts.reduce(payment.zero, +) }

  public var feesReturned: ExactDecimal { returned.reduce(payment.zero) { $0 + $1.fee + $1.vat } }

  /// The fees that are returned to a party: a receiver by its place, or nil for the sender.
  public func feesReturned(to party: Int?) -> ExactDecimal {
    returned.reduce(payment.zero) { payment.bearer(of: $1.place) == party ? $0 + $1.fee + $1.vat : $0 }
  }

  /// Calls `body` with its postings: the payment's with the opposite sign, without receivers that give and get nothing.
  public func withEntry(refundKey: [UInt8], payKey: [UInt8], _ body: (SettledEntry) -> Void) {
    var accounts: [UInt8] = []
    accounts.reserveCapacity(512)
    func posting(
      _ account: [UInt8], _ role: PartyRole, gross: ExactDecimal, passedOn: ExactDecimal, _ party: Int?
    ) -> Posting {
      var posting = Posting()
      posting.account = accounts.count..<accounts.count + account.count
      accounts += account
      posting.role = role
      posting.gross = gross
      posting.passedOn = passedOn
      posting.fee = -feesReturned(to: party)
      posting.net = gross - passedOn - posting.fee
      return posting
    }
    let total = amount
    var postings = [posting(payment.sender, .sender, gross: total, passedOn: payment.zero, nil)]
    postings.reserveCapacity(1 + payment.receivers.count)
    var places: [Int] = []
    for (place, receiver) in payment.receivers.enumerated() {
      let isPrimary = receiver.role == .primary
      let passedOn = isPrimary ? parts[place] - total : payment.zero
      let posting = posting(
        receiver.account, receiver.role, gross: isPrimary ? -total : -parts[place], passedOn: passedOn, place)
      if !posting.gross.isZero || !posting.fee.isZero {
        postings.append(posting)
        places.append(place)
      }
    }
    precondition(
      postings.reduce(payment.zero) { $0 + $1.net + $1.fee }.isZero, "the postings of a refund do not sum to zero")
    body(
      SettledEntry(
        payKey: payKey.span, kind: payment.kind, currency: payment.currency, postings: postings.span,
        accounts: accounts.span, refundKey: refundKey.span, placesInPayment: places.span))
  }
}
