import Records

extension RecordJudge {
  mutating func checkPayment() {
    judgement.tally = ReceiverTally()
    judgement.checkTopLevel()
    let isAdvanced = !judgement.record.top(.receiverPaymentDetails).isAbsent
    let isSingle = judgement.record.isSingle
    let hasShape =
      judgement.record.profile == .none
      ? isAdvanced != isSingle && judgement.record.top(.splitProfile).isAbsent : true
    if hasShape {
      receivers.check(isSingle: isSingle, &judgement)
    } else {
      judgement.record.reject(.paymentShape, at: .record)
    }
    judgement.record.hasLevels = hasShape && !judgement.record.isEarlier
    judgement.record.noteUnknownFields(isAdvanced: !isSingle && hasShape, isSingle: isSingle && hasShape)
    if judgement.record.hasForeignCountry {
      judgement.record.reject(.currencyInCountryOnly, at: .top(.paymentCurrency))
    }
    if hasShape { judgement.checkTogether(isAdvanced: isAdvanced, rules.taxes) }
    if judgement.record.findings.errors.isEmpty { fees.assess(&judgement) }
    judgement.conclude(judgement.status?.outcome ?? .rejected)
  }
}

extension Judgement {
  /// Checks the fields that all shapes have.
  fileprivate mutating func checkTopLevel() {
    let currencyField = record.top(.paymentCurrency)
    record.currency = currencyField.isAbsent ? .usd : record.requiredCurrency(currencyField)
    if let currency = record.currency { tally.gross.set(.zero(at: -currency.settlementExponent)) }
    if let key = record.key(record.top(.payKey)) { places.payKey = key }
    status = record.value(record.top(.status), whenAbsent: .completed)
    feePayer = record.value(record.top(.feePayer), whenAbsent: .eachReceiver)
    let hasCard = !record.top(.card).isAbsent
    fundingSource = record.value(record.top(.fundingSource), whenAbsent: hasCard ? .card : .balance)
    if let account = record.account(record.top(.sender)) { places.sender = account }
    senderCountry = record.country(record.top(.senderCountry))
    let createdAt = record.time(record.top(.createdAt))
    if hasCard { card = PaymentCard(&record, fundingSource: fundingSource, createdAt: createdAt) }
    if !record.top(.shippingAddress).isAbsent || !record.top(.amountErrorCode).isAbsent {
      AdjustedAmounts.checkAddress(&record)
    }
    record.checkText(record.top(.memo), maximum: LongText.mostOfMemo)
    record.checkURL(record.top(.ipnUrl))
    if !record.top(.preapprovalKey).isAbsent || !record.top(.pinVerified).isAbsent { checkAgreement() }
  }

  /// Checks all receivers together: the kind, its rules, the control amount.
  fileprivate mutating func checkTogether(isAdvanced: Bool, _ taxes: TaxTable?) {
    let details = FieldPath.top(.receiverPaymentDetails)
    if tally.areTold { kind = tally.kind(of: receivers.count, &record) }
    setControlAmount()
    if isAdvanced, tally.allTypesValid, tally.typesDiffer, tally.personalsDiffer || record.isEarlier {
      record.reject(.paymentTypeMixed, at: details)
    }
    if let taxes { taxes.check(&self) }
    guard let kind else { return }
    if split.isGiven { split.divide(kind, &receivers, &tally, &record) }
    if kind == .chained {
      if tally.allTypesValid, let personal = tally.firstPersonal { record.reject(.personalNotAllowed, at: personal) }
      if tally.allGrossValid, !split.isGiven {
        let passedOn = tally.gross - tally.primaryGross
        if passedOn > tally.primaryGross {
          record.reject(.chainExceedsPrimary, at: details, found: passedOn, expected: tally.primaryGross)
        }
      }
    }
    if let feePayer, !feePayer.isAllowed(for: kind, receivers: receivers.count) {
      record.reject(.feePayerNotAllowed, record.top(.feePayer))
    }
  }

  @inline(__always)
  private mutating func setControlAmount() {
    guard record.currency != nil else { return }
    if split.isGiven, record.hasSplitTotal {
      hasControlAmount = split.isTotalValid
      controlAmount.set(split.total)
    } else if tally.areTold {
      let hasPrimary = tally.primaryCount == 1
      hasControlAmount = hasPrimary ? tally.primaryGrossValid : tally.allGrossValid
      controlAmount.set(hasPrimary ? tally.primaryGross : tally.gross)
    }
  }
}
