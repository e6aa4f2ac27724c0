import Records

extension DraftDemand {
  /// What the defect needs of its payment; nothing without a defect.
  init(_ assignment: DefectPlan.Assignment?) {
    guard let assignment else { return }
    let variant = assignment.variant
    switch assignment.defect {
    case .missingField, .wrongType, .decimalSyntax, .negativeAmount, .amountNotPositive, .amountPrecision:
      hasItems = true
      if assignment.defect == .wrongType { kind = variant % 4 == 2 ? .chained : .parallel }
    case .currencyNotSupported:
      isInDollars = true
    case .currencyInCountryOnly:
      isInCountryOnly = true
    case .paymentShape:
      kind = .simple
      isSingle = variant % 3 == 0
    case .receiverCount:
      kind = .parallel
      receivers = variant % 3 == 0 ? 7 : 2
    case .receiversNotUnique, .paymentTypeMixed:
      kind = .parallel
    case .multiplePrimary, .personalNotAllowed:
      kind = .chained
    case .itemTotalMismatch, .invoiceSubtotalMismatch:
      kind = .simple
      hasItems = true
    case .chainExceedsPrimary:
      kind = .chained
      hasNoPrimaryInvoice = true
      feePayer = .eachReceiver
    case .feePayerNotAllowed:
      kind = [PaymentKind.chained, .simple, .chained, .parallel][variant % 4]
      receivers = variant % 4 == 2 ? 4 : nil
    case .feesExceedAmount:
      kind = .chained
      receivers = 2
      hasNoPrimaryInvoice = true
      feePayer = .primaryReceiver
    default: break
    }
  }
}

