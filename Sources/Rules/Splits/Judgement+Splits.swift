import ExactArithmetic
import Input
import Money
import Records

/// What a payment that is split is together, while its receivers are read.
struct SplitTally {
  /// What is divided.
  var total = ExactDecimal.zero
  var isTotalValid = false
  /// Whether a receiver has `split`.
  var hasParts = false
  /// Whether all terms and all fixed parts are valid, and stand where they may.
  var areTermsValid = true
  /// What the parties' targets are divided by; zero if they are not known.
  var denominator = ExactDecimal.zero
  /// Whether the targets are rounded to parts.
  var isDivided = false
}

/// Receivers that are given a part of a total instead of an amount (`splits.md`).
extension Judgement {
  private static let hundred = ExactDecimal(100)

  /// Whether a total stands in the record; only if receivers stand in an array or a profile does it mean anything.
  var hasSplitTotal: Bool { !scanner.field(.splitTotal).isAbsent }

  /// Whether the payment is split, whatever the values of its fields; reads the total of one that is.
  mutating func beginSplit(isProfile: Bool) {
    isSplit = hasSplitTotal
    for row in 1..<scanner.rowCount where !isSplit {
      isSplit =
        !scanner.receiverField(.split, row: row).isAbsent || !scanner.receiverField(.keep, row: row).isAbsent
    }
    guard isSplit || isProfile else { return }
    isSplit = true
    let split = split
    split.pointee = SplitTally()
    let slice = scanner.field(.splitTotal)
    if isProfile || hasSplitTotal {
      split.pointee.isTotalValid = amount(slice, at: .top(.splitTotal), .aboveZero, into: &split.pointee.total)
    }
  }

  /// Whether a receiver need not have a subtotal.
  func isSubtotalOptional(row: Int) -> Bool {
    guard isSplit else { return false }
    if !scanner.receiverField(.split, row: row).isAbsent || profile == .known { return true }
    let isPrimary = scanner.receiverField(.isPrimary, row: row)
    return hasSplitTotal && !isPrimary.isAbsent && isPrimary.kind != .no
  }

  /// Checks a receiver's terms, and what may not stand beside them.
  ///
  /// - Returns: whether its gross is its own: that of a fixed part, or of a primary receiver that is the total.
  mutating func checkTerms(
    row: Int, path: FieldPath, figures: UnsafeMutablePointer<ReceiverFigures>, isSubtotalValid: Bool, isGrossValid: Bool
  ) -> Bool {
    let isPrimarySlice = scanner.receiverField(.isPrimary, row: row)
    let isRoleKnown = isPrimarySlice.isAbsent || isPrimarySlice.kind == .yes || isPrimarySlice.kind == .no
    let isPrimary = figures.pointee.isPrimary
    let hasSplit = !scanner.receiverField(.split, row: row).isAbsent
    // Where it is used, so that nothing is copied; after the most receivers one has room that nobody reads.
    let part = splitParts + min(max(0, row - 1), PaymentKind.maximumReceivers)
    part.pointee.reset(isPrimary ? .rest : .fixed, figures.pointee.posting.pointee.gross)
    readTerms(.split, row: row, path: path, isMisplaced: isRoleKnown && isPrimary, into: &part.pointee)
    readTerms(.keep, row: row, path: path, isMisplaced: isRoleKnown && !isPrimary, into: &part.pointee)
    if hasSplit { split.pointee.hasParts = true }
    let hasOwnGross = isPrimary ? !hasSplitTotal : !hasSplit
    if isRoleKnown, !hasOwnGross {
      if isSubtotalValid { refuseTerms(at: path.receiverField(.subtotal)) }
      if scanner.receiverField(.invoiceData, row: row).kind == .object {
        refuseTerms(at: path.receiverField(.invoiceData))
      }
    }
    if !isPrimary, !hasSplit, !isGrossValid { split.pointee.areTermsValid = false }
    return hasOwnGross
  }

  /// Reads a `split` or `keep`, if there is one, into a party's terms.
  private mutating func readTerms(
    _ field: ReceiverField, row: Int, path: FieldPath, isMisplaced: Bool, into part: inout SplitPart
  ) {
    let slice = scanner.receiverField(field, row: row)
    guard !slice.isAbsent else { return }
    let path = path.receiverField(field)
    guard slice.kind == .object else {
      split.pointee.areTermsValid = false
      return reject(.wrongType, at: path, evidence: slice)
    }
    let (percent, share) = (scanner.termsField(.percent, of: slice), scanner.termsField(.share, of: slice))
    if isMisplaced || percent.isAbsent == share.isAbsent { refuseTerms(at: path, evidence: slice) }
    if !percent.isAbsent, takeTerm(percent, at: path.termsField(.percent), .zeroOrMore, into: &part.value) {
      part.terms = .percent
      if part.value > Self.hundred {
        split.pointee.areTermsValid = false
        reject(.invalidValue, at: path.termsField(.percent), evidence: percent)
      }
    }
    if !share.isAbsent, takeTerm(share, at: path.termsField(.share), .aboveZero, into: &part.value) {
      part.terms = .share
    }
    part.minimum = bound(.min, of: slice, at: path)
    part.maximum = bound(.max, of: slice, at: path)
    if let minimum = part.minimum, let maximum = part.maximum, maximum < minimum {
      split.pointee.areTermsValid = false
      reject(.splitTerms, at: path.termsField(.min), found: minimum, expected: maximum)
    }
  }

