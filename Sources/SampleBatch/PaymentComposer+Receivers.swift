import Records

// Draws the receivers of a payment.
extension PaymentComposer {
  /// Draws the receivers that are not primary; a simple payment has 1.
  mutating func drawReceivers(_ demand: DraftDemand, isPersonal: Bool) {
    let all = draft.kind == .simple ? 1 : demand.receivers ?? drawCount()
    let type = isPersonal ? PaymentType.personal : drawPaymentType()
    for _ in 0..<(draft.kind == .chained ? all - 1 : all) {
      var receiver = drawReceiver(isPersonal: isPersonal, type: type)
      drawInvoice(&receiver, isPersonal: isPersonal, mustHaveItems: demand.hasItems)
      draft.receivers.append(receiver)
    }
  }

  /// Draws the fee payer and the primary of a chained payment.
  ///
  /// The secondaries are drawn before, because the primary must get what it passes on and keep enough for the fees.
  mutating func drawPrimary(_ demand: DraftDemand) {
    let passedOn = draft.passedOn
    draft.feePayer = demand.feePayer ?? drawChainFeePayer(passedOn: passedOn)
    let kept = drawKept(passedOn: passedOn)
    var primary = drawReceiver(isPersonal: false, type: draft.receivers[0].paymentType)
    primary.isPrimary = true
    primary.subtotal = passedOn + kept
    if !demand.hasNoPrimaryInvoice, demand.hasItems || random.chance(60) {
      drawPrimaryInvoice(&primary, kept: kept)
    }
    let place = random.chance(80) ? 0 : random.below(draft.receivers.count + 1)
    draft.receivers.insert(primary, at: place)
  }

  private mutating func drawChainFeePayer(passedOn: UInt64) -> FeePayer? {
    let lot = random.below(100)
    if lot < 30 { return .primaryReceiver }
    let bearable = 3 * draft.currency.fixedFeeAllowance
    if lot < 50, draft.receivers.count == 1, passedOn >= bearable { return .secondaryOnly }
    return lot < 75 ? .eachReceiver : nil
  }

  /// What the primary keeps: enough that fees of 6 % and twice the published fixed fees never exceed it.
  private mutating func drawKept(passedOn: UInt64) -> UInt64 {
    let share = passedOn * UInt64(3 + random.below(25)) / 100
    let allowance = draft.currency.fixedFeeAllowance
    switch draft.feePayer {
    case .primaryReceiver:
      let fixedFees = UInt64(draft.receivers.count + 1) * allowance
      return share + (passedOn + fixedFees * 11) / 10 + random.below(allowance)
    case .secondaryOnly:
      return min(share, passedOn)
    default:
      return random.chance(5) ? 0 : share
    }
  }

  /// The number of receivers: most often 2, and each higher number up to 6 less often.
  private mutating func drawCount() -> Int {
    let lot = random.below(100)
    return lot < 45 ? 2 : lot < 70 ? 3 : lot < 85 ? 4 : lot < 94 ? 5 : 6
  }

  private mutating func drawPaymentType() -> PaymentType? {
    let lot = random.below(100)
    return lot < 50 ? .goods : lot < 82 ? .service : lot < 88 ? .notSet : nil
  }

  private mutating func drawReceiver(isPersonal: Bool, type: PaymentType?) -> ReceiverDraft {
    var party: SampleParty
    repeat {
      party = isPersonal ? parties.person(&random) : parties.merchant(&random)
    } while party == draft.sender || draft.receivers.contains { $0.party == party }
    var receiver = ReceiverDraft(party: party)
    receiver.paymentType = type
    if party.particulars % 16 < (isPersonal ? 11 : 9) {
      receiver.country = country(of: party)
      if isPersonal, random.chance(15), draft.currency.onlyCountry == nil {
        receiver.country = random.chance(50) ? .india : .germany
      }
    }
    if type == .service, random.chance(65) {
      receiver.subType = random.any(of: PaymentSubType.allCases)
    } else if random.chance(6) {
      receiver.subType = .notSet
    }
    return receiver
  }
}
