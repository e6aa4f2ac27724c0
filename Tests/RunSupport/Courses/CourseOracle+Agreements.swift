// Agreements: `preapprovals.md`.
extension CourseOracle {
  static func faults(of record: CourseRecord.Preapproval) -> [Fault] {
    var found: [Fault] = []
    if record.key == nil { found.append(("MISSING_FIELD", "/preapprovalKey")) }
    if record.time == nil { found.append(("MISSING_FIELD", "/createdAt")) }
    guard ["CREATE", "CONFIRM", "CANCEL", nil].contains(record.action) else {
      return found + [("INVALID_VALUE", "/action")]
    }
    if record.action != "CANCEL", let sender = record.sender, !sender.contains("@") {
      found.append(("INVALID_RECIPIENT", "/senderEmail"))
    }
    guard record.action ?? "CREATE" == "CREATE" else { return found }
    if record.first == nil { found.append(("MISSING_FIELD", "/startingDate")) }
    if record.last == nil { found.append(("MISSING_FIELD", "/endingDate")) }
    if record.currency == nil { found.append(("MISSING_FIELD", "/currencyCode")) }
    found += fault(of: record.total, at: "/maxTotalAmountOfAllPayments")
    if let most = record.perPayment {
      found += fault(of: most, at: "/maxAmountPerPayment")
      if most > 0, let total = record.total, (1..<most).contains(total) {
        found.append(("LIMIT_ABOVE_TOTAL", "/maxAmountPerPayment"))
      }
    }
    if record.count == 0 { found.append(("INVALID_VALUE", "/maxNumberOfPayments")) }
    if record.perPeriod == 0 { found.append(("INVALID_VALUE", "/maxNumberOfPaymentsPerPeriod")) }
    if record.dateOfMonth ?? 0 > 31 { found.append(("INVALID_VALUE", "/dateOfMonth")) }
    if let first = record.first {
      if let time = record.time, first < time.day { found.append(("DATE_OUT_OF_RANGE", "/startingDate")) }
      if let last = record.last {
        if last < first { found.append(("DATE_OUT_OF_RANGE", "/endingDate")) }
        if first.isOverAYear(before: last) { found.append(("DATE_RANGE_TOO_WIDE", "/endingDate")) }
      }
    }
    return found
  }

  /// Applies a record without errors so far to its agreement.
  mutating func act(_ record: CourseRecord.Preapproval, on key: String) -> [Fault] {
    let field = "/preapprovalKey"
    if record.action ?? "CREATE" == "CREATE" {
      guard agreements[key] == nil else { return [("PREAPPROVAL_EXISTS", field)] }
      agreements[key] = Agreement(terms: record)
      return []
    }
    guard var agreement = agreements[key] else { return [("PREAPPROVAL_UNKNOWN", field)] }
    if record.action == "CONFIRM" {
      if agreement.status == "CANCELED" { return [("PREAPPROVAL_CANCELED", field)] }
      let wait = record.time!.seconds - agreement.terms.time!.seconds
      if agreement.status == "ACTIVE" || wait < 0 || wait > 10_800 { return [("PREAPPROVAL_NOT_PENDING", field)] }
      switch (agreement.terms.sender, record.sender) {
      case (nil, nil): return [("SENDER_REQUIRED", "/senderEmail")]
      case (let first?, let second?) where first != second: return [("PREAPPROVAL_SENDER", "/senderEmail")]
      default: agreement.terms.sender = agreement.terms.sender ?? record.sender
      }
    }
    agreement.status = record.action == "CONFIRM" ? "ACTIVE" : "CANCELED"
    agreements[key] = agreement
    return []
  }

  /// Judges a payment without errors so far, and counts it if it is settled.
  mutating func judge(_ payment: CourseRecord.Payment, cost: Int, on key: String) -> [Fault] {
    let field = "/preapprovalKey"
    guard var agreement = agreements[key] else { return [("PREAPPROVAL_UNKNOWN", field)] }
    if agreement.status == "CANCELED" { return [("PREAPPROVAL_CANCELED", field)] }
    if agreement.status == "PENDING" { return [("PREAPPROVAL_NOT_CONFIRMED", field)] }
    let (terms, day) = (agreement.terms, payment.time!.day)
    let period = Self.period(of: day, terms)
    let isOther = payment.currency != terms.currency
    let date = terms.dateOfMonth ?? 0
    let checks: [(Bool, String, String)] = [
      (payment.sender != terms.sender, "PREAPPROVAL_SENDER", "/sender"),
      (isOther, "PREAPPROVAL_CURRENCY", "/paymentCurrency"),
      (payment.payer != terms.feesPayer ?? "EACHRECEIVER", "PREAPPROVAL_FEE_PAYER", "/feePayer"),
      (terms.needsPIN && payment.pin != true, "PREAPPROVAL_PIN", "/pinVerified"),
      (day < terms.first! || day > terms.last!, "PREAPPROVAL_DATES", "/createdAt"),
      (terms.weekday ?? day.weekday != day.weekday, "PREAPPROVAL_DAY_OF_WEEK", "/createdAt"),
      (
        date != 0 && day.day != date && !(day.isLastOfMonth && day.day < date), "PREAPPROVAL_DAY_OF_MONTH", "/createdAt"
      ),
      (!isOther && cost > terms.perPayment ?? cost, "PREAPPROVAL_PAYMENT_MAX", field),
      (agreement.payments >= terms.count ?? .max, "PREAPPROVAL_COUNT", field),
      (agreement.byPeriod[period] ?? 0 >= terms.perPeriod ?? .max, "PREAPPROVAL_PERIOD_COUNT", field),
      (!isOther && agreement.amount + cost > terms.total!, "PREAPPROVAL_TOTAL", field),
    ]
    let found = checks.filter(\.0).map { ($0.1, $0.2) }
    if found.isEmpty, payment.isSettled {
      agreement.payments += 1
      agreement.amount += cost
      agreement.byPeriod[period, default: 0] += 1
      agreements[key] = agreement
    }
    return found
  }

  private static func period(of day: CourseDay, _ terms: CourseRecord.Preapproval) -> String {
    switch terms.period {
    case "DAILY": day.text
    case "WEEKLY": "\(day.week)"
    // Whole pairs of weeks are added, so that weeks before the first are paired correctly.
    case "BIWEEKLY": "\((day.week - terms.first!.week + 1000) / 2)"
    case "SEMIMONTHLY": "\(day.year) \(day.month) \(day.day <= 15)"
    case "MONTHLY": "\(day.year) \(day.month)"
    case "ANNUALLY": "\(day.year)"
    default: ""
    }
  }
}
