/// A night of a course: its records, and the rules for settling them.
struct CourseNight {
  var day: CourseDay?
  var records: [CourseRecord] = []
  /// The rate of all fees, in thousandths, except those of personal payments without a card.
  var rate = 29
  var returnsFees = false
  var window = 180
}

/// A second reading of `refunds.md`, `preapprovals.md` and the parts of `rules.md` that they need, in whole minor
/// units: settles the nights of a course one after the other, and returns what the reports must contain.
struct CourseOracle {
  /// The expected results of a night: rows without `SHA256SUMS`, messages and the places of records.
  struct Reports: Equatable {
    var settlement: [String] = []
    var refunds: [String] = []
    var preapprovals: [String] = []
    var totals: [String] = []
    var receivers: [String] = []
    /// Line, `pay_key` to `amount`, `refund_key` and `preapproval_key`.
    var exceptions: [String] = []
  }

  struct Settled {
    var receivers: [(account: String, role: String, refundable: Int, fee: Int, bearer: Int?)]
    var sender: String
    var currency: String
    var isPersonal: Bool
    var run: Int
    var day: CourseDay?
    var taken: [Int]
  }

  struct Agreement {
    var terms: CourseRecord.Preapproval
    var status = "PENDING"
    var payments = 0
    var amount = 0
    var byPeriod: [String: Int] = [:]
  }

  /// An error: code and field.
  typealias Fault = (code: String, field: String)

  private(set) var run = 0
  /// What earlier nights, and this one so far, settled, refunded and agreed.
  var settled: [String: Settled] = [:]
  private var refunded: Set<String> = []
  var agreements: [String: Agreement] = [:]
  // Only for this night.
  var night = CourseNight()
  private var reports = Reports()
  private var lines: [(account: String, currency: String, isRefund: Bool, figures: [Int])] = []
  private var totals: [String: [Int]] = [:]
  private var faults: [Int: [Fault]] = [:]
  /// The expected content of the trailer: `totals` and `refundTotals`.
  private(set) var control: (payments: [String: Int], refunds: [String: Int]) = ([:], [:])

  /// Settles the next night; its first record is on line 2.
  mutating func settle(_ night: CourseNight) -> Reports {
    self.night = night
    run += 1
    (reports, lines, totals, faults, control) = (Reports(), [], [:], [:], ([:], [:]))
    let (earlier, earlierRefunds) = (settled, refunded)
    var (keys, refundKeys, named): (Set<String>, Set<String>, Set<String>) = ([], [], [])
    var states: [Int: String] = [:]
    for (place, record) in night.records.enumerated() {
      switch record {
      case .payment(let payment):
        if let units = Self.controlAmount(payment) { control.payments[payment.currency, default: 0] += units }
        var found = Self.faults(of: payment)
        if let key = payment.key {
          if !keys.insert(key).inserted { found.append(("DUPLICATE_PAY_KEY", "/payKey")) }
          if earlier[key] != nil { found.append(("ALREADY_SETTLED", "/payKey")) }
        }
        let entry = found.isEmpty ? entry(of: payment) : nil
        if found.isEmpty, entry == nil { found = [("FEES_EXCEED_AMOUNT", "/feePayer")] }
        if found.isEmpty, let key = payment.agreement, let entry {
          found = judge(payment, cost: entry.cost, on: key)
          if found.isEmpty, payment.isSettled { named.insert(key) }
        }
        faults[place] = found
        guard found.isEmpty, let key = payment.key, let entry else { continue }
        if payment.isSettled { post(entry, key: key, of: payment) } else { states[place] = payment.status }
      case .preapproval(let preapproval):
        var found = Self.faults(of: preapproval)
        if found.isEmpty, let key = preapproval.key {
          found = act(preapproval, on: key)
          if found.isEmpty { named.insert(key) }
        }
        faults[place] = found
      case .refund(let refund):
        if let units = Self.controlAmount(refund) { control.refunds[refund.currency!, default: 0] += units }
        var found = Self.faults(of: refund)
        if let key = refund.key {
          if !refundKeys.insert(key).inserted { found.append(("DUPLICATE_REFUND_KEY", "/refundKey")) }
          if earlierRefunds.contains(key) { found.append(("ALREADY_REFUNDED", "/refundKey")) }
        }
        faults[place] = found
      }
    }
    for (place, record) in night.records.enumerated() {
      guard case .refund(let refund) = record, faults[place]!.isEmpty else { continue }
      faults[place] = judge(refund)
      if faults[place]!.isEmpty { make(refund) }
    }
    for (place, record) in night.records.enumerated() { except(record, place, status: states[place]) }
    sum(named)
    return reports
  }

  mutating func note(refund: String, _ row: String) {
    refunded.insert(refund)
    reports.refunds.append(row)
  }

  /// Adds a row of `settlement.csv`; figures are gross, passed on, fee.
  mutating func add(
    _ key: String, _ kind: String, _ role: String, _ account: String, _ currency: String, _ figures: [Int],
    refund: String = ""
  ) {
    let all = figures + [figures[0] - figures[1] - figures[2]]
    let shown = all.map { CourseRecord.amount($0, currency) }
    reports.settlement.append(([key, kind, role, account, currency] + shown + [refund]).joined(separator: ","))
    var sums = totals[currency] ?? Array(repeating: 0, count: 9)
    let isSender = role == "SENDER"
    if kind == "REFUND" {
      if isSender { sums[5] += 1 }
      sums[isSender ? 6 : 7] += isSender ? all[3] : -all[3]
      sums[8] -= all[2]
    } else {
      if isSender { sums[0] += 1 }
      if isSender { sums[1] -= all[0] }
      if isSender { sums[2] += all[2] } else { sums[3] += all[3] }
      sums[4] += all[2]
    }
    totals[currency] = sums
    if !isSender { lines.append((account, currency, kind == "REFUND", all)) }
  }

