import ExactArithmetic
import Failures
import Money
import Records
import Rules

/// The serialized forms of claims of later steps, and of agreement records, which ledgers keep, too.
extension ByteWriter {
  package mutating func laterClaim(_ later: LaterClaim) {
    number(later.claim)
    fingerprint(later.key)
    text(later.keyText)
    switch later.subject {
    case .agreement(let record):
      byte(0)
      agreementRecord(record)
    case .payment(let payment):
      byte(1)
      signed(payment.day.number)
      text(payment.sender)
      text(payment.currency.code)
      decimal(payment.amount)
      byte(payment.feePayer.number)
      flag(payment.isPINVerified)
      flag(payment.isSettled)
    case .refund(let terms):
      byte(2)
      refundTerms(terms)
    }
  }

  private mutating func refundTerms(_ terms: RefundTerms) {
    text(terms.currency?.code ?? "")
    switch terms.asked {
    case .full: byte(0)
    case .amount(let amount):
      byte(1)
      decimal(amount)
    case .receivers(let parts):
      byte(2)
      number(parts.count)
      for part in parts {
        text(part.account)
        decimal(part.amount)
        number(part.index)
      }
    }
  }

  package mutating func agreementRecord(_ record: AgreementRecord) {
    byte(record.action.number)
    signed(record.seconds)
    text(record.sender)
    guard let terms = record.terms else { return }
    text(terms.currency.code)
    for day in [terms.firstDay, terms.lastDay] { signed(day.number) }
    decimal(terms.total)
    flag(terms.perPayment != nil)
    if let most = terms.perPayment { decimal(most) }
    for count in [terms.count, terms.countPerPeriod] { number(count ?? 0) }
    number(terms.dateOfMonth)
    for value in [
      terms.period.number, terms.dayOfWeek.number, terms.pinType.number, terms.feesPayer.number,
    ] { byte(value) }
  }

  /// A number that may be negative: `n` becomes `2n`, and `-n` becomes `2n - 1`.
  private mutating func signed(_ value: Int) { number(value >= 0 ? 2 * value : -2 * value - 1) }
}

extension ByteReader {
  package mutating func laterClaim() throws(Failure) -> LaterClaim {
    let (claim, key, keyText) = (try number(), try fingerprint(), Array(try text()))
    return LaterClaim(claim: claim, key: key, keyText: keyText, subject: try subject())
  }

  private mutating func subject() throws(Failure) -> LaterClaim.Subject {
    switch try byte() {
    case 0: return .agreement(try agreementRecord())
    case 1:
      let (day, sender, currency) = (CalendarDay(number: try signed()), Array(try text()), try currency())
      return .payment(
        AgreementPayment(
          day: day, sender: sender, currency: currency, amount: try decimal(currency),
          feePayer: try known(FeePayer.self), isPINVerified: try flag(), isSettled: try flag()))
    case 2: return .refund(try refundTerms())
    default: throw damage("it has a claim of an unknown kind")
    }
  }

  package mutating func agreementRecord() throws(Failure) -> AgreementRecord {
    let action = try known(PreapprovalAction.self)
    let (seconds, sender) = (try signed(), Array(try text()))
    return AgreementRecord(
      action: action, seconds: seconds, sender: sender, terms: action == .create ? try terms() : nil)
  }

  private mutating func terms() throws(Failure) -> AgreementTerms {
    let currency = try currency()
    let (first, last) = (CalendarDay(number: try signed()), CalendarDay(number: try signed()))
    var terms = AgreementTerms(firstDay: first, lastDay: last, currency: currency, total: try decimal(currency))
    if try flag() { terms.perPayment = try decimal(currency) }
    terms.count = try limit()
    terms.countPerPeriod = try limit()
    terms.dateOfMonth = try number()
    terms.period = try known(PaymentPeriod.self)
    terms.dayOfWeek = try known(DayOfWeek.self)
    terms.pinType = try known(PINType.self)
    terms.feesPayer = try known(FeesPayer.self)
    return terms
  }

  private mutating func limit() throws(Failure) -> Int? {
    let limit = try number()
    return limit == 0 ? nil : limit
  }

  private mutating func signed() throws(Failure) -> Int {
    let value = try number()
    return value % 2 == 0 ? value / 2 : -(value + 1) / 2
  }

  private mutating func known<Value: WireValue>(_ type: Value.Type) throws(Failure) -> Value {
    guard let value = Value(number: try byte()) else { throw damage("it has an unknown value") }
    return value
  }

  private mutating func refundTerms() throws(Failure) -> RefundTerms {
    let code = try string()
    let currency = Currency(code: code)
    guard currency != nil || code.isEmpty else { throw damage("it names an unknown currency") }
    func decimal(_ reader: inout ByteReader) throws(Failure) -> ExactDecimal {
      guard let decimal = ExactDecimal(try reader.string()) else { throw reader.damage("invalid refund amount") }
      return decimal
    }
    switch try byte() {
    case 0: return RefundTerms(currency: currency, asked: .full)
    case 1: return RefundTerms(currency: currency, asked: .amount(try decimal(&self)))
    case 2:
      var parts: [RefundTerms.Part] = []
      for _ in 0..<(try number()) {
        let account = Array(try text())
        let amount = try decimal(&self)
        parts.append(RefundTerms.Part(account: account, amount: amount, index: try number()))
      }
      return RefundTerms(currency: currency, asked: .receivers(parts))
    default: throw damage("it asks for a refund of an unknown kind")
    }
  }
}
