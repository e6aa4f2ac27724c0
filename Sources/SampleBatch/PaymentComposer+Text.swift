import Money
import Records

// Writing a record from the draft.
extension PaymentComposer {
  /// The room that a record over the limit takes beyond that of others.
  static let longRecord = 1 << 20

  mutating func writeRecord(_ assignment: DefectPlan.Assignment?) {
    let start = pen.at
    let defect = assignment?.defect
    if defect == .notAnObject { pen.write("[") }
    pen.write("{")
    writeHead()
    if defect == .invalidUTF8 { writeInvalidUTF8() }
    if draft.isSingle {
      faultHere = draft.fault.place
      pen.write(",")
      writeReceiver(draft.receivers[0], number: 0)
    } else if opens(.receivers, #","receiverPaymentDetails":"#) {
      writeReceivers()
    }
    faultHere = draft.fault.place
    _ = opens(.paymentEnd, "")
    if defect == .recordTooLong { writeUntilTooLong(from: start) }
    writeEnd(assignment)
  }

  /// Begins a field: writes its name, and says whether its value is to follow.
  ///
  /// Where the fault is in this field, its text has been written in the value's place.
  @inline(__always)
  mutating func opens(_ place: FieldPlace, _ name: StaticString) -> Bool {
    guard faultHere == place else {
      if place != .paymentEnd, place != .receiverEnd { pen.write(name) }
      return true
    }
    if draft.fault.text.utf8CodeUnitCount > 0 {
      pen.write(name)
      pen.write(draft.fault.text)
    }
    return false
  }

  private mutating func writeHead() {
    faultHere = draft.fault.place
    if opens(.payKey, #""payKey":"#) { writePayKey() }
    if draft.fault.place != .paymentEnd, random.chance(10) { pen.write(#","type":"payment""#) }
    if draft.status != .completed || faultHere == .status || random.chance(80) {
      if opens(.status, #","status":"#) { writeSpelling(draft.status.spelling) }
    }
    if draft.hasCreatedAt, opens(.createdAt, #","createdAt":"#) { writeTimestamp() }
    if draft.currency != .usd || faultHere == .currency || random.chance(85) {
      if opens(.currency, #","paymentCurrency":"#) { writeCurrency() }
    }
    if let feePayer = draft.feePayer, opens(.feePayer, #","feePayer":"#) { writeSpelling(feePayer.spelling) }
    if let sender = draft.sender, opens(.sender, #","sender":"#) { writeAddress(of: sender) }
    if let country = draft.senderCountry, opens(.senderCountry, #","senderCountry":"#) { writeCountry(country) }
    if let source = draft.fundingSource, opens(.fundingSource, #","fundingSource":"#) {
      writeSpelling(source.spelling)
    }
    if draft.hasMemo, opens(.memo, #","memo":"#) {
      writeMemo()
    } else if !draft.hasMemo, random.chance(2) {
      pen.write(#","memo":null"#)
    }
    if draft.hasNotificationURL, opens(.notificationURL, #","ipnUrl":"#) { writeNotificationURL() }
  }

  private mutating func writeReceivers() {
    pen.write("[")
    for index in draft.receivers.indices {
      if index > 0 { pen.write(",") }
      faultHere = index == draft.fault.receiver ? draft.fault.place : .nowhere
      if opens(.receiver, "") {
        pen.write("{")
        writeReceiver(draft.receivers[index], number: index)
        pen.write("}")
      }
    }
    pen.write("]")
  }

  private mutating func writeEnd(_ assignment: DefectPlan.Assignment?) {
    switch assignment?.defect {
    case .malformedJSON:
      let endings: [StaticString] = ["", ",}", "}}", #","memo":"cut short"#, #","note":"\ud83c"}"#]
      pen.write(endings[(assignment?.variant ?? 0) % endings.count])
    case .notAnObject: pen.write("}]")
    default: pen.write("}")
    }
  }

  private mutating func writeInvalidUTF8() {
    // ISO 8859-1: a lone E9 is no UTF-8.
    pen.write(#","note":"Caf"#)
    pen.write(byte: 0xE9)
    pen.write(#" au lait""#)
  }

  private mutating func writeUntilTooLong(from start: UnsafeMutablePointer<UInt8>) {
    pen.write(#","note":""#)
    while pen.at - start <= 1_048_576 {
      pen.write(vocabulary.phrases.any(&random))
      pen.write(" ")
    }
    pen.write(#"""#)
  }
}

// Writing a receiver and its invoice.
extension PaymentComposer {
  /// The fields of a receiver, without its braces.
  private mutating func writeReceiver(_ receiver: ReceiverDraft, number: Int) {
    if opens(.recipient, #""recipient":"#) { writeAddress(of: receiver.party) }
    if let country = receiver.country, opens(.country, #","country":"#) { writeCountry(country) }
    writeReceiverNotes(receiver)
    if let type = receiver.paymentType, opens(.paymentType, #","paymentType":"#) { writeSpelling(type.spelling) }
    if let subType = receiver.subType {
      pen.write(#","paymentSubType":"#)
      writeSpelling(subType.spelling)
    }
    if receiver.isPrimary || !draft.isSingle && random.chance(15) {
      if opens(.isPrimary, #","isPrimary":"#) { pen.write(receiver.isPrimary ? "true" : "false") }
    }
    if opens(.subtotal, draft.isSingle ? #","subTotal":"# : #","subtotal":"#) { writeAmount(receiver.subtotal) }
    if random.chance(70) { writeCustomIdentifier(number: number) }
    if receiver.invoice != .absent { writeInvoice(receiver) }
    _ = opens(.receiverEnd, "")
  }

  private mutating func writeInvoice(_ receiver: ReceiverDraft) {
    if opens(.tax, #","invoiceData":{"totalTax":"#) { writeAmount(receiver.tax) }
    if opens(.shipping, #","totalShipping":"#) { writeAmount(receiver.shipping) }
    if receiver.invoice == .withItems {
      let here = faultHere
      pen.write(#","invoiceItems":["#)
      for index in receiver.items {
        if index > receiver.items.lowerBound { pen.write(",") }
        writeItem(draft.items[index])
        faultHere = .nowhere
      }
      pen.write("]")
      faultHere = here
    }
    pen.write("}")
  }

  private mutating func writeItem(_ item: ItemDraft) {
    pen.write("{")
    if opens(.itemName, #""name":"#) { writeItemName(item.article) }
    if item.article % 8 != 0 { writeItemIdentifier(item.article) }
    let exponent = draft.currency.settlementExponent
    if opens(.itemPrice, #","itemPrice":"#) { writeDecimal(item.price, decimals: exponent + item.priceDecimals) }
    if opens(.itemCount, #","itemCount":"#) { writeCount(item) }
    if opens(.itemTotal, #","totalPrice":"#) { writeAmount(item.total) }
    pen.write("}")
  }
}
