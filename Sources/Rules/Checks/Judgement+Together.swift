import Input
import ExactArithmetic
import Records

/// What the receivers are together: the kind, its rules, the control amount.
extension Judgement {
  mutating func checkTogether(isAdvanced: Bool) {
    let details = FieldPath.top(.receiverPaymentDetails)
    if tally.pointee.areTold {
      decideKind(isAdvanced: isAdvanced)
      if !isSplit || !hasSplitTotal { setControlAmount() }
    }
    if isSplit, split.pointee.isTotalValid, hasSplitTotal, currency != nil {
      hasControlAmount = true
      controlAmount.set(split.pointee.total)
    }
    if isAdvanced, tally.pointee.allTypesValid, tally.pointee.typesDiffer { reject(.paymentTypeMixed, at: details) }
    if rules.taxes != nil { checkTaxes() }
    guard let kind else { return }
    if isSplit { divide(kind) }
    if kind == .chained {
      if tally.pointee.allTypesValid, let personal = tally.pointee.firstPersonal {
        reject(.personalNotAllowed, at: personal)
      }
      if tally.pointee.allGrossValid, !isSplit {
        let passedOn = tally.pointee.gross - tally.pointee.primaryGross
        if passedOn > tally.pointee.primaryGross {
          reject(.chainExceedsPrimary, at: details, found: passedOn, expected: tally.pointee.primaryGross)
        }
      }
    }
    if let feePayer, !Self.isAllowed(feePayer, for: kind, receiverCount: receiverCount) {
      reject(.feePayerNotAllowed, at: .top(.feePayer), evidence: scanner.field(.feePayer))
    }
  }

  /// Whether a fee payer goes with a kind (`rules.md`, "Fees").
  static func isAllowed(_ feePayer: FeePayer, for kind: PaymentKind, receiverCount: Int) -> Bool {
    switch feePayer {
    case .eachReceiver: true
    case .sender: kind != .chained
    case .primaryReceiver: kind == .chained
    case .secondaryOnly: kind == .chained && receiverCount == 2
    }
  }

  private mutating func decideKind(isAdvanced: Bool) {
    let details = FieldPath.top(.receiverPaymentDetails)
    let isSeveral = (2...PaymentKind.maximumReceivers).contains(receiverCount)
    switch tally.pointee.primaryCount {
    case 0 where receiverCount == 1: kind = .simple
    case 0 where isSeveral: kind = .parallel
    case 1 where isSeveral: kind = .chained
    case 0, 1: reject(.receiverCount, at: details, evidence: JSONSlice(.number, start: receiverCount, length: 0))
    default:
      reject(.multiplePrimary, at: details, evidence: JSONSlice(.number, start: tally.pointee.primaryCount, length: 0))
    }
  }

  private mutating func setControlAmount() {
    guard currency != nil else { return }
    if tally.pointee.primaryCount == 1 {
      hasControlAmount = tally.pointee.primaryGrossValid
      controlAmount.set(tally.pointee.primaryGross)
    } else {
      hasControlAmount = tally.pointee.allGrossValid
      controlAmount.set(tally.pointee.gross)
    }
  }
}
