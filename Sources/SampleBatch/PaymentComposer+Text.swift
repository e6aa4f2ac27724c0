// Writes a record from the draft.
extension PaymentComposer {
  mutating func writeRecord(_ assignment: DefectPlan.Assignment?) {
    let start = text.count
    let defect = assignment?.defect
    if defect == .notAnObject { text.append("[") }
    text.append("{")
    writeHead()
    if defect == .invalidUTF8 { writeInvalidUTF8() }
    if draft.isSingle {
      faultHere = draft.fault.place
      text.append(",")
      writeReceiver(draft.receivers[0], number: 0)
    } else if opens(.receivers, #","receiverPaymentDetails":"#) {
      writeReceivers()
    }
    faultHere = draft.fault.place
    _ = opens(.paymentEnd, "")
    if defect == .recordTooLong { writeUntilTooLong(from: start) }
    writeEnd(assignment)
  }

  /// Begins a field: writes its name, and returns whether the caller must write the value.
  ///
  /// If the fault is in this field, its text is written instead of the value.
  mutating func opens(_ place: FieldPlace, _ name: StaticString) -> Bool {
    guard faultHere == place else {
      text.append(name)
      return true
    }
    if draft.fault.text.utf8CodeUnitCount > 0 {
      text.append(name)
      text.append(draft.fault.text)
    }
    return false
  }

  private mutating func writeHead() {
    faultHere = draft.fault.place
    if opens(.payKey, #""payKey":"#) { writePayKey() }
    if draft.fault.place != .paymentEnd, random.chance(10) { text.append(#","type":"payment""#) }
    if draft.status != .completed || faultHere == .status || random.chance(80) {
      if opens(.status, #","status":"#) { writeQuoted(draft.status.spelling) }
    }
    if draft.hasCreatedAt, opens(.createdAt, #","createdAt":"#) { writeTimestamp() }
    if draft.currency.currency != .usd || faultHere == .currency || random.chance(85) {
      if opens(.currency, #","paymentCurrency":"#) { writeQuoted(draft.currency.currency.code) }
    }
    if let feePayer = draft.feePayer, opens(.feePayer, #","feePayer":"#) { writeQuoted(feePayer.spelling) }
    if let sender = draft.sender, opens(.sender, #","sender":"#) { writeAddress(of: sender) }
    if let country = draft.senderCountry, opens(.senderCountry, #","senderCountry":"#) { writeQuoted(country.code) }
    if let source = draft.fundingSource, opens(.fundingSource, #","fundingSource":"#) {
      writeQuoted(source.spelling)
    }
    if draft.hasMemo, opens(.memo, #","memo":"#) {
      writeMemo()
    } else if !draft.hasMemo, random.chance(2) {
      text.append(#","memo":null"#)
    }
    if draft.hasNotificationURL {
      text.append(#","ipnUrl":"#)
      writeNotificationURL()
    }
    writeFeatures()
  }

  private mutating func writeReceivers() {
    text.append("[")
    for index in draft.receivers.indices {
      if index > 0 { text.append(",") }
      faultHere = index == draft.fault.receiver ? draft.fault.place : .nowhere
      if opens(.receiver, "") {
        text.append("{")
        writeReceiver(draft.receivers[index], number: index)
        text.append("}")
      }
    }
    text.append("]")
  }

  private mutating func writeEnd(_ assignment: DefectPlan.Assignment?) {
    switch assignment?.defect {
    case .malformedJSON:
      let endings: [StaticString] = ["", ",}", "}}", #","memo":"cut short"#, #","note":"\ud83c"}"#]
      text.append(endings[(assignment?.variant ?? 0) % endings.count])
    case .notAnObject: text.append("}]")
    default: text.append("}")
    }
    text.append("\n")
  }

  private mutating func writeInvalidUTF8() {
    // ISO 8859-1: a lone E9 is not UTF-8.
    text.append(#","note":"Caf"#)
    text.append(0xE9)
    text.append(#" au lait""#)
  }

  private mutating func writeUntilTooLong(from start: Int) {
    text.append(#","note":""#)
    while text.count - start <= 1_048_576 {
      text.append(random.any(of: SampleVocabulary.phrases))
      text.append(" ")
    }
    text.append(#"""#)
  }
}

// Writes a receiver and its invoice.
extension PaymentComposer {
  /// Writes the fields of a receiver, without its braces.
  private mutating func writeReceiver(_ receiver: ReceiverDraft, number: Int) {
    if opens(.recipient, #""recipient":"#) { writeAddress(of: receiver.party) }
    if let country = receiver.country, opens(.country, #","country":"#) { writeQuoted(country.code) }
    if let category = receiver.category {
      text.append(#","category":"#)
      writeQuoted(category)
    }
    writeReceiverNotes(receiver)
    if let type = receiver.paymentType, opens(.paymentType, #","paymentType":"#) { writeQuoted(type.spelling) }
    if let subType = receiver.subType {
      text.append(#","paymentSubType":"#)
      writeQuoted(subType.spelling)
    }
    if receiver.isPrimary || !draft.isSingle && random.chance(15) {
      if opens(.isPrimary, #","isPrimary":"#) { text.append(receiver.isPrimary ? "true" : "false") }
    }
    // A receiver that gets a part of a total has no subtotal of its own; neither has a primary that receives the total.
    let isOwn = receiver.isPrimary ? draft.splitTotal == nil : receiver.terms == nil
    if isOwn, opens(.subtotal, draft.isSingle ? #","subTotal":"# : #","subtotal":"#) { writeAmount(receiver.subtotal) }
    if let terms = receiver.terms { writeTerms(terms, isPrimary: receiver.isPrimary) }
    if random.chance(70) { writeCustomIdentifier(number: number) }
    if isOwn, receiver.hasInvoice { writeInvoice(receiver) }
    _ = opens(.receiverEnd, "")
  }

  private mutating func writeInvoice(_ receiver: ReceiverDraft) {
    if opens(.tax, #","invoiceData":{"totalTax":"#) { writeAmount(receiver.tax) }
    if opens(.shipping, #","totalShipping":"#) { writeAmount(receiver.shipping) }
    if !receiver.items.isEmpty {
      let here = faultHere
      text.append(#","invoiceItems":["#)
      for (index, item) in receiver.items.enumerated() {
        if index > 0 { text.append(",") }
        writeItem(item)
        faultHere = .nowhere
      }
      text.append("]")
      faultHere = here
    }
    text.append("}")
  }

  private mutating func writeItem(_ item: ItemDraft) {
    text.append("{")
    if opens(.itemName, #""name":"#) { writeItemName(item.article) }
    if item.article % 8 != 0 { writeItemIdentifier(item.article) }
    let exponent = draft.currency.currency.settlementExponent
    if opens(.itemPrice, #","itemPrice":"#) { writeDecimal(item.price, decimals: exponent + item.priceDecimals) }
    if opens(.itemCount, #","itemCount":"#) { writeCount(item) }
    if opens(.itemTotal, #","totalPrice":"#) { writeAmount(item.total) }
    text.append("}")
  }
}
