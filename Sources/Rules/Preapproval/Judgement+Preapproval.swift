import ExactArithmetic
import Input
import Money
import Records

/// Records of type preapproval (`preapprovals.md`).
extension Judgement {
  mutating func checkPreapproval() {
    let action: PreapprovalAction? = value(
      scanner.preapprovalField(.action), at: .preapproval(.action), whenAbsent: .create)
    if let key = key(scanner.preapprovalField(.preapprovalKey), at: .preapproval(.preapprovalKey)) {
      preapprovalKey = key
    }
    let createdAt = requiredTime(
      scanner.preapprovalField(.createdAt), at: .preapproval(.createdAt))
    checkURL(scanner.preapprovalField(.ipnUrl), at: .preapproval(.ipnUrl))
    noteUnknownFields(ofPreapproval: action)
    guard let action else { return }
    if action != .cancel,
      let account = account(
        scanner.preapprovalField(.senderEmail), at: .preapproval(.senderEmail))
    {
      sender = account
    }
    let terms = action == .create ? checkTerms(createdAt) : nil
    guard findings.isEmpty, let createdAt else { return }
    agreementRecord = AgreementRecord(
      action: action, seconds: createdAt,
      sender: Array(UnsafeBufferPointer(start: sender.bytes, count: sender.count)), terms: terms)
  }

  /// The terms of a `CREATE`; nil if any is not valid.
  private mutating func checkTerms(_ createdAt: Int?) -> AgreementTerms? {
    currency = requiredCurrency(scanner.preapprovalField(.currencyCode), at: .preapproval(.currencyCode))
    let first = day(.startingDate)
    let last = day(.endingDate)
    checkDates(first, last, createdAt)
    var (total, perPayment) = (ExactDecimal.zero, ExactDecimal.zero)
    let hasTotal = amount(
      scanner.preapprovalField(.maxTotalAmountOfAllPayments),
      at: .preapproval(.maxTotalAmountOfAllPayments), .aboveZero, into: &total)
    let most = scanner.preapprovalField(.maxAmountPerPayment)
    let hasMost =
      !most.isAbsent
      && amount(most, at: .preapproval(.maxAmountPerPayment), .aboveZero, into: &perPayment)
    if hasTotal, hasMost, perPayment > total {
      reject(
        .limitAboveTotal, at: .preapproval(.maxAmountPerPayment), found: perPayment, expected: total)
    }
    let number = count(.maxNumberOfPayments, 1...999_999_999)
    let perPeriod = count(.maxNumberOfPaymentsPerPeriod, 1...999_999_999)
    let dateOfMonth = count(.dateOfMonth, 0...31)
    let period: PaymentPeriod? = term(.paymentPeriod, whenAbsent: .unspecified)
    let dayOfWeek: DayOfWeek? = term(.dayOfWeek, whenAbsent: .any)
    let pinType: PINType? = term(.pinType, whenAbsent: .notRequired)
    let feesPayer: FeesPayer? = term(.feesPayer, whenAbsent: .eachReceiver)
    guard let first, let last, let currency, let period, let dayOfWeek, let pinType, let feesPayer else { return nil }
    var terms = AgreementTerms(firstDay: first, lastDay: last, currency: currency, total: total)
    terms.perPayment = hasMost ? perPayment : nil
    terms.count = number
    terms.countPerPeriod = perPeriod
    terms.period = period
    terms.dateOfMonth = dateOfMonth ?? 0
    terms.dayOfWeek = dayOfWeek
    terms.pinType = pinType
    terms.feesPayer = feesPayer
    return terms
  }

  private mutating func checkDates(_ first: CalendarDay?, _ last: CalendarDay?, _ createdAt: Int?) {
    let (start, end) = (FieldPath.preapproval(.startingDate), FieldPath.preapproval(.endingDate))
    if let first, let createdAt, first < CalendarDay(second: createdAt) {
      reject(.dateOutOfRange, at: start, evidence: scanner.preapprovalField(.startingDate))
    }
    guard let first, let last else { return }
    if last < first { reject(.dateOutOfRange, at: end, evidence: scanner.preapprovalField(.endingDate)) }
    if last > first.oneYearLater {
      reject(.dateRangeTooWide, at: end, evidence: scanner.preapprovalField(.endingDate))
    }
  }

  private mutating func term<Value: WireValue>(_ field: PreapprovalField, whenAbsent: Value) -> Value? {
    value(scanner.preapprovalField(field), at: .preapproval(field), whenAbsent: whenAbsent)
  }

  private mutating func day(_ field: PreapprovalField) -> CalendarDay? {
    spelled(scanner.preapprovalField(field), at: .preapproval(field), isRequired: true) {
      Timestamp.day($0, count: $1)
    }
  }

  /// A number of 1 to 9 digits alone in a range; nil if it is absent or not valid.
  private mutating func count(_ field: PreapprovalField, _ range: ClosedRange<Int>) -> Int? {
    let slice = scanner.preapprovalField(field)
    guard !slice.isAbsent else { return nil }
    guard slice.kind == .number else {
      reject(.wrongType, at: .preapproval(field), evidence: slice)
      return nil
    }
    let digits = UnsafeBufferPointer(start: line + Int(slice.start), count: slice.length)
    let isCount = digits.count <= 9 && digits.allSatisfy { (0x30...0x39).contains($0) }
    let number = isCount ? digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } : -1
    if range.contains(number) { return number }
    reject(.invalidValue, at: .preapproval(field), evidence: slice)
    return nil
  }

  private mutating func noteUnknownFields(ofPreapproval action: PreapprovalAction?) {
    let own = PreapprovalField.fields(of: action)
    for field in PreapprovalField.allCases where !own.contains(field) && !scanner.preapprovalField(field).isAbsent {
      takeUnknown(field: .preapproval(field))
    }
    for unknown in scanner.unknownFields { takeUnknown(unknown, in: .root(of: .preapproval)) }
  }
}
