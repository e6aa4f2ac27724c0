import ExactArithmetic
import Input
import Records

/// Checks records of type preapproval (`preapprovals.md`).
enum PreapprovalCheck {
  static func check(_ judgement: inout Judgement) {
    let action: PreapprovalAction? = judgement.record.term(.action, whenAbsent: .create)
    if let key = judgement.record.key(judgement.record.preapproval(.preapprovalKey)) {
      judgement.places.preapprovalKey = key
    }
    let createdAt = judgement.record.requiredTime(judgement.record.preapproval(.createdAt))
    judgement.record.checkURL(judgement.record.preapproval(.ipnUrl))
    judgement.record.reportUnknownFields(ofPreapproval: action)
    guard let action else { return }
    if action != .cancel, let account = judgement.record.account(judgement.record.preapproval(.senderEmail)) {
      judgement.places.sender = account
    }
    let terms = action == .create ? terms(&judgement.record, createdAt) : nil
    guard judgement.record.findings.errors.isEmpty, let createdAt else { return }
    judgement.agreementRecord = AgreementRecord(
      action: action, seconds: createdAt, sender: Array(judgement.sender), terms: terms)
  }

  /// The terms of a `CREATE`; nil if any is not valid.
  private static func terms(_ record: inout RecordReader, _ createdAt: Int?) -> AgreementTerms? {
    record.currency = record.requiredCurrency(record.preapproval(.currencyCode))
    let (first, last) = (record.day(.startingDate), record.day(.endingDate))
    checkDates(first, last, createdAt, &record)
    var (total, perPayment) = (ExactDecimal.zero, ExactDecimal.zero)
    let hasTotal = record.amount(record.preapproval(.maxTotalAmountOfAllPayments), .aboveZero, into: &total)
    let most = record.preapproval(.maxAmountPerPayment)
    let hasMost = !most.isAbsent && record.amount(most, .aboveZero, into: &perPayment)
    if hasTotal, hasMost, perPayment > total {
      record.reject(.limitAboveTotal, at: most.path, found: perPayment, expected: total)
    }
    let number = record.count(.maxNumberOfPayments, 1...999_999_999)
    let perPeriod = record.count(.maxNumberOfPaymentsPerPeriod, 1...999_999_999)
    let dateOfMonth = record.count(.dateOfMonth, 0...31)
    let period: PaymentPeriod? = record.term(.paymentPeriod, whenAbsent: .unspecified)
    let dayOfWeek: DayOfWeek? = record.term(.dayOfWeek, whenAbsent: .any)
    let pinType: PINType? = record.term(.pinType, whenAbsent: .notRequired)
    let feesPayer: FeesPayer? = record.term(.feesPayer, whenAbsent: .eachReceiver)
    guard let first, let last, let currency = record.currency, let period, let dayOfWeek, let pinType, let feesPayer
    else { return nil }
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

  private static func checkDates(
    _ first: CalendarDay?, _ last: CalendarDay?, _ createdAt: Int?, _ record: inout RecordReader
  ) {
    guard let first else { return }
    if let createdAt, first < CalendarDay(second: createdAt) {
      record.reject(.dateOutOfRange, record.preapproval(.startingDate))
    }
    guard let last else { return }
    if last < first { record.reject(.dateOutOfRange, record.preapproval(.endingDate)) }
    if last > first.oneYearLater { record.reject(.dateRangeTooWide, record.preapproval(.endingDate)) }
  }
}

extension RecordReader {
  fileprivate mutating func term<Value: WireValue>(_ field: PreapprovalField, whenAbsent: Value) -> Value? {
    value(preapproval(field), whenAbsent: whenAbsent)
  }

  fileprivate mutating func day(_ field: PreapprovalField) -> CalendarDay? {
    spelled(preapproval(field), isRequired: true) { Timestamp.day($0) }
  }

  /// A number in a range, written as 1 to 9 digits only; nil if it is absent or not valid.
  fileprivate mutating func count(_ field: PreapprovalField, _ range: ClosedRange<Int>) -> Int? {
    let value = preapproval(field)
    guard !value.isAbsent else { return nil }
    guard value.kind == .number else {
      reject(.wrongType, value)
      return nil
    }
    if let number = number(value.slice), range.contains(number) { return number }
    reject(.invalidValue, value)
    return nil
  }

  private func number(_ slice: JSONSlice) -> Int? {
    let digits = scanner[slice]
    let isCount = digits.count <= 9 && digits.allSatisfy { (0x30...0x39).contains($0) }
    return isCount ? Int(String(decoding: digits)) : nil
  }

  fileprivate mutating func reportUnknownFields(ofPreapproval action: PreapprovalAction?) {
    let own = PreapprovalField.fields(of: action)
    for field in PreapprovalField.allCases where !own.contains(field) && !preapproval(field).isAbsent {
      reportUnknown(field: .preapproval(field))
    }
    for unknown in scanner.unknownFields { reportUnknown(unknown, in: .root(of: .preapproval)) }
  }
}
