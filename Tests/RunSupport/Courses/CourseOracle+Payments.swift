extension CourseRecord.Payment {
  var isSettled: Bool { status == nil || status == "COMPLETED" }
  var primary: Int? { receivers.firstIndex { $0.isPrimary } }
  var payer: String { feePayer ?? "EACHRECEIVER" }
}

// Payments: `rules.md`, Amounts and Fees.
extension CourseOracle {
  /// The rows of a payment: what the sender pays with the fees on top, and each receiver's figures.
  struct Entry {
    var cost: Int
    var senderFee: Int
    var receivers: [(account: String, role: String, refundable: Int, fee: Int, bearer: Int?)]
  }

  static func controlAmount(_ payment: CourseRecord.Payment) -> Int? {
    let read = payment.primary.map { [payment.receivers[$0].amount] } ?? payment.receivers.map(\.amount)
    return read.allSatisfy { $0 > 0 } ? read.reduce(0, +) : nil
  }

  static func faults(of payment: CourseRecord.Payment) -> [Fault] {
    var found: [Fault] = payment.key == nil ? [("MISSING_FIELD", "/payKey")] : []
    let array = "/receiverPaymentDetails"
    for (place, receiver) in payment.receivers.enumerated() {
      found += fault(of: receiver.amount, at: "\(array)/\(place)/subtotal")
    }
    if payment.agreement != nil {
      if payment.sender == nil { found.append(("SENDER_REQUIRED", "/sender")) }
      if payment.time == nil { found.append(("MISSING_FIELD", "/createdAt")) }
    }
    if let primary = payment.primary, payment.receivers.allSatisfy({ $0.amount > 0 }) {
      let passedOn = payment.receivers.reduce(0) { $0 + ($1.isPrimary ? 0 : $1.amount) }
      if passedOn > payment.receivers[primary].amount { found.append(("CHAIN_EXCEEDS_PRIMARY", array)) }
    }
    let isAllowed =
      switch payment.payer {
      case "SENDER": payment.primary == nil
      case "PRIMARYRECEIVER": payment.primary != nil
      case "SECONDARYONLY": payment.primary != nil && payment.receivers.count == 2
      default: true
      }
    if !isAllowed { found.append(("FEE_PAYER_NOT_ALLOWED", "/feePayer")) }
    return found
  }

  /// A payment's figures; nil if fees exceed what their bearer keeps.
  func entry(of payment: CourseRecord.Payment) -> Entry? {
    let whole = payment.primary.map { payment.receivers[$0].amount } ?? payment.receivers.reduce(0) { $0 + $1.amount }
    let passedOn = payment.receivers.reduce(0) { $0 + ($1.isPrimary ? 0 : $1.amount) }
    let isFree = payment.isPersonal && !payment.isByCard
    let fixed = isFree ? 0 : payment.currency == "USD" ? 30 : 40
    var entry = Entry(cost: whole, senderFee: 0, receivers: [])
    for (place, receiver) in payment.receivers.enumerated() {
      let kept = receiver.isPrimary ? whole - passedOn : receiver.amount
      let fee = min(((isFree ? 0 : night.rate) * kept + fixed * 1000 + 500) / 1000, kept)
      let bearer: Int? =
        switch payment.payer {
        case "SENDER": payment.isPersonal && ["IN", "DE"].contains(receiver.country) ? place : nil
        case "PRIMARYRECEIVER": payment.primary
        case "SECONDARYONLY": 1 - payment.primary!
        default: place
        }
      if bearer == nil { entry.senderFee += fee }
      let role = payment.primary == nil ? "RECEIVER" : receiver.isPrimary ? "PRIMARY" : "SECONDARY"
      entry.receivers.append((receiver.account, role, kept, fee, bearer))
    }
    entry.cost += entry.senderFee
    for place in entry.receivers.indices where borne(by: place, in: entry) > entry.receivers[place].refundable {
      return nil
    }
    return entry
  }

  private func borne(by place: Int, in entry: Entry) -> Int {
    entry.receivers.reduce(0) { $0 + ($1.bearer == place ? $1.fee : 0) }
  }

  mutating func post(_ entry: Entry, key: String, of payment: CourseRecord.Payment) {
    let kind = payment.primary != nil ? "CHAINED" : payment.receivers.count == 1 ? "SIMPLE" : "PARALLEL"
    let (sender, currency) = (payment.sender ?? "", payment.currency)
    add(key, kind, "SENDER", sender, currency, [entry.senderFee - entry.cost, 0, entry.senderFee])
    for (place, receiver) in entry.receivers.enumerated() {
      let gross = payment.receivers[place].amount
      add(
        key, kind, receiver.role, receiver.account, currency,
        [gross, gross - receiver.refundable, borne(by: place, in: entry)])
    }
    settled[key] = Settled(
      receivers: entry.receivers, sender: sender, currency: currency, isPersonal: payment.isPersonal, run: run,
      day: night.day, taken: Array(repeating: 0, count: entry.receivers.count))
  }
}
