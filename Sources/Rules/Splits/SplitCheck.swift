import ExactArithmetic
import Input
import Money
import Records

/// Checks and divides payments whose receivers get a part of a total instead of an amount (`splits.md`).
struct SplitCheck: ~Copyable {
  private static let hundred = ExactDecimal(100)

  /// Whether the payment is split; if not, nothing else here means anything.
  var isGiven = false
  /// What is divided.
  private(set) var total = ExactDecimal.zero
  private(set) var isTotalValid = false
  /// Whether a receiver has `split`.
  private var hasParts = false
  /// Whether all terms and all fixed parts are valid, and are where they are allowed.
  private var areTermsValid = true
  /// The divisor of the parties' targets; zero if the targets are unknown.
  private(set) var denominator = ExactDecimal.zero
  /// Whether the targets are rounded to parts.
  private(set) var isDivided = false
  /// The parts of the first six receivers, plus one element for further ones, which is never read.
  private(set) var parts: [SplitPart] = []

  /// Decides whether the payment is split, whatever the values of its fields. If it is, reads the total.
  mutating func begin(_ record: inout RecordReader) {
    let isProfile = record.profile != .none
    isGiven = isProfile || record.hasSplitTotal
    for row in 1..<record.scanner.rowCount where !isGiven {
      isGiven =
        !record.scanner.receiverField(.split, row: row).isAbsent
        || !record.scanner.receiverField(.keep, row: row).isAbsent
    }
    guard isGiven else { return }
    (total, isTotalValid, hasParts, areTermsValid) = (.zero, false, false, true)
    (denominator, isDivided) = (.zero, false)
    parts.removeAll(keepingCapacity: true)
    if isProfile || record.hasSplitTotal {
      isTotalValid = record.amount(record.top(.splitTotal), .aboveZero, into: &total)
    }
  }

  /// Whether a receiver may leave out its subtotal.
  @inline(__always)
  func isSubtotalOptional(of place: ElementPlace, _ record: borrowing RecordReader) -> Bool {
    guard isGiven else { return false }
    if !record.receiver(.split, of: place).isAbsent || record.profile == .known { return true }
    let isPrimary = record.receiver(.isPrimary, of: place)
    return record.hasSplitTotal && !isPrimary.isAbsent && isPrimary.kind != .no
  }

  /// Checks a receiver's terms, and the fields that are not allowed together with them. Its amounts stay known only if
  /// its gross is its own: it has a fixed part, or it is a primary receiver whose amount is the total.
  @inline(never)
  mutating func checkTerms(
    of receiver: inout ReceiverFigures, _ gross: ExactDecimal, hasSubtotal: Bool, _ record: inout RecordReader
  ) {
    let (place, isPrimary) = (receiver.place, receiver.isPrimary)
    let role = record.receiver(.isPrimary, of: place)
    let isRoleKnown = role.isAbsent || role.kind == .yes || role.kind == .no
    let hasSplit = !record.receiver(.split, of: place).isAbsent
    var part = SplitPart(.fixed)
    part.reset(isPrimary ? .rest : .fixed, gross)
    readTerms(record.receiver(.split, of: place), isMisplaced: isRoleKnown && isPrimary, into: &part, &record)
    readTerms(record.receiver(.keep, of: place), isMisplaced: isRoleKnown && !isPrimary, into: &part, &record)
    if parts.count <= PaymentKind.maximumReceivers { parts.append(part) }
    if hasSplit { hasParts = true }
    let hasOwnGross = isPrimary ? !record.hasSplitTotal : !hasSplit
    if isRoleKnown, !hasOwnGross {
      if hasSubtotal { refuseTerms(at: place.path.receiverField(.subtotal), &record) }
      let invoice = record.receiver(.invoiceData, of: place)
      if invoice.kind == .object { refuseTerms(at: invoice.path, &record) }
    }
    if !isPrimary, !hasSplit, !receiver.areAmountsKnown { areTermsValid = false }
    if !hasOwnGross { receiver.areAmountsKnown = false }
  }

  /// Reads a `split` or `keep` object, if there is one, into a party's terms.
  private mutating func readTerms(
    _ terms: FieldValue, isMisplaced: Bool, into part: inout SplitPart, _ record: inout RecordReader
  ) {
    guard !terms.isAbsent else { return }
    guard terms.kind == .object else {
      areTermsValid = false
      return record.reject(.wrongType, terms)
    }
    let (percent, share) = (record.terms(.percent, of: terms), record.terms(.share, of: terms))
    if isMisplaced || percent.isAbsent == share.isAbsent {
      refuseTerms(at: terms.path, evidence: terms.slice, &record)
    }
    if !percent.isAbsent, isValid(record.decimal(percent, .zeroOrMore, into: &part.value)) {
      part.terms = .percent
      if part.value > Self.hundred {
        areTermsValid = false
        record.reject(.invalidValue, percent)
      }
    }
    if !share.isAbsent, isValid(record.decimal(share, .aboveZero, into: &part.value)) { part.terms = .share }
    part.minimum = bound(record.terms(.min, of: terms), &record)
    part.maximum = bound(record.terms(.max, of: terms), &record)
    if let minimum = part.minimum, let maximum = part.maximum, maximum < minimum {
      areTermsValid = false
      record.reject(.splitTerms, at: terms.path.termsField(.min), found: minimum, expected: maximum)
    }
  }

