import ExactArithmetic
import Money
import Records

/// What a sender agreed to (`preapprovals.md`).
public struct AgreementTerms: Sendable, Equatable {
  /// The first day on which payments may be made.
  public var firstDay: CalendarDay
  /// The last day on which payments may be made.
  public var lastDay: CalendarDay
  /// The currency of amounts and payments.
  public var currency: Currency
  /// The most that all payments together may cost the sender.
  public var total: ExactDecimal
  /// The most that one payment may cost the sender; nil without a limit.
  public var perPayment: ExactDecimal?
  /// The maximum number of payments; nil without a limit.
  public var count: Int?
  /// The maximum number of payments in a period; nil without a limit.
  public var countPerPeriod: Int?
  public var period = PaymentPeriod.unspecified
  /// The day of the month on which payments may be made, or the last day of a shorter month; 0 for any.
  public var dateOfMonth = 0
  /// The weekday on which payments may be made.
  public var dayOfWeek = DayOfWeek.any
  /// Whether payments need the sender's PIN.
  public var pinType = PINType.notRequired
  /// Who bears the payments' fees.
  public var feesPayer = FeesPayer.eachReceiver

  /// Terms without any limit except the total.
  public init(firstDay: CalendarDay, lastDay: CalendarDay, currency: Currency, total: ExactDecimal) {
    self.firstDay = firstDay
    self.lastDay = lastDay
    self.currency = currency
    self.total = total
  }
}

/// The contents of a record of type preapproval that has no error of its own.
public struct AgreementRecord: Sendable {
  /// What it does.
  public var action: PreapprovalAction
  /// When it does that, in whole seconds since 1970.
  public var seconds: Int
  /// The sender that it names, in lower case; empty if it names none.
  public var sender: [UInt8]
  /// The terms, for a `CREATE`.
  public var terms: AgreementTerms?

  /// The contents of a record.
  public init(action: PreapprovalAction, seconds: Int, sender: [UInt8], terms: AgreementTerms?) {
    self.action = action
    self.seconds = seconds
    self.sender = sender
    self.terms = terms
  }
}

/// What a payment needs from the agreement that it names, if the payment has no error of its own.
public struct AgreementPayment: Sendable {
  /// The day in UTC on which it was made.
  public var day: CalendarDay
  /// The sender, in lower case.
  public var sender: [UInt8]
  public var currency: Currency
  /// What the sender pays, including fees that the sender bears.
  public var amount: ExactDecimal
  /// Who bears its fees.
  public var feePayer: FeePayer
  /// Whether the sender's PIN was right.
  public var isPINVerified: Bool
  /// Whether it is settled: only then does it count against the limits.
  public var isSettled: Bool

  /// Makes what a payment needs.
  public init(
    day: CalendarDay, sender: [UInt8], currency: Currency, amount: ExactDecimal, feePayer: FeePayer,
    isPINVerified: Bool, isSettled: Bool
  ) {
    self.day = day
    self.sender = sender
    self.currency = currency
    self.amount = amount
    self.feePayer = feePayer
    self.isPINVerified = isPINVerified
    self.isSettled = isSettled
  }
}

/// An agreement's current state: terms, status, and what was used. Records and payments act on it in batch order.
public struct Agreement: Sendable {
  /// The steps of an agreement's life.
  public enum Status: String, Sendable {
    /// Created, not confirmed.
    case pending = "PENDING"
    /// Confirmed: payments may be made.
    case active = "ACTIVE"
    /// At its end.
    case canceled = "CANCELED"
  }

  public let terms: AgreementTerms
  /// When it was made, in whole seconds since 1970.
  let created: Int
  /// The sender, in lower case; empty until one is named.
  public private(set) var sender: [UInt8]
  public private(set) var status = Status.pending
  /// The number of payments that were settled.
  public private(set) var payments = 0
  /// What these payments cost the sender.
  public private(set) var amount: ExactDecimal
  /// The number of these payments by period, keyed by the number of its first day; 0 without periods.
  private var paymentsByPeriod: [Int: Int] = [:]

  private static let longestWait = 3 * 3600

  /// Whether it was never confirmed, and can no longer be at this time (in seconds since 1970).
  public func isExpired(at seconds: Int) -> Bool { status == .pending && seconds - created > Self.longestWait }

  /// Makes the agreement that a `CREATE` describes.
  private init(_ terms: AgreementTerms, _ record: AgreementRecord) {
    self.terms = terms
    created = record.seconds
    sender = record.sender
    amount = .zero(at: -terms.currency.settlementExponent)
  }

