import Claims
import Postings
import Reports
import Rules
import Text

/// Where a stretch begins.
struct StretchPlace {
  /// The place of its file among the batch's files.
  var file: Int
  /// The number that line 0 of the stretch has in the file.
  var line: Int
  /// The offset of its first byte in the file's text.
  var offset: Int
}

/// Takes what merged stretches give, in batch order.
protocol StretchSink: AnyObject {
  /// Whether claims are asked for.
  var keepsClaims: Bool { get }
  /// Takes a stretch's header and trailer lines and how many records stand around them, before anything else of it.
  func takeEnvelope(of stretch: StretchResult, at place: StretchPlace) throws(RunFailure)
  /// Takes settled text.
  func takeSettled(_ text: UnsafePointer<UInt8>, count: Int) throws(RunFailure)
  /// Takes a row.
  func takeRow(_ row: RowPlace, _ text: UnsafePointer<UInt8>, at place: StretchPlace) throws(RunFailure)
  /// Takes a claim as it was judged; `settled` tells how much of the settled text that comes next is its record's.
  ///
  /// - Parameter later: the record's claim of a later step, if it has one.
  func takeClaim(_ claim: RecordClaim, _ later: LaterClaim?, at place: StretchPlace) throws(RunFailure)
  /// Takes a refund without errors so far; it is judged, and its rows are made, once the batch has ended.
  func takeRefund(
    of payment: Fingerprint, _ record: RecordClaim, _ line: UnsafePointer<UInt8>, at place: StretchPlace
  ) throws(RunFailure)
  /// Takes what refunds need of settled payments.
  func takeRefundables(_ text: UnsafePointer<UInt8>, count: Int) throws(RunFailure)
  /// Told that all of a stretch is taken.
  func finishStretch() throws(RunFailure)
}

/// Merges stretches in batch order: judges their claims, adds up their totals, and hands on their texts.
///
/// What a record gave whose claim is refused is replaced by what it gives now.
final class StretchMerge {
  private let purpose: RunPurpose
  private let sink: any StretchSink
  private let keepsClaims: Bool
  private let mostRejected: RejectionLimit?
  private let accounts: AccountTotals
  private let earlier: EarlierSettlements?
  /// Judges records whose claims are refused once more; the commit's own records, too.
  @exclusivity(unchecked) var settler: RecordSettler
  // Asked for every payment.
  @exclusivity(unchecked) private(set) var claims = ClaimRegister()
  private(set) var agreements: AgreementRegister
  private(set) var totals = ControlTotals()
  private let replaced: StretchResult
  /// Told what some claims of later steps meet, if somebody asks.
  var trace: ClaimTrace?

  // How far the stretch that is taken is taken.
  @exclusivity(unchecked) private var settledDone = 0
  @exclusivity(unchecked) private var rowsDone = 0
  @exclusivity(unchecked) private var rowTextDone = 0
  @exclusivity(unchecked) private var refundablesDone = 0

  init(
    purpose: RunPurpose, options: RunOptions, hash: KeyedHash, accounts: AccountTotals, earlier: EarlierSettlements?,
    to sink: any StretchSink
  ) {
    self.purpose = purpose
    self.sink = sink
    keepsClaims = sink.keepsClaims
    mostRejected = options.mostRejected?.most == nil ? nil : options.mostRejected
    self.accounts = accounts
    self.earlier = earlier
    agreements = AgreementRegister(earlier: earlier)
    settler = RecordSettler(purpose: purpose, options: options, hash: hash, earlier: earlier)
    replaced = StretchResult(accounts: accounts)
  }

  /// Whether a record taken so far has claimed a pay key or refund key.
  func hasClaim(on key: Fingerprint) -> Bool { claims.hasClaim(on: key) }

  /// Gives up the claimed pay keys, for those that were settled, once the batch has ended.
  func takePayKeys() -> ClaimedKeys { claims.takePayKeys() }

