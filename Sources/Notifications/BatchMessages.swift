import Claims
import Failures
import LedgerRuns
import Records
import Documents
import Rules
import Text

/// Finds the settled records of a batch, one by one, and makes their messages.
///
/// A payment is settled if it is the first with its pay key and without a structural error, and `settlement.csv` has
/// that key: all later ones are refused as duplicates. Both are in batch order, so only the next key matters. The same
/// is true of refunds and `refunds.csv`. Messages of payments are written at once; refunds and preapprovals wait in
/// files.
final class BatchMessages {
  private typealias Column = RefundsReport.Column

  private var judge: RecordJudge
  private var settled: SettledParties
  private let refunds: ReportRows
  private var hasRefund: Bool
  private var exceptions: ExceptionPlaces
  private var body: FormBody
  private var writer: OutboxWriter
  /// What waits, in batch order. For a refund: key, date, URL, status. For a preapproval: key, status, sender, URL.
  private let waitingRefunds: TextSpool
  private let waitingPreapprovals: TextSpool
  /// The URLs of refunded payments, and their places by pay key; nil if a payment has no URL or was not found yet.
  private let urls: TextSpool
  private var urlPlaces: [Fingerprint: Int?] = [:]
  /// The payments of earlier batches that were found.
  private var seen: Set<Fingerprint> = []
  private let hash = KeyedHash()
  private(set) var counts = Outbox.Counts()