  private mutating func sum(_ named: Set<String>) {
    for key in named.sorted() {
      let agreement = agreements[key]!
      let terms = agreement.terms
      let amount = CourseRecord.amount(agreement.amount, terms.currency)
      reports.preapprovals.append(
        "\(key),\(agreement.status),\(terms.sender ?? ""),\(terms.currency!),\(agreement.payments),\(amount)")
    }
    reports.totals = totals.sorted { $0.key < $1.key }.map { currency, sums in
      func shown(_ places: [Int]) -> [String] { places.map { CourseRecord.amount(sums[$0], currency) } }
      return
        ([currency, "\(sums[0])"] + shown([1, 2, 3, 4]) + [CourseRecord.amount(0, currency), "\(sums[5])"]
        + shown([6, 7, 8])).joined(separator: ",")
    }
    let parties = Set(lines.map { "\($0.account),\($0.currency)" }).sorted()
    reports.receivers = parties.map { party in
      let own = lines.filter { "\($0.account),\($0.currency)" == party }
      let (paid, back) = (own.filter { !$0.isRefund }, own.filter(\.isRefund))
      func sum(_ place: Int) -> Int { paid.reduce(0) { $0 + $1.figures[place] } }
      let refunds = back.reduce(0) { $0 + $1.figures[3] }
      func shown(_ units: Int) -> String { CourseRecord.amount(units, own[0].currency) }
      return
        "\(party),\(paid.count),\(shown(sum(0))),\(shown(sum(1))),\(shown(sum(2))),\(shown(sum(3))),"
        + "\(back.count),\(shown(refunds)),\(shown(sum(3) + refunds))"
    }
  }

  /// The error table's codes in order, as far as courses reach them.
  static let codes = [
    "MISSING_FIELD", "INVALID_VALUE", "INVALID_RECIPIENT", "NEGATIVE_AMOUNT", "AMOUNT_NOT_POSITIVE",
    "CURRENCY_NOT_SUPPORTED", "REFUND_SHAPE", "RECEIVER_COUNT", "RECEIVERS_NOT_UNIQUE", "CHAIN_EXCEEDS_PRIMARY",
    "FEE_PAYER_NOT_ALLOWED", "SENDER_REQUIRED", "DATE_OUT_OF_RANGE", "DATE_RANGE_TOO_WIDE", "LIMIT_ABOVE_TOTAL",
    "FEES_EXCEED_AMOUNT", "DUPLICATE_PAY_KEY", "ALREADY_SETTLED", "PREAPPROVAL_EXISTS", "PREAPPROVAL_UNKNOWN",
    "PREAPPROVAL_CANCELED", "PREAPPROVAL_NOT_PENDING", "PREAPPROVAL_NOT_CONFIRMED", "PREAPPROVAL_SENDER",
    "PREAPPROVAL_CURRENCY", "PREAPPROVAL_FEE_PAYER", "PREAPPROVAL_PIN", "PREAPPROVAL_DATES",
    "PREAPPROVAL_DAY_OF_WEEK", "PREAPPROVAL_DAY_OF_MONTH", "PREAPPROVAL_PAYMENT_MAX", "PREAPPROVAL_COUNT",
    "PREAPPROVAL_PERIOD_COUNT", "PREAPPROVAL_TOTAL", "DUPLICATE_REFUND_KEY", "ALREADY_REFUNDED",
    "PAYMENT_NOT_SETTLED", "REFUND_WINDOW_PASSED", "FULLY_REFUNDED", "REFUND_CURRENCY", "FULL_AFTER_PARTIAL",
    "REFUND_RECEIVER_UNKNOWN", "PARTIAL_REFUND_NOT_ALLOWED", "REFUND_EXCEEDS_REMAINING",
  ]

  private mutating func except(_ record: CourseRecord, _ place: Int, status: String?) {
    let keys: (pay: String?, refund: String?, agreement: String?)
    let control: (currency: String, units: Int?)
    switch record {
    case .payment(let payment):
      keys = (payment.key, nil, payment.agreement)
      control = (payment.currency, Self.controlAmount(payment))
    case .refund(let refund):
      keys = (refund.payKey, refund.key, nil)
      control = (refund.currency ?? "", Self.controlAmount(refund))
    case .preapproval(let preapproval):
      keys = (nil, nil, preapproval.key)
      control = ("", nil)
    }
    let amount = control.units.map { [control.currency, CourseRecord.amount($0, control.currency)] } ?? ["", ""]
    func row(_ outcome: String, _ code: String, _ field: String) {
      reports.exceptions.append(
        (["\(place + 2)", keys.pay ?? "", outcome, code, field] + amount + [keys.refund ?? "", keys.agreement ?? ""])
          .joined(separator: ","))
    }
    if let status { row(status == "CREATED" ? "PENDING" : "HELD", "STATUS_\(status)", "/status") }
    let sorted = faults[place]!.sorted {
      (Self.codes.firstIndex(of: $0.code)!, $0.field) < (Self.codes.firstIndex(of: $1.code)!, $1.field)
    }
    for fault in sorted { row("REJECTED", fault.code, fault.field) }
  }

  /// The error that an amount above zero may have.
  static func fault(of amount: Int?, at field: String) -> [Fault] {
    switch amount {
    case nil: [("MISSING_FIELD", field)]
    case .some(let units): units < 0 ? [("NEGATIVE_AMOUNT", field)] : units == 0 ? [("AMOUNT_NOT_POSITIVE", field)] : []
    }
  }
}
