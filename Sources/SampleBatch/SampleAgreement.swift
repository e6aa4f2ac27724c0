import Records

/// One of the agreements of a block, which last over several nights. It depends only on its position and the seed.
struct SampleAgreement {
  /// The number of agreements per block.
  static let perBlock = 16

  let bits: UInt64
  /// The sender who agreed.
  let sender: SampleParty
  /// The night in which it is made and confirmed.
  let firstNight: Int
  /// The night that begins with its end; nil if it does not end.
  let lastNight: Int?
  /// Who bears the fees.
  let feesPayer: FeePayer

  init(_ number: Int, block: Int, _ options: SampleBatchOptions, _ parties: SampleParties) {
    bits = SampleRandom.mixed(UInt64(block * Self.perBlock + number) ^ SampleRandom.mixed(~options.seed))
    sender = SampleParty(isMerchant: false, number: bits % parties.persons)
    firstNight = 1 + number % options.nights
    lastNight = number % 2 == 0 ? firstNight + 2 : nil
    feesPayer = number % 4 == 1 ? .sender : .eachReceiver
  }

  /// Whether payments of a night may name it.
  func isActive(in night: Int) -> Bool { firstNight <= night && night < lastNight ?? .max }
}

// Agreements, and payments under them.
extension PaymentComposer {
  /// Puts the drawn payment under an agreement, if possible: it must be in dollars, and the fee payer must be the same.
  mutating func drawAgreement() {
    let agreement = SampleAgreement(
      random.below(SampleAgreement.perBlock), block: draft.index / SampleBlock.payments, options, parties)
    guard draft.currency.currency == .usd, agreement.isActive(in: night),
      draft.feePayer ?? .eachReceiver == agreement.feesPayer,
      !draft.receivers.contains(where: { $0.party == agreement.sender })
    else { return }
    draft.agreement = agreement
    draft.sender = agreement.sender
    draft.hasCreatedAt = true
  }

  /// Writes the records of a block's agreements in the night.
  mutating func composeAgreements(block: Int) {
    // Block numbers that no block of payments has.
    restart(night: options.night, block: block | 1 << 40)
    for number in 0..<SampleAgreement.perBlock {
      let agreement = SampleAgreement(number, block: block, options, parties)
      if agreement.firstNight == night {
        writeRecord(of: agreement, "CREATE")
        writeRecord(of: agreement, "CONFIRM")
      } else if agreement.lastNight == night {
        writeRecord(of: agreement, "CANCEL")
      }
    }
  }

  /// Agreements are made the day before a night's first payments, whose times may be in time zones behind UTC.
  private mutating func writeRecord(of agreement: SampleAgreement, _ action: StaticString) {
    control.records += 1
    let day = options.day(ofNight: night - 1)
    text.append(#"{"type":"preapproval","preapprovalKey":"#)
    writeKey("PA", agreement.bits)
    text.append(#","action":"#)
    writeQuoted(action)
    text.append(",\"createdAt\":\"\(day.text)T\(action.description == "CREATE" ? "08" : "10"):15:00Z\"")
    if agreement.firstNight == night {
      text.append(#","senderEmail":"#)
      writeAddress(of: agreement.sender)
    }
    if action.description == "CREATE" {
      text.append(
        ",\"startingDate\":\"\(day.text)Z\",\"endingDate\":\"\(CalendarDay(number: day.number + 360).text)Z\"")
      text.append(#","currencyCode":"USD","maxTotalAmountOfAllPayments":"1000000000000""#)
      text.append(#","feesPayer":"\#(agreement.feesPayer == .sender ? "SENDER" : "EACHRECEIVER")""#)
    }
    text.append("}\n")
  }
}