extension Defect {
  /// The texts that replace one field, used in turn; empty if the defect is of the whole payment.
  fileprivate var faults: KeyValuePairs<FieldPlace, StaticString> {
    switch self {
    case .duplicateField:
      [
        .paymentEnd: #","payKey":null"#, .receiverEnd: #","recipient":"twice@mail.example""#,
        .paymentEnd: #","payKey":"AP-AGAIN""#,
      ]
    case .unknownRecordType: [.paymentEnd: #","type":"refund""#, .paymentEnd: #","type":"PAYMENT""#]
    case .missingField:
      // The first field of an object becomes null, others are left out.
      [
        .subtotal: "", .payKey: "null", .recipient: "null", .itemTotal: "", .tax: "null", .itemName: "null",
        .itemPrice: "", .shipping: "", .itemCount: "",
      ]
    case .wrongType:
      [.memo: #"["two","lines"]"#, .recipient: "14029352050", .isPrimary: #""true""#, .receiver: "7"]
    case .invalidValue:
      [
        .status: #""STATUS_DONE""#, .createdAt: #""2026-02-30T08:15:00Z""#,
        .createdAt: #""20.11.2026""#, .fundingSource: #""CASH""#, .paymentType: #""TYPE_GIFT""#,
      ]
    case .invalidRecipient:
      [
        .recipient: #""no-at-sign""#, .sender: #""+0301234567""#, .recipient: #""shop@localhost""#,
        .sender: #""anna silva@mail.example""#, .recipient: #""""#,
      ]
    case .decimalSyntax:
      [.subtotal: #""1,000.00""#, .tax: #""12.3.4""#, .itemPrice: #""ten""#, .itemCount: #""+5""#]
    case .negativeAmount: [.subtotal: #""-1.00""#, .shipping: "-3", .itemTotal: #""-12""#, .itemPrice: #""-0.01""#]
    case .amountNotPositive: [.subtotal: #""0.00""#, .itemCount: "0", .subtotal: "0"]
    case .amountPrecision:
      [.subtotal: #""10.0001""#, .tax: #""0.123""#, .itemTotal: "1.005", .shipping: #""1.5e-3""#]
    case .currencyNotSupported:
      [.currency: #""RUB""#, .currency: #""usd""#, .currency: #""CNY""#, .currency: #""""#]
    case .countryNotSupported:
      [
        .senderCountry: #""XX""#, .country: #""UK""#, .senderCountry: #""de""#, .country: #""XX""#,
        .senderCountry: #""UK""#, .country: #""de""#,
      ]
    case .paymentShape:
      [
        .paymentEnd: #","receiverPaymentDetails":[]"#, .paymentEnd: #","recipient":"shop@mail.example""#,
        .receivers: "",
      ]
    default: [:]
    }
  }
}

// Adds a defect to a valid payment.
extension PaymentComposer {
  /// Makes the defect: exactly this error code and no other, whatever payment was drawn.
  mutating func spoil(_ assignment: DefectPlan.Assignment) {
    let faults = assignment.defect.faults
    guard !faults.isEmpty else { return spoilReceivers(assignment) }
    let fault = faults[assignment.variant % faults.count]
    draft.fault = FieldFault(place: fault.key, text: fault.value)
    supplyField(of: assignment.defect)
  }

  /// Gives the payment the field of the fault.
  private mutating func supplyField(of defect: Defect) {
    switch draft.fault.place {
    case .memo: draft.hasMemo = true
    case .createdAt: draft.hasCreatedAt = true
    case .fundingSource: draft.fundingSource = .card
    case .paymentType: draft.receivers[0].paymentType = .goods
    case .isPrimary: draft.fault.receiver = draft.receivers.firstIndex { $0.isPrimary } ?? 0
    default: break
    }
    if defect == .invalidRecipient, draft.sender == nil { draft.sender = parties.person(&random) }
    if defect == .countryNotSupported {
      let home = draft.currency.onlyCountry ?? .germany
      draft.senderCountry = home
      draft.receivers[0].country = home
    }
  }

  /// Makes values wrong in combination, while each one is valid.
  private mutating func spoilReceivers(_ assignment: DefectPlan.Assignment) {
    let variant = assignment.variant
    switch assignment.defect {
    case .receiverCount where variant % 3 == 1:
      draft.receivers.removeLast()
      draft.receivers[0].isPrimary = true
    case .receiverCount where variant % 3 == 2: draft.receivers.removeAll()
    case .multiplePrimary:
      for index in draft.receivers.indices { draft.receivers[index].isPrimary = true }
    case .receiversNotUnique: draft.receivers[1].party = draft.receivers[0].party
    case .senderIsReceiver: draft.sender = draft.receivers[0].party
    case .paymentTypeMixed: setPaymentTypes { $0 % 2 == 0 ? .personal : .service }
    case .personalNotAllowed: setPaymentTypes { _ in .personal }
    case .subTypeNotAllowed:
      let type: PaymentType? = draft.kind == .chained || variant % 2 == 0 ? .goods : nil
      setPaymentTypes { _ in type }
      draft.receivers[0].subType = .rent
    default: spoilAmounts(assignment)
    }
  }

  /// Gives each receiver the type for its index, and no subtype.
  private mutating func setPaymentTypes(_ type: (Int) -> PaymentType?) {
    for index in draft.receivers.indices {
      draft.receivers[index].paymentType = type(index)
      draft.receivers[index].subType = nil
    }
  }

  private mutating func spoilAmounts(_ assignment: DefectPlan.Assignment) {
    switch assignment.defect {
    case .currencyInCountryOnly: draft.senderCountry = .india
    case .feePayerNotAllowed:
      draft.feePayer = [FeePayer.sender, .primaryReceiver, .secondaryOnly, .secondaryOnly][assignment.variant % 4]
    case .itemTotalMismatch:
      let item = draft.receivers[0].items[0]
      draft.receivers[0].subtotal += item.product + 1 - item.total
      draft.receivers[0].items[0].total = item.product + 1
    case .invoiceSubtotalMismatch: draft.receivers[0].subtotal += 1
    case .chainExceedsPrimary: setPrimary(subtotal: draft.passedOn - 1 - random.below(draft.passedOn / 2))
    case .feesExceedAmount: setPrimary(subtotal: draft.passedOn)
    case .duplicatePayKey: draft.repeatsKeyBefore = true
    default: break
    }
  }

  private mutating func setPrimary(subtotal: UInt64) {
    for index in draft.receivers.indices where draft.receivers[index].isPrimary {
      draft.receivers[index].subtotal = subtotal
    }
  }
}