  private mutating func bound(_ value: FieldValue, _ record: inout RecordReader) -> ExactDecimal? {
    guard !value.isAbsent else { return nil }
    var bound = ExactDecimal.zero
    return isValid(record.amount(value, .zeroOrMore, into: &bound)) ? bound : nil
  }

  /// Records whether a term is valid.
  private mutating func isValid(_ isTermValid: Bool) -> Bool {
    if !isTermValid { areTermsValid = false }
    return isTermValid
  }

  private mutating func refuseTerms(
    at path: FieldPath, evidence: JSONSlice = .absent, _ record: inout RecordReader
  ) {
    areTermsValid = false
    record.reject(.splitTerms, at: path, evidence: evidence)
  }

  // MARK: Dividing

  /// Divides the payment's total, and sets the receivers' gross to their parts.
  @inline(never)
  mutating func divide(
    _ kind: PaymentKind, _ receivers: inout ReceiverList, _ tally: inout ReceiverTally, _ record: inout RecordReader
  ) {
    if kind != .chained, !record.hasSplitTotal, hasParts, record.profile != .known {
      record.reject(.missingField, at: .top(.splitTotal))
    }
    if kind == .chained, !record.hasSplitTotal, tally.primaryGrossValid {
      total.set(tally.primaryGross)
      isTotalValid = true
    }
    guard let currency = record.currency, isTotalValid, areTermsValid else { return }
    precondition(parts.count == receivers.count, "a receiver of a split has no part")
    switch Self.setTargets(&parts, of: total) {
    case .exceedsTotal(let promised): refuse(.splitExceedsTotal, promised.trimmed(to: currency), &record)
    case .notWhole(let sum): refuse(.splitNotWhole, sum.trimmed(to: currency), &record)
    case .whole(let denominator):
      self.denominator.set(denominator)
      let accounts = parts.indices.map { Array(record.copies.span.extracting(receivers[postingOf: $0].account)) }
      guard accounts.allSatisfy({ !$0.isEmpty }) else { return }
      guard !record.findings.errors.contains(where: { $0.reason == .receiversNotUnique }) else { return }
      Self.round(&parts, of: total, denominator: denominator, to: -currency.settlementExponent, accounts)
      setParts(of: &receivers, &tally, &record)
    }
  }

  private static func setTargets(_ parts: inout [SplitPart], of total: ExactDecimal) -> Split.Verdict {
    var parts = parts.mutableSpan
    return Split.setTargets(&parts, of: total)
  }

  private static func round(
    _ parts: inout [SplitPart], of total: ExactDecimal, denominator: ExactDecimal, to exponent: Int,
    _ accounts: [[UInt8]]
  ) {
    var parts = parts.mutableSpan
    Split.round(&parts, of: total, denominator: denominator, to: exponent) {
      accounts[$0].lexicographicallyPrecedes(accounts[$1])
    }
  }

  /// Rejects a split whose targets do not add up to the total.
  private mutating func refuse(_ reason: RejectionReason, _ sum: ExactDecimal, _ record: inout RecordReader) {
    denominator.set(ExactDecimal(1))
    record.reject(reason, at: .top(.receiverPaymentDetails), found: sum, expected: total)
  }

  private mutating func setParts(
    of receivers: inout ReceiverList, _ tally: inout ReceiverTally, _ record: inout RecordReader
  ) {
    isDivided = true
    tally.gross.set(.zero)
    tally.primaryGross.set(.zero)
    tally.allGrossValid = true
    for place in parts.indices {
      let path = receivers.figures[place].place.path
      if receivers.figures[place].isPrimary {
        receivers.postings[1 + place].gross.set(total)
        tally.primaryGross.set(total)
      } else {
        receivers.postings[1 + place].gross.set(parts[place].amount)
        if parts[place].terms != .fixed, parts[place].amount.isZero, parts[place].minimum == nil {
          record.reject(.splitZeroPart, at: path.receiverField(.split))
        }
      }
      tally.gross.add(receivers[postingOf: place].gross)
      if parts[place].hasMissingUnit { record.note(.splitRounded, at: path) }
    }
  }
}
