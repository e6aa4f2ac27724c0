extension CourseOracle.Settled {
  func remaining(_ place: Int) -> Int { receivers[place].refundable - taken[place] }
  var remaining: Int { receivers.indices.reduce(0) { $0 + remaining($1) } }
}

// Refunds: `refunds.md`.
extension CourseOracle {
  private static let currencies: [String?] = ["USD", "JPY"]

  static func controlAmount(_ refund: CourseRecord.Refund) -> Int? {
    guard currencies.contains(refund.currency) else { return nil }
    switch (refund.amount, refund.receivers) {
    case (let amount?, nil): return amount > 0 ? amount : nil
    case (nil, let parts?):
      return parts.allSatisfy { $0.amount ?? 0 > 0 } ? parts.reduce(0) { $0 + $1.amount! } : nil
    default: return nil
    }
  }

  static func faults(of refund: CourseRecord.Refund) -> [Fault] {
    var found: [Fault] = []
    if refund.key == nil { found.append(("MISSING_FIELD", "/refundKey")) }
    if refund.payKey == nil { found.append(("MISSING_FIELD", "/payKey")) }
    if refund.currency == nil, refund.amount != nil || refund.receivers != nil {
      found.append(("MISSING_FIELD", "/currencyCode"))
    }
    if refund.currency != nil, !currencies.contains(refund.currency) {
      found.append(("CURRENCY_NOT_SUPPORTED", "/currencyCode"))
    }
    switch (refund.amount, refund.receivers) {
    case (nil, nil): break
    case (let amount?, nil): found += fault(of: amount, at: "/amount")
    case (nil, let parts?):
      if !(1...6).contains(parts.count) { found.append(("RECEIVER_COUNT", "/receivers")) }
      for (place, part) in parts.enumerated() {
        let recipient = "/receivers/\(place)/recipient"
        if let account = part.account {
          if !account.contains("@") {
            found.append(("INVALID_RECIPIENT", recipient))
          } else if parts[..<place].contains(where: { $0.account == account }) {
            found.append(("RECEIVERS_NOT_UNIQUE", recipient))
          }
        } else {
          found.append(("MISSING_FIELD", recipient))
        }
        found += fault(of: part.amount, at: "/receivers/\(place)/amount")
      }
    default: found.append(("REFUND_SHAPE", ""))
    }
    return found
  }

  /// The errors that its payment causes for a refund without errors so far.
  func judge(_ refund: CourseRecord.Refund) -> [Fault] {
    guard let payment = settled[refund.payKey!] else { return [("PAYMENT_NOT_SETTLED", "/payKey")] }
    if let today = night.day, let then = payment.day, today.number - then.number > night.window {
      return [("REFUND_WINDOW_PASSED", "/payKey")]
    }
    if payment.remaining == 0 { return [("FULLY_REFUNDED", "/payKey")] }
    var found: [Fault] = []
    let isOther = refund.currency != nil && refund.currency != payment.currency
    if isOther { found.append(("REFUND_CURRENCY", "/currencyCode")) }
    func compare(_ amount: Int, _ remaining: Int, at field: String) {
      if isOther { return }
      if amount > remaining { found.append(("REFUND_EXCEEDS_REMAINING", field)) }
      if payment.isPersonal, amount < remaining { found.append(("PARTIAL_REFUND_NOT_ALLOWED", field)) }
    }
    if let amount = refund.amount {
      compare(amount, payment.remaining, at: "/amount")
    } else if let parts = refund.receivers {
      for (index, part) in parts.enumerated() {
        if let place = payment.receivers.firstIndex(where: { $0.account == part.account }) {
          compare(part.amount!, payment.remaining(place), at: "/receivers/\(index)/amount")
        } else {
          found.append(("REFUND_RECEIVER_UNKNOWN", "/receivers/\(index)/recipient"))
        }
      }
    } else if payment.taken.contains(where: { $0 > 0 }) {
      found.append(("FULL_AFTER_PARTIAL", "/payKey"))
    }
    return found
  }

  private func parts(_ refund: CourseRecord.Refund, of payment: Settled) -> [Int] {
    let places = payment.receivers.indices
    if let asked = refund.receivers {
      return payment.receivers.map { receiver in asked.first { $0.account == receiver.account }?.amount ?? 0 }
    }
    guard let amount = refund.amount else { return places.map { payment.remaining($0) } }
    let whole = payment.remaining
    var parts = places.map { amount * payment.remaining($0) / whole }
    let order = places.sorted { first, second in
      let (a, b) = (amount * payment.remaining(first) % whole, amount * payment.remaining(second) % whole)
      return a == b ? payment.receivers[first].account < payment.receivers[second].account : a > b
    }
    for place in order.prefix(amount - parts.reduce(0, +)) { parts[place] += 1 }
    return parts
  }

  mutating func make(_ refund: CourseRecord.Refund) {
    let (key, payKey) = (refund.key!, refund.payKey!)
    var payment = settled[payKey]!
    let parts = parts(refund, of: payment)
    let amount = parts.reduce(0, +)
    var fees: [Int?: Int] = [:]
    for (place, receiver) in payment.receivers.enumerated() {
      let before = payment.taken[place]
      payment.taken[place] += parts[place]
      guard night.returnsFees, receiver.refundable > 0 else { continue }
      let returned =
        receiver.fee * payment.taken[place] / receiver.refundable - receiver.fee * before / receiver.refundable
      fees[receiver.bearer, default: 0] += returned
    }
    settled[payKey] = payment
    add(payKey, "REFUND", "SENDER", payment.sender, payment.currency, [amount, 0, -(fees[nil] ?? 0)], refund: key)
    for (place, receiver) in payment.receivers.enumerated() {
      let isPrimary = receiver.role == "PRIMARY"
      let gross = isPrimary ? -amount : -parts[place]
      let fee = -(fees[place] ?? 0)
      if gross == 0, fee == 0 { continue }
      let passedOn = isPrimary ? parts[place] - amount : 0
      add(payKey, "REFUND", receiver.role, receiver.account, payment.currency, [gross, passedOn, fee], refund: key)
    }
    let figures = [amount, fees.values.reduce(0, +), payment.remaining].map {
      CourseRecord.amount($0, payment.currency)
    }
    let run = payment.run == run ? "" : "\(payment.run)"
    note(refund: key, "\(key),\(payKey),\(run),\(payment.currency),\(figures.joined(separator: ","))")
  }
}
