import Claims
import Documents
import Failures
import Postings
import Rules
import Threads

/// Where a stretch begins.
package struct StretchPlace {
  /// The index of its file among the batch's files.
  package var file: Int
  /// The number that line 0 of the stretch has in the file.
  package var line: Int
  /// The offset of its first byte in the file's text.
  package var offset: Int

  package init(file: Int, line: Int, offset: Int) {
    self.file = file
    self.line = line
    self.offset = offset
  }
}

/// Gets the results of merged stretches, in batch order.
package protocol StretchSink: AnyObject {
  /// Whether it needs claims.
  var keepsClaims: Bool { get }
  /// Writes the text of settled payments; nil in a validation, which settles nothing.
  var settlement: (any ReportWriter)? { get }
  /// Writes the refund data of settled payments.
  var refundData: any ReportWriter { get }
  /// Writes the rows of `fees.csv`; nil if there is no such report.
  var fees: (any ReportWriter)? { get }
  /// Reads a stretch's header and trailer lines and the numbers of records around them, before anything else.
  func readEnvelope(of stretch: borrowing StretchResult, at place: StretchPlace) throws(Failure)
  func appendRow(_ row: RowPlace, _ text: Span<UInt8>, at place: StretchPlace) throws(Failure)
  /// Adds a judged claim; `settled` is the length of the record's text within the settled text that comes next.
  ///
  /// - Parameters:
  ///   - fees: the length of its rows of `fees.csv` within those that come next.
  ///   - later: the record's claim of a later step, if it has one.
  ///   - refund: the record's line if that is the claim of a refund.
  func addClaim(
    _ claim: RecordClaim, fees: Int, _ later: LaterClaim?, refund: Span<UInt8>?, at place: StretchPlace
  ) throws(Failure)
  /// Holds back a refund without errors so far; it is judged, and its rows are written, once the batch has ended.
  func holdRefund(
    of payment: Fingerprint, _ record: RecordClaim, _ line: Span<UInt8>, at place: StretchPlace
  ) throws(Failure)
  /// Called when a stretch is complete.
  func finishStretch() throws(Failure)
}