  /// Takes the next stretch. Throws if more records are rejected by now than may be.
  ///
  /// - Parameter record: gives the line of a claim's record, as `RecordScanner.scan` asks for it; called for refunds and
  ///   for those whose claim is refused.
  func append(
    _ next: StretchResult, at place: StretchPlace, record: (RecordClaim) throws(RunFailure) -> UnsafePointer<UInt8>
  ) throws(RunFailure) {
    next.post()
    try sink.takeEnvelope(of: next, at: place)
    totals.merge(next.totals)
    (settledDone, rowsDone, rowTextDone, refundablesDone) = (0, 0, 0, 0)
    var laterDone = 0
    for (index, claim) in next.claims.enumerated() {
      var later: LaterClaim?
      if laterDone < next.laterClaims.count, next.laterClaims[laterDone].claim == index {
        later = next.laterClaims[laterDone]
        laterDone += 1
      }
      if index + 12 < next.claims.count { claims.prefetch(next.claims[index + 12].claim) }
      if claims.grants(claim.claim) {
        precondition(!claim.isRefused, "a claim was refused before its key was claimed")
      } else if !claim.isRefused {
        try replace(claim, of: next, by: nil, try record(claim), at: place)
        continue
      }
      if keepsClaims {
        try sink.takeClaim(claim, later, at: place)
      } else if let later, !claim.isRefused {
        try take(later, claim, of: next, at: place, record: record)
      }
    }
    try takeSettled(next, upTo: next.settled.count)
    try takeRows(next, upTo: next.rows.count, at: place)
    try takeRefundables(next, upTo: next.refundables.count)
    try sink.finishStretch()
    if let error = mostRejected?.error(totals) { throw .batch(error) }
  }

  /// Judges a claim of a later step, or leaves it for the end.
  private func take(
    _ later: LaterClaim, _ claim: RecordClaim, of next: StretchResult, at place: StretchPlace,
    record: (RecordClaim) throws(RunFailure) -> UnsafePointer<UInt8>
  ) throws(RunFailure) {
    if case .refund = later.subject {
      try takeRows(next, upTo: Int(claim.rows.lowerBound), at: place)
      skipRows(of: claim, in: next)
      return try sink.takeRefund(of: later.key, claim, try record(claim), at: place)
    }
    let here = ClaimTrace.Place(file: place.file, line: place.line + Int(claim.number))
    let trace = trace.flatMap { $0.asks(for: here) ? $0 : nil }
    let before = trace == nil ? nil : try agreements.agreement(of: later)
    let refusals = try agreements.take(later)
    if let trace {
      let payment: AgreementPayment? = if case .payment(let payment) = later.subject { payment } else { nil }
      trace.note(
        .agreement(before: before, after: agreements.named[later.key]?.agreement, payment), refusals, at: here)
    }
    if refusals.isEmpty { return }
    if claim.claim.isSettled { claims.unsettle(claim.claim.key) }
    try replace(claim, of: next, by: refusals, try record(claim), at: place)
  }

  /// Replaces what a record gave by what it gives now that its claim is refused.
  private func replace(
    _ claim: RecordClaim, of next: StretchResult, by refusals: [ClaimRefusal]?, _ line: UnsafePointer<UInt8>,
    at place: StretchPlace
  ) throws(RunFailure) {
    try takeSettled(next, upTo: Int(claim.settled.lowerBound))
    settledDone = Int(claim.settled.upperBound)
    try takeRefundables(next, upTo: Int(claim.refundable.lowerBound))
    refundablesDone = Int(claim.refundable.upperBound)
    try takeRows(next, upTo: Int(claim.rows.lowerBound), at: place)
    try refuse(claim, refusals, line, at: place)
    skipRows(of: claim, in: next)
  }

  private func skipRows(of claim: RecordClaim, in next: StretchResult) {
    while rowsDone < Int(claim.rows.upperBound) {
      rowTextDone += next.rows[rowsDone].length
      rowsDone += 1
    }
  }

  private func takeSettled(_ next: StretchResult, upTo end: Int) throws(RunFailure) {
    guard end > settledDone else { return }
    try sink.takeSettled(next.settled.bytes + settledDone, count: end - settledDone)
    settledDone = end
  }

  private func takeRefundables(_ next: StretchResult, upTo end: Int) throws(RunFailure) {
    guard end > refundablesDone else { return }
    try sink.takeRefundables(next.refundables.bytes + refundablesDone, count: end - refundablesDone)
    refundablesDone = end
  }

  private func takeRows(_ next: StretchResult, upTo end: Int, at place: StretchPlace) throws(RunFailure) {
    while rowsDone < end {
      let row = next.rows[rowsDone]
      try sink.takeRow(row, next.rowTexts.bytes + rowTextDone, at: place)
      rowTextDone += row.length
      rowsDone += 1
    }
  }