  /// Judges a record of an agreement, and applies it if it is not refused.
  ///
  /// - Parameter agreement: the agreement with the record's key; nil if it does not exist yet.
  /// - Returns: why the record is refused; empty if it is accepted.
  public static func apply(_ record: AgreementRecord, on agreement: inout Agreement?) -> [ClaimRefusal] {
    func refused(_ reason: RejectionReason) -> [ClaimRefusal] {
      [ClaimRefusal(reason, of: .preapproval)]
    }
    guard var current = agreement else {
      guard let terms = record.terms else { return refused(.preapprovalUnknown) }
      agreement = Agreement(terms, record)
      return []
    }
    switch record.action {
    case .create: return refused(.preapprovalExists)
    case .cancel: current.status = .canceled
    case .confirm:
      if current.status == .canceled { return refused(.preapprovalCanceled) }
      let wait = record.seconds - current.created
      guard current.status == .pending, (0...longestWait).contains(wait) else { return refused(.preapprovalNotPending) }
      if current.sender.isEmpty {
        if record.sender.isEmpty { return refused(.senderRequired) }
        current.sender = record.sender
      } else if !record.sender.isEmpty, record.sender != current.sender {
        return refused(.preapprovalSender)
      }
      current.status = .active
    }
    agreement = current
    return []
  }

  /// Judges a payment, and counts it if it is settled and not refused.
  ///
  /// - Returns: why the payment is refused; empty if the agreement allows it.
  public static func apply(_ payment: AgreementPayment, on agreement: inout Agreement?) -> [ClaimRefusal] {
    guard let current = agreement else { return [ClaimRefusal(.preapprovalUnknown, of: .payment)] }
    switch current.status {
    case .canceled: return [ClaimRefusal(.preapprovalCanceled, of: .payment)]
    case .pending: return [ClaimRefusal(.preapprovalNotConfirmed, of: .payment)]
    case .active: break
    }
    let refusals = current.mismatches(payment) + current.exceeded(payment)
    if refusals.isEmpty, payment.isSettled { agreement?.count(payment) }
    return refusals
  }

  /// The terms that the payment does not match.
  private func mismatches(_ payment: AgreementPayment) -> [ClaimRefusal] {
    var refusals: [ClaimRefusal] = []
    func expect(_ isTrue: Bool, _ reason: RejectionReason) {
      if !isTrue { refusals.append(ClaimRefusal(reason, of: .payment)) }
    }
    let day = payment.day
    expect(payment.sender == sender, .preapprovalSender)
    expect(payment.currency == terms.currency, .preapprovalCurrency)
    expect(payment.feePayer == terms.feesPayer.feePayer, .preapprovalFeePayer)
    expect(terms.pinType == .notRequired || payment.isPINVerified, .preapprovalPIN)
    expect(terms.firstDay <= day && day <= terms.lastDay, .preapprovalDates)
    expect(terms.dayOfWeek == .any || Int(terms.dayOfWeek.number) == day.weekday + 1, .preapprovalDayOfWeek)
    expect(terms.dateOfMonth == 0 || day.day == min(terms.dateOfMonth, day.endOfMonth.day), .preapprovalDayOfMonth)
    return refusals
  }

  private func exceeded(_ payment: AgreementPayment) -> [ClaimRefusal] {
    var refusals: [ClaimRefusal] = []
    func expect(_ found: ExactDecimal, atMost limit: ExactDecimal?, _ reason: RejectionReason) {
      if let limit, found > limit {
        refusals.append(ClaimRefusal(reason, of: .payment, figures: (found, limit)))
      }
    }
    func expect(_ found: Int, atMost limit: Int?, _ reason: RejectionReason) {
      expect(ExactDecimal(found), atMost: limit.map { ExactDecimal($0) }, reason)
    }
    expect(payments + 1, atMost: terms.count, .preapprovalCount)
    expect(payments(inPeriodOf: payment.day) + 1, atMost: terms.countPerPeriod, .preapprovalPeriodCount)
    if payment.currency == terms.currency {
      expect(payment.amount, atMost: terms.perPayment, .preapprovalPaymentMax)
      expect(amount + payment.amount, atMost: terms.total, .preapprovalTotal)
    }
    return refusals
  }

  /// Identifies a day's period: the number of its first day; 0 without periods.
  public func period(of day: CalendarDay) -> Int {
    terms.period.days(around: day, first: terms.firstDay)?.lowerBound.number ?? 0
  }

  /// The number of payments that were settled in a day's period.
  public func payments(inPeriodOf day: CalendarDay) -> Int { paymentsByPeriod[period(of: day), default: 0] }

  private mutating func count(_ payment: AgreementPayment) {
    addUse(period: period(of: payment.day), payments: 1, amount: payment.amount)
  }

  /// Adds what was used in an earlier run.
  ///
  /// - Parameter period: the period, as `period(of:)` returns it.
  public mutating func addUse(period: Int, payments: Int, amount: ExactDecimal) {
    self.payments += payments
    self.amount.add(amount)
    paymentsByPeriod[period, default: 0] += payments
  }
}