/// Merges stretches in batch order: judges their claims, adds up their totals, and passes on their texts.
///
/// If a claim is refused, the record's new result replaces what it contributed.
package struct StretchMerge: ~Copyable {
  private let purpose: RunPurpose
  private let sink: any StretchSink
  private let settlement: (any ReportWriter)?
  private let refundData: any ReportWriter
  private let fees: (any ReportWriter)?
  private let keepsClaims: Bool
  private let mostRejected: RejectionLimit?
  private let accounts: AccountTotals
  private let earlier: SettlementLookup?
  /// Judges records again whose claims are refused.
  private var settler: RecordSettler
  // Used for every payment.
  package var judge: ClaimJudge
  package private(set) var totals = ControlTotals()
  private var replaced: StretchResult

  // How much of the current stretch is passed on.
  private var settledDone = 0
  private var rowsDone = 0
  private var rowTextDone = 0
  private var refundablesDone = 0
  private var feesDone = 0

  package init(
    purpose: RunPurpose, options: RunOptions, hash: KeyedHash, accounts: AccountTotals, earlier: SettlementLookup?,
    to sink: any StretchSink
  ) {
    self.purpose = purpose
    self.sink = sink
    settlement = sink.settlement
    refundData = sink.refundData
    fees = sink.fees
    keepsClaims = sink.keepsClaims
    mostRejected = options.mostRejected?.most == nil ? nil : options.mostRejected
    self.accounts = accounts
    self.earlier = earlier
    judge = ClaimJudge(earlier: earlier, options.rules.schedule)
    settler = RecordSettler(purpose: purpose, options: options, hash: hash, earlier: earlier)
    replaced = StretchResult(accounts: accounts)
  }

  /// Appends the next stretch. Throws if too many records are rejected by now.
  ///
  /// - Parameter text: contains the stretch's lines.
  package mutating func append(
    _ next: inout StretchResult, of text: Span<UInt8>, at place: StretchPlace
  ) throws(Failure) {
    next.post()
    try sink.readEnvelope(of: next, at: place)
    totals.merge(next.totals)
    (settledDone, rowsDone, rowTextDone, refundablesDone, feesDone) = (0, 0, 0, 0, 0)
    var laterDone = 0
    for (index, claim) in next.claims.enumerated() {
      var later: LaterClaim?
      if laterDone < next.laterClaims.count, next.laterClaims[laterDone].claim == index {
        later = next.laterClaims[laterDone]
        laterDone += 1
      }
      if index + 12 < next.claims.count { judge.keys.prefetch(next.claims[index + 12].claim) }
      if judge.grants(claim.claim) {
        precondition(!claim.isRefused, "a claim was refused before its key was claimed")
      } else if !claim.isRefused {
        try replace(claim, index, of: &next, by: nil, claim.line(in: text), at: place)
        continue
      }
      if keepsClaims {
        try sink.addClaim(
          claim, fees: next.fees(ofClaim: index).count, later,
          refund: later?.level == 2 ? claim.line(in: text) : nil, at: place)
      } else if let later, !claim.isRefused {
        try judge(later, claim, index, of: &next, claim.line(in: text), at: place)
      }
    }
    try passSettled(&next, upTo: next.settled.count)
    try passRows(next, upTo: next.rows.count, at: place)
    try passRefundData(&next, upTo: next.refundables.count)
    try passFees(&next, upTo: next.fees.count)
    try sink.finishStretch()
    if let error = mostRejected?.error(totals) { throw .batch(error) }
  }

  /// Judges a claim of a later step, or leaves it for the end.
  private mutating func judge(
    _ later: LaterClaim, _ claim: RecordClaim, _ index: Int, of next: inout StretchResult, _ line: Span<UInt8>,
    at place: StretchPlace
  ) throws(Failure) {
    if case .refund = later.subject {
      try passRows(next, upTo: Int(claim.rows.lowerBound), at: place)
      skipRows(of: claim, in: next)
      return try sink.holdRefund(of: later.key, claim, line, at: place)
    }
    let here = ClaimTrace.Place(file: place.file, line: place.line + Int(claim.number))
    let refusals = try judge.judge(later, of: claim.claim, at: here)
    if refusals.isEmpty { return }
    try replace(claim, index, of: &next, by: refusals, line, at: place)
  }

  /// Replaces what a record contributed, since its claim is refused.
  private mutating func replace(
    _ claim: RecordClaim, _ index: Int, of next: inout StretchResult, by refusals: [ClaimRefusal]?, _ line: Span<UInt8>,
    at place: StretchPlace
  ) throws(Failure) {
    try passSettled(&next, upTo: Int(claim.settled.lowerBound))
    settledDone = Int(claim.settled.upperBound)
    try passRefundData(&next, upTo: Int(claim.refundable.lowerBound))
    refundablesDone = Int(claim.refundable.upperBound)
    try passFees(&next, upTo: next.fees(ofClaim: index).lowerBound)
    feesDone = next.fees(ofClaim: index).upperBound
    try passRows(next, upTo: Int(claim.rows.lowerBound), at: place)
    try refuse(claim, refusals, line, at: place)
    skipRows(of: claim, in: next)
  }

  private mutating func skipRows(of claim: RecordClaim, in next: borrowing StretchResult) {
    while rowsDone < Int(claim.rows.upperBound) {
      rowTextDone += next.rows[rowsDone].length
      rowsDone += 1
    }
  }

  private mutating func passSettled(_ next: inout StretchResult, upTo end: Int) throws(Failure) {
    guard end > settledDone else { return }
    if settledDone == 0, end == next.settled.count { return try settlement!.write(&next.settled) }
    try settlement!.write(next.settled.span.extracting(settledDone..<end))
    settledDone = end
  }

  private mutating func passRefundData(_ next: inout StretchResult, upTo end: Int) throws(Failure) {
    guard end > refundablesDone else { return }
    if refundablesDone == 0, end == next.refundables.count { return try refundData.write(&next.refundables) }
    try refundData.write(next.refundables.span.extracting(refundablesDone..<end))
    refundablesDone = end
  }

  private mutating func passFees(_ next: inout StretchResult, upTo end: Int) throws(Failure) {
    guard end > feesDone else { return }
    if feesDone == 0, end == next.fees.count { return try fees!.write(&next.fees) }
    try fees!.write(next.fees.span.extracting(feesDone..<end))
    feesDone = end
  }

  private mutating func passRows(_ next: borrowing StretchResult, upTo end: Int, at place: StretchPlace) throws(Failure)
  {
    while rowsDone < end {
      let row = next.rows[rowsDone]
      try sink.appendRow(row, next.rowTexts.span.extracting(rowTextDone..<rowTextDone + row.length), at: place)
      rowTextDone += row.length
      rowsDone += 1
    }
  }

  /// Refuses a record's claim, and corrects the figures.
  ///
  /// - Parameter refusals: why a claim of a later step is refused; nil if the record's key is repeated.
  private mutating func refuse(
    _ claim: RecordClaim, _ refusals: [ClaimRefusal]?, _ line: Span<UInt8>, at place: StretchPlace
  ) throws(Failure) {
    _ = settler.judge.judge(line)
    let isRefund = claim.claim.space == .refundKey
    settler.refuse(
      refusals ?? .ofKey(isRefund: isRefund, isRepeated: true),
      known: .ofKey(isRefund: isRefund, isRepeated: false, earlierRun: Int(claim.claim.earlierRun)), in: &totals,
      accounts)
    try passRows(line: Int(claim.line), number: Int(claim.number), at: place)
    if keepsClaims {
      try sink.addClaim(
        RecordClaim(
          Claim(claim.claim.space, claim.claim.key, isSettled: false, earlierRun: claim.claim.earlierRun),
          isRefused: true, line: Int(claim.line), length: Int(claim.length), number: Int(claim.number)),
        fees: 0, nil, refund: nil, at: place)
    }
    replaced.clear()
  }

  /// Passes on the rows of the record that the settler holds.
  private mutating func passRows(line: Int, number: Int, at place: StretchPlace) throws(Failure) {
    settler.appendRows(line: line, number: number, to: &replaced) { _ in }
    var at = 0
    for row in replaced.rows {
      try sink.appendRow(row, replaced.rowTexts.span.extracting(at..<at + row.length), at: place)
      at += row.length
    }
  }

  // MARK: Refunds

  /// Judges the refunds that the reports held back, once the batch has ended, and hands on what they give in batch
  /// order.
  mutating func settleRefunds(of reports: StretchReports, options: RunOptions) throws(Failure) {
    guard let held = reports.releaseRows() else { return }
    let count = judge.trace == nil ? options.threads : 1
    let lanes = (0..<count).map { number in
      RefundLane(
        number, ClaimJudge(earlier: nil, options.rules.schedule),
        RecordSettler(purpose: purpose, options: options, hash: settler.hash), reports.made.others, accounts: accounts)
    }
    lanes[0].judge.trace = judge.trace
    try givePayments(held.payments, of: reports, options: options, for: lanes)
    try held.forEachPiece { piece throws(Failure) in
      WorkerThreads.perform(count, threads: count) { lanes[$0].judge(piece, among: count) }
      for entry in piece.entries {
        if entry.payment == .none {
          try piece.withText(of: entry) { text throws(Failure) in
            try reports.appendRow(RowPlace(number: 0, line: 0, length: text.count), text, at: entry.place)
          }
        } else {
          try lanes[RefundLane.number(of: entry.payment, among: count)].handOn(at: entry.place, to: reports)
        }
      }
    }
    for lane in lanes { totals.merge(lane.totals) }
    try reports.finishStretch()
  }

  /// Gives each lane the payments that its refunds are of.
  private func givePayments(
    _ keys: [Fingerprint], of reports: StretchReports, options: RunOptions, for lanes: [RefundLane]
  ) throws(Failure) {
    var own = ClaimedKeys()
    var hasOwn = false
    var asked = ClaimedKeys()
    var others: [Fingerprint] = []
    for key in keys {
      if judge.keys.isSettled(key) {
        hasOwn = own.insert(key) || hasOwn
      } else if asked.insert(key) {
        others.append(key)
      }
    }
    for lane in lanes { lane.judge.payments.reserve(keys.count / lanes.count) }
    func lane(_ key: Fingerprint) -> RefundLane { lanes[RefundLane.number(of: key, among: lanes.count)] }
    if hasOwn {
      try reports.refundables.forEach { key, payment in
        if own.contains(key) { lane(key).judge.payments.add(payment, of: key) }
      }
    }
    guard let earlier, !others.isEmpty else { return }
    let day = reports.day
    try earlier.forEachPayment(of: others.sorted(), threads: options.threads) { key, payment throws(Failure) in
      try lane(key).judge.payments.add(payment, of: key, day: day, options.rules)
    }
  }
}