  /// Refuses a record's claim, and sets the figures right.
  ///
  /// - Parameter refusals: why, by a claim of a later step; nil if its key is repeated.
  private func refuse(
    _ claim: RecordClaim, _ refusals: [ClaimRefusal]?, _ line: UnsafePointer<UInt8>, at place: StretchPlace
  ) throws(RunFailure) {
    _ = settler.judge.judge(line, count: Int(claim.length))
    let isRefund = claim.claim.space == .refundKey
    settler.judge.refuse(
      .ofKey(isRefund: isRefund, isRepeated: false, earlierRun: Int(claim.claim.earlierRun)))
    totals.count(&settler.judge, sign: .removing)
    if purpose.settles, settler.judge.judgement.outcome == .settled {
      for side in purpose.sums { accounts.post(settler.judge.judgement.entry, side, .removing) }
    }
    settler.judge.refuse(refusals ?? .ofKey(isRefund: isRefund, isRepeated: true))
    totals.count(&settler.judge)
    try takeRows(line: Int(claim.line), number: Int(claim.number), at: place)
    if keepsClaims {
      try sink.takeClaim(
        RecordClaim(
          Claim(claim.claim.space, claim.claim.key, isSettled: false, earlierRun: claim.claim.earlierRun),
          isRefused: true, line: Int(claim.line), length: Int(claim.length), number: Int(claim.number)),
        nil, at: place)
    }
    replaced.clear()
  }

  /// Hands on the rows of the record that the settler holds.
  private func takeRows(line: Int, number: Int, at place: StretchPlace) throws(RunFailure) {
    _ = settler.appendRows(line: line, number: number, to: replaced) { _ in true }
    var at = 0
    for row in replaced.rows {
      try sink.takeRow(row, replaced.rowTexts.bytes + at, at: place)
      at += row.length
    }
  }

  // MARK: Refunds

  /// Judges the refunds that a sink held back, in batch order, once the batch has ended, and hands on what they give.
  func settleRefunds(of reports: StretchReports, options: RunOptions) throws(RunFailure) {
    guard let held = reports.releaseRows() else { return }
    var payments = try RefundedPayments(
      held.payments, claims: claims, refundables: reports.refundables, earlier: earlier, threads: options.threads,
      day: reports.day, window: options.rules.refundWindow)
    try held.forEach { entry throws(RunFailure) in
      switch entry {
      case .row(let row, let text, let place): try reports.takeRow(row, text, at: place)
      case .refund(let payment, let line, let length, let place):
        _ = settler.judge.judge(line, count: length)
        let here = ClaimTrace.Place(file: place.file, line: place.line)
        let trace = trace.flatMap { $0.asks(for: here) ? $0 : nil }
        let before = trace == nil ? nil : payments.payment(payment)
        let terms = settler.judge.judgement.refundTerms!
        switch payments.judge(terms, of: payment, options.rules.schedule) {
        case .refused(let refusals):
          trace?.note(.payment(before, nil), refusals, at: here)
          totals.count(&settler.judge, sign: .removing)
          settler.judge.refuse(refusals)
          totals.count(&settler.judge)
        case .made(let refund, let run):
          trace?.note(.payment(before, refund), [], at: here)
          totals.count(refund)
          try hand(refund, of: payment, run: run, to: reports)
        }
        try takeRows(line: 0, number: 0, at: place)
        replaced.clear()
      }
    }
    try reports.finishStretch()
  }

  private func hand(
    _ refund: MadeRefund, of payment: Fingerprint, run: Int, to reports: StretchReports
  ) throws(RunFailure) {
    let (refundKey, payKey) = (settler.judge.judgement.refundKey.buffer, settler.judge.judgement.payKey.buffer)
    try reports.take(refund, of: payment, refundKey: Array(refundKey), payKey: Array(payKey), run: run) {
      entry, text in
      switch purpose {
      case .settlement: SettlementReport.append(entry, to: &text)
      case .entries(let writer): writer.write(entry, settler.judge.judgement.texts, &text)
      case .validation: break
      }
      for side in purpose.sums { reports.refundAccounts.post(entry, side, .adding) }
    }
  }
}
