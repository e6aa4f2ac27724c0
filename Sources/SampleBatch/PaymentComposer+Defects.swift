import Money
import Records

extension DraftDemand {
  /// What the payment must be like for the defect to fit in, or nothing where there is none.
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

// Spoiling a payment that was drawn well.
extension PaymentComposer {
  /// Makes the defect: exactly the one error code, wherever the payment is otherwise drawn to.
  mutating func spoil(_ assignment: DefectPlan.Assignment) {
    let variant = assignment.variant
    switch assignment.defect {
    case .duplicateField:
      let choices: [(FieldPlace, StaticString)] = [
        (.paymentEnd, #","payKey":null"#), (.receiverEnd, #","recipient":"twice@mail.example""#),
        (.paymentEnd, #","payKey":"AP-AGAIN""#),
      ]
      put(choices[variant % choices.count])
    case .unknownRecordType:
      put((.paymentEnd, variant % 2 == 0 ? #","type":"refund""# : #","type":"PAYMENT""#))
    case .missingField: spoilByLeavingOut(variant)
    case .wrongType: spoilType(variant)
    case .invalidValue: spoilValue(variant)
    case .invalidRecipient: spoilParty(variant)
    case .decimalSyntax, .negativeAmount, .amountNotPositive, .amountPrecision: spoilAmount(assignment)
    case .currencyNotSupported:
      put((.currency, [#""RUB""#, #""usd""#, #""CNY""#, #""""#][variant % 4]))
    case .countryNotSupported:
      let home = currencies.onlyCountry(of: draft.currency) ?? .germany
      draft.senderCountry = home
      draft.receivers[0].country = home
      put((variant % 2 == 0 ? .senderCountry : .country, [#""XX""#, #""UK""#, #""de""#][variant % 3]))
    case .duplicatePayKey: draft.repeatsKeyBefore = true
    default: spoilSense(assignment)
    }
  }

  private mutating func put(_ fault: (place: FieldPlace, text: StaticString)) {
    draft.fault = FieldFault(place: fault.place, receiver: 0, text: fault.text)
  }

  private mutating func spoilByLeavingOut(_ variant: Int) {
    // The first field of an object is made null, the others are left out.
    let choices: [(FieldPlace, StaticString)] = [
      (.subtotal, ""), (.payKey, "null"), (.recipient, "null"), (.itemTotal, ""), (.tax, "null"), (.itemName, "null"),
      (.itemPrice, ""), (.shipping, ""), (.itemCount, ""),
    ]
    put(choices[variant % choices.count])
  }

  private mutating func spoilType(_ variant: Int) {
    switch variant % 4 {
    case 0:
      draft.hasMemo = true
      put((.memo, #"["two","lines"]"#))
    case 1: put((.recipient, "14029352050"))
    case 2:
      put((.isPrimary, #""true""#))
      draft.fault.receiver = draft.receivers.firstIndex { $0.isPrimary } ?? 0
    default: put((.receiver, "7"))
    }
  }

  private mutating func spoilValue(_ variant: Int) {
    switch variant % 5 {
    case 0:
      put((.status, #""STATUS_DONE""#))
    case 1:
      draft.hasCreatedAt = true
      put((.createdAt, #""2026-02-30T08:15:00Z""#))
    case 2:
      draft.hasNotificationURL = true
      put((.notificationURL, #""ftp://shop.example/ipn""#))
    case 3:
      draft.fundingSource = .card
      put((.fundingSource, #""CASH""#))
    default:
      draft.receivers[0].paymentType = .goods
      put((.paymentType, #""TYPE_GIFT""#))
    }
  }

  private mutating func spoilParty(_ variant: Int) {
    if draft.sender == nil { draft.sender = parties.person(&random) }
    let choices: [(FieldPlace, StaticString)] = [
      (.recipient, #""no-at-sign""#), (.sender, #""+0301234567""#), (.recipient, #""shop@localhost""#),
      (.sender, #""anna silva@mail.example""#), (.recipient, #""""#),
    ]
    put(choices[variant % choices.count])
  }

  private mutating func spoilAmount(_ assignment: DefectPlan.Assignment) {
    let choices: [(FieldPlace, StaticString)] =
      switch assignment.defect {
      case .decimalSyntax:
        [(.subtotal, #""1,000.00""#), (.tax, #""12.3.4""#), (.itemPrice, #""ten""#), (.itemCount, #""+5""#)]
      case .negativeAmount:
        [(.subtotal, #""-1.00""#), (.shipping, "-3"), (.itemTotal, #""-12""#), (.itemPrice, #""-0.01""#)]
      case .amountNotPositive:
        [(.subtotal, #""0.00""#), (.itemCount, "0"), (.subtotal, "0")]
      default:
        [(.subtotal, #""10.0001""#), (.tax, #""0.123""#), (.itemTotal, "1.005"), (.shipping, #""1.5e-3""#)]
      }
    put(choices[assignment.variant % choices.count])
  }
}

// Spoiling what a payment says as a whole, each value being valid.
extension PaymentComposer {
  mutating func spoilSense(_ assignment: DefectPlan.Assignment) {
    let variant = assignment.variant
    switch assignment.defect {
    case .currencyInCountryOnly: draft.senderCountry = .india
    case .paymentShape: spoilShape(variant)
    case .receiverCount: spoilCount(variant)
    case .multiplePrimary:
      for index in draft.receivers.indices { draft.receivers[index].isPrimary = true }
    case .receiversNotUnique: draft.receivers[1].party = draft.receivers[0].party
    case .senderIsReceiver: draft.sender = draft.receivers[0].party
    case .paymentTypeMixed:
      for index in draft.receivers.indices {
        draft.receivers[index].paymentType = index % 2 == 0 ? .goods : .service
        draft.receivers[index].subType = nil
      }
    case .personalNotAllowed:
      for index in draft.receivers.indices {
        draft.receivers[index].paymentType = .personal
        draft.receivers[index].subType = nil
      }
    case .subTypeNotAllowed:
      for index in draft.receivers.indices {
        draft.receivers[index].paymentType = draft.kind == .chained || variant % 2 == 0 ? .goods : nil
        draft.receivers[index].subType = index == 0 ? .rent : nil
      }
    case .feePayerNotAllowed:
      draft.feePayer = [FeePayer.sender, .primaryReceiver, .secondaryOnly, .secondaryOnly][variant % 4]
    default: spoilAmounts(assignment.defect)
    }
  }

  private mutating func spoilAmounts(_ defect: Defect) {
    switch defect {
    case .itemTotalMismatch:
      let item = draft.items[0]
      let raised = item.product + 1
      draft.receivers[0].subtotal += raised - item.total
      draft.items[0].total = raised
    case .invoiceSubtotalMismatch: draft.receivers[0].subtotal += 1
    case .chainExceedsPrimary: setPrimary(subtotal: passedOn - 1 - random.below(passedOn / 2))
    case .feesExceedAmount: setPrimary(subtotal: passedOn)
    default: break
    }
  }

  private var passedOn: UInt64 {
    draft.receivers.reduce(0) { $1.isPrimary ? $0 : $0 + $1.gross }
  }

  private mutating func setPrimary(subtotal: UInt64) {
    for index in draft.receivers.indices where draft.receivers[index].isPrimary {
      draft.receivers[index].subtotal = subtotal
    }
  }

  private mutating func spoilShape(_ variant: Int) {
    switch variant % 3 {
    case 0: put((.paymentEnd, #","receiverPaymentDetails":[]"#))
    case 1: put((.paymentEnd, #","recipient":"shop@mail.example""#))
    default: put((.receivers, ""))
    }
  }

  private mutating func spoilCount(_ variant: Int) {
    switch variant % 3 {
    case 0: break
    case 1:
      draft.receivers.removeLast()
      draft.receivers[0].isPrimary = true
    default: draft.receivers.removeAll()
    }
  }
}