  private mutating func bound(_ field: TermsField, of terms: JSONSlice, at path: FieldPath) -> ExactDecimal? {
    let slice = scanner.termsField(field, of: terms)
    guard !slice.isAbsent else { return nil }
    var bound = ExactDecimal.zero
    guard amount(slice, at: path.termsField(field), .zeroOrMore, into: &bound) else {
      split.pointee.areTermsValid = false
      return nil
    }
    return bound
  }

  private mutating func takeTerm(
    _ slice: JSONSlice, at path: FieldPath, _ sign: Sign, into value: inout ExactDecimal
  ) -> Bool {
    let isValid = decimal(slice, at: path, sign, into: &value)
    if !isValid { split.pointee.areTermsValid = false }
    return isValid
  }

  private mutating func refuseTerms(at path: FieldPath, evidence: JSONSlice = .absent) {
    split.pointee.areTermsValid = false
    reject(.splitTerms, at: path, evidence: evidence)
  }

  /// Divides the total of a payment whose kind is known, and makes the parts the receivers' gross.
  mutating func divide(_ kind: PaymentKind) {
    let (split, tally) = (split, tally)
    if kind != .chained, !hasSplitTotal, split.pointee.hasParts, profile != .known {
      reject(.missingField, at: .top(.splitTotal))
    }
    if kind == .chained, !hasSplitTotal, tally.pointee.primaryGrossValid {
      split.pointee.total.set(tally.pointee.primaryGross)
      split.pointee.isTotalValid = true
    }
    guard let currency, split.pointee.isTotalValid, split.pointee.areTermsValid else { return }
    let parts = UnsafeMutableBufferPointer(start: splitParts, count: receiverCount)
    switch Split.setTargets(parts, of: split.pointee.total) {
    case .exceedsTotal(let promised): refuse(.splitExceedsTotal, promised, in: currency)
    case .notWhole(let sum): refuse(.splitNotWhole, sum, in: currency)
    case .whole(let denominator):
      split.pointee.denominator.set(denominator)
      let receivers = receivers
      func account(_ place: Int) -> UnsafeBufferPointer<UInt8> {
        let posting = receivers[place].posting
        return UnsafeBufferPointer(start: posting.pointee.account, count: posting.pointee.accountLength)
      }
      guard parts.indices.allSatisfy({ !account($0).isEmpty }) else { return }
      guard !findings.contains(where: { $0.reason == .receiversNotUnique }) else { return }
      Split.round(parts, of: split.pointee.total, denominator: denominator, to: -currency.settlementExponent) {
        account($0).lexicographicallyPrecedes(account($1))
      }
      takeParts(parts)
    }
  }

  /// Rejects a split whose targets come to a sum that is not the total.
  private mutating func refuse(_ reason: RejectionReason, _ sum: ExactDecimal, in currency: Currency) {
    split.pointee.denominator.set(ExactDecimal(1))
    reject(
      reason, at: .top(.receiverPaymentDetails), found: sum.trimmed(to: currency), expected: split.pointee.total)
  }

  private mutating func takeParts(_ parts: UnsafeMutableBufferPointer<SplitPart>) {
    let tally = tally
    split.pointee.isDivided = true
    tally.pointee.gross.set(.zero)
    tally.pointee.primaryGross.set(.zero)
    tally.pointee.allGrossValid = true
    for place in parts.indices {
      let receiver = receivers + place
      let path = FieldPath.receiver(receiver.pointee.index)
      if receiver.pointee.isPrimary {
        receiver.pointee.posting.pointee.gross.set(split.pointee.total)
        tally.pointee.primaryGross.set(split.pointee.total)
      } else {
        receiver.pointee.posting.pointee.gross.set(parts[place].amount)
        if parts[place].terms != .fixed, parts[place].amount.isZero, parts[place].minimum == nil {
          reject(.splitZeroPart, at: path.receiverField(.split))
        }
      }
      tally.pointee.gross.add(receiver.pointee.posting.pointee.gross)
      if parts[place].hasMissingUnit { note(.splitRounded, at: path) }
    }
  }
}