  /// - Parameter hasEarlier: whether batches of earlier nights are read, too (`readEarlier`).
  init(
    _ reports: PublishedDirectory, hasEarlier: Bool, key: [UInt8]?, scratch: String,
    output: @escaping (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    // A refund may come before or after its payment, so first find the payments whose URLs may be needed.
    let ahead = try reports.rows(.refunds)
    while try ahead.next() {
      guard hasEarlier || ahead.bytes(Column.run).isEmpty else { continue }
      urlPlaces[Self.fingerprint(ahead.bytes(Column.payKey), hash)] = .some(nil)
    }
    judge = RecordJudge(rules: SettlementRules(strictTexts: reports.summary.isOfEarlierVersion ? nil : false))
    refunds = try reports.rows(.refunds)
    hasRefund = try refunds.next()
    settled = try SettledParties(reports.rows(.settlement))
    exceptions = try ExceptionPlaces(
      reports.rows(.exceptions), files: reports.summary.files.map { Array($0.name.utf8) })
    waitingRefunds = try TextSpool(beside: scratch)
    waitingPreapprovals = try TextSpool(beside: scratch)
    urls = try TextSpool(beside: scratch)
    body = FormBody(key: key)
    writer = OutboxWriter(output)
  }

  private static func fingerprint(_ key: some Collection<UInt8>, _ hash: KeyedHash) -> Fingerprint {
    let key = Array(key)
    return hash.fingerprint(key.span)
  }

  /// Whether all payments and refunds of the reports were found.
  var isWhole: Bool { !hasRefund && (settled.payKey.isEmpty || !settled.refundKey.isEmpty) }

  func read(_ record: BatchRecord) throws(Failure) {
    guard !record.isTooLong, judge.judge(record.text) == .record else { return }
    switch judge.judgement.recordType {
    case .payment:
      if settled.refundKey.isEmpty, isNamed(judge.judgement.payKey, settled.payKey) { try writePayment() }
    case .refund:
      if hasRefund, isNamed(judge.judgement.refundKey, refunds.bytes(Column.refundKey)) { try writeRefund() }
    case .preapproval: try writePreapproval(record)
    case .header, .trailer: break
    }
  }

  private func isNamed(_ key: Span<UInt8>, _ name: some Collection<UInt8>) -> Bool {
    !key.isEmpty && name.elementsEqual(Array(key))
  }

  // MARK: Payments

  private func writePayment() throws(Failure) {
    let url = judge.judgement.texts.url
    if !url.isEmpty {
      try writePayment(url)
      if !urlPlaces.isEmpty {
        let key = Self.fingerprint(settled.payKey, hash)
        if urlPlaces[key] != nil { urlPlaces[key] = try urls.append(url) }
      }
    }
    try settled.next()
  }

  private func writePayment(_ url: [UInt8]) throws(Failure) {
    body.removeAll()
    body.append("transaction_type", "Adaptive Payment PAY")
    body.append("status", "COMPLETED")
    body.append("pay_key", settled.payKey)
    body.append("action_type", "PAY")
    let createdAt = judge.judgement.texts.text(.createdAt as RecordField)
    body.append("payment_request_date", MessageDate.text(ofCreatedAt: createdAt))
    body.append("sender_email", settled.sender)
    body.append("fees_payer", (judge.judgement.feePayer ?? .eachReceiver).name.utf8.dropFirst("FEEPAYER_".utf8.count))
    body.append("preapproval_key", judge.judgement.texts.text(.preapprovalKey as RecordField))
    body.append("memo", Self.masked(judge.judgement.texts.memo))
    body.append("ipn_notification_url", url)
    body.append("reverse_all_parallel_payments_on_error", "true")
    for (place, receiver) in settled.receivers.enumerated() {
      let id = settled.payKey + Array("-\(place + 1)".utf8)
      body.append("id", of: place, id)
      body.append("id_for_sender_txn", of: place, id)
      body.append("status", of: place, "Completed")
      body.append("status_for_sender_txn", of: place, "Completed")
      body.append("receiver", of: place, receiver.account)
      body.append("amount", of: place, receiver.amount)
      body.append("is_primary_receiver", of: place, receiver.isPrimary ? "true" : "false")
      body.append("invoiceId", of: place, Self.masked(judge.judgement.texts.text(.customId, of: place)))
      let type = judge.judgement.texts.paymentType(of: place)
      if type != .notSet { body.append("paymentType", of: place, type.name.utf8.dropFirst("TYPE_".utf8.count)) }
      body.append("pending_reason", of: place, "NONE")
    }
    body.finish()
    try writer.write("PAY", [("payKey", settled.payKey)], url: url, body)
    counts.payments += 1
  }

  /// A text of the batch with card numbers masked (`cards.md`).
  private static func masked(_ text: [UInt8]) -> [UInt8] {
    var text = text
    CardNumberMask.apply(to: &text)
    return text
  }

  /// Takes a record of an earlier night's batch: the URL of a payment that was refunded now. The payment is the first
  /// one with its key that is completed, as the run that settled it took it.
  func readEarlier(_ record: BatchRecord) throws(Failure) {
    guard !record.isTooLong, judge.judge(record.text) == .record, judge.judgement.recordType == .payment,
      judge.judgement.status == .completed, judge.judgement.payKey.count > 0
    else { return }
    let key = Self.fingerprint(Array(judge.judgement.payKey), hash)
    guard let place = urlPlaces[key], place == nil, seen.insert(key).inserted else { return }
    let url = judge.judgement.texts.url
    if !url.isEmpty { urlPlaces[key] = try urls.append(url) }
  }

  // MARK: Refunds

  private func writeRefund() throws(Failure) {
    let remains = refunds.bytes(Column.remaining).contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
    try waitingRefunds.append(Array(refunds.bytes(Column.refundKey)))
    try waitingRefunds.append(MessageDate.text(ofCreatedAt: judge.judgement.texts.text(.createdAt as RefundField)))
    let url = judge.judgement.texts.url
    try waitingRefunds.append(url)
    try waitingRefunds.append(Array((remains ? "Partially_Refunded" : "Refunded").utf8))
    hasRefund = try refunds.next()
  }

  private func finishRefunds() throws(Failure) {
    var waiting = waitingRefunds.reader()
    while let key = try waiting.next(), let date = try waiting.next(), var url = try waiting.next(),
      let status = try waiting.next()
    {
      guard key == settled.refundKey else {
        throw .notOfOneSettlement("settlement.csv and refunds.csv have different refunds")
      }
      if url.isEmpty, let place = urlPlaces[Self.fingerprint(settled.payKey, hash)] ?? nil {
        url = try urls.text(at: place)
      }
      if !url.isEmpty { try writeRefund(key, date: date, url: url, status: status) }
      try settled.next()
    }
  }

  private func writeRefund(_ key: [UInt8], date: [UInt8], url: [UInt8], status: [UInt8]) throws(Failure) {
    body.removeAll()
    body.append("transaction_type", "Adjustment")
    body.append("reason_code", "Refund")
    body.append("status", "COMPLETED")
    body.append("pay_key", settled.payKey)
    body.append("action_type", "PAY")
    body.append("payment_request_date", date)
    body.append("sender_email", settled.sender)
    body.append("ipn_notification_url", url)
    for (place, receiver) in settled.receivers.enumerated() {
      body.append("status", of: place, "Refunded")
      body.append("status_for_sender_txn", of: place, status)
      body.append("receiver", of: place, receiver.account)
      body.append("refund_id", of: place, key + Array("-\(place + 1)".utf8))
      body.append("refund_amount", of: place, receiver.amount)
      body.append("refund_account_charged", of: place, receiver.account)
      body.append("is_primary_receiver", of: place, receiver.isPrimary ? "true" : "false")
      body.append("pending_reason", of: place, "NONE")
    }
    body.finish()
    try writer.write("REFUND", [("payKey", settled.payKey), ("refundKey", key)], url: url, body)
    counts.refunds += 1
  }

  // MARK: Preapprovals

  private func writePreapproval(_ record: BatchRecord) throws(Failure) {
    guard judge.judgement.preapprovalKey.count > 0,
      try !exceptions.contains(file: record.fileNumber, line: record.line)
    else { return }
    let (action, url) = (judge.judgement.texts.text(.action), judge.judgement.texts.preapprovalURL)
    let isConfirmed = action.elementsEqual("CONFIRM".utf8)
    guard !url.isEmpty, isConfirmed || action.elementsEqual("CANCEL".utf8) else { return }
    try waitingPreapprovals.append(judge.judgement.texts.text(.preapprovalKey as PreapprovalField))
    try waitingPreapprovals.append(Array((isConfirmed ? "ACTIVE" : "CANCELED").utf8))
    try waitingPreapprovals.append(Array(judge.judgement.sender))
    try waitingPreapprovals.append(url)
  }

  private func finishPreapprovals() throws(Failure) {
    var waiting = waitingPreapprovals.reader()
    while let key = try waiting.next(), let status = try waiting.next(), let sender = try waiting.next(),
      let url = try waiting.next()
    {
      body.removeAll()
      body.append("transaction_type", "Adaptive Payment PREAPPROVAL")
      body.append("status", status)
      body.append("preapproval_key", key)
      body.append("approved", "true")
      body.append("sender_email", sender)
      body.finish()
      try writer.write("PREAPPROVAL", [("preapprovalKey", key)], url: url, body)
      counts.preapprovals += 1
    }
  }

  /// Writes the messages that wait, after the batch has ended and everything was found.
  func finish() throws(Failure) {
    try finishRefunds()
    try finishPreapprovals()
    try writer.flush()
  }
}
