// Draws features of newer pages of the specification: splits, adjusted amounts, cards.
extension PaymentComposer {
  /// Gives a valid payment the features that are asked for; each is in about a third of all payments.
  ///
  /// The payment stays valid: no bearer of fees keeps less than before, and no part is zero.
  mutating func drawFeatures() {
    let isSplit = options.features.contains(.splits) && !draft.isSingle && random.chance(50)
    if isSplit {
      drawSplit()
    } else if options.features.contains(.amounts), draft.feePayer != .secondaryOnly, random.chance(50) {
      drawAdjustedAmounts()
    }
    draft.hasAddress = options.features.contains(.amounts) && random.chance(35)
    if options.features.contains(.cards), random.chance(33) {
      if draft.fundingSource != nil { draft.fundingSource = .card }
      draft.card = CardDraft(isKeyed: random.chance(40), hasNumber: random.chance(70), bits: random.next())
    }
    if options.features.contains(.preapprovals), random.chance(33) { drawAgreement() }
    if options.features.contains(.fees), random.chance(33) {
      for place in draft.receivers.indices { draft.receivers[place].category = random.any(of: Self.categories) }
    }
  }

  private static let categories: [StaticString] = ["books", "food", "garden", "music", "tools", "toys"]

  // MARK: Splits

  /// Makes the receivers divide the total. Fixed parts and percentages take at most what their receivers had, so that
  /// something is left for shares.
  private mutating func drawSplit() {
    guard let total = draft.controlAmount else { preconditionFailure("a payment whose amounts are not known") }
    let isChained = draft.kind == .chained
    let keptBefore = isChained ? total - draft.passedOn : 0
    if !isChained || random.chance(60) { draft.splitTotal = total }
    let places = draft.receivers.indices.filter { !draft.receivers[$0].isPrimary }
    // The receiver that takes what is left if no other does. If nil, all parts are fixed, or the primary keeps the
    // rest.
    let last = random.chance(isChained ? 60 : 90) ? random.any(of: places) : nil
    for place in places {
      let gross = draft.receivers[place].gross
      if place == last {
        draft.receivers[place].terms = TermsDraft(share: 1 + random.below(4))
      } else if isChained || last != nil {
        draft.receivers[place].terms = drawTerms(for: gross, of: total, isBounded: last == nil)
      }
      if draft.feePayer == .secondaryOnly { draft.receivers[place].terms?.minimum = gross }
    }
    guard let primary = draft.receivers.firstIndex(where: \.isPrimary), last != nil else { return }
    draft.receivers[primary].terms =
      random.chance(50)
      ? TermsDraft(share: 1, minimum: keptBefore)
      : TermsDraft(hundredths: keptBefore * 100 / total * 100, minimum: keptBefore)
  }

  /// Terms by which a receiver gets about as much as it had; nil keeps its fixed part.
  ///
  /// - Parameter isBounded: whether it may get no more than it had, because a primary keeps what is left.
  private mutating func drawTerms(for gross: UInt64, of total: UInt64, isBounded: Bool) -> TermsDraft? {
    let lot = random.below(100)
    if lot < 25 { return nil }
    let step: UInt64 = random.chance(60) ? 100 : 1
    let hundredths = gross * 10_000 / total / step * step
    var terms = lot < 60 && hundredths > 0 ? TermsDraft(hundredths: hundredths) : TermsDraft(share: 1 + random.below(4))
    if random.chance(25) { terms.minimum = gross / 2 }
    if terms.share != nil, isBounded || random.chance(25) { terms.maximum = gross }
    return terms
  }

  // MARK: Amounts

  /// Changes tax and shipping of some receivers, as a buyer's address would. The amounts of a primary only grow.
  private mutating func drawAdjustedAmounts() {
    for place in draft.receivers.indices {
      let receiver = draft.receivers[place]
      guard draft.kind != .chained || receiver.isPrimary, random.chance(75) else { continue }
      var adjusted = (subtotal: receiver.subtotal, tax: receiver.tax, shipping: receiver.shipping)
      adjusted.tax += receiver.subtotal * random.any(of: [0, 25, 100, 250]) / 10_000
      if random.chance(50) { adjusted.shipping += draft.currency.dollar * (1 + random.below(8)) / 2 }
      if !receiver.isPrimary, random.chance(20) { adjusted.subtotal += random.below(receiver.subtotal) }
      if !receiver.isPrimary, random.chance(15) { adjusted.tax = 0 }
      draft.receivers[place].adjusted = adjusted
    }
  }
}

// Writes the features.
extension PaymentComposer {
  /// The fields of the payment as a whole.
  mutating func writeFeatures() {
    if let agreement = draft.agreement {
      text.append(#","preapprovalKey":"#)
      writeKey("PA", agreement.bits)
    }
    if let total = draft.splitTotal { writeAmount(#","splitTotal":"#, total) }
    if draft.hasAddress { writeShippingAddress() }
    if let card = draft.card { writeCard(card) }
    writeAdjustedAmounts()
  }

  /// Writes the field that says how much of the total a receiver gets, or a primary keeps.
  mutating func writeTerms(_ terms: TermsDraft, isPrimary: Bool) {
    text.append(isPrimary ? #","keep":{"# : #","split":{"#)
    if let share = terms.share {
      text.append(#""share":"#)
      writeDecimal(share, decimals: 0)
    } else {
      text.append(#""percent":"#)
      writeDecimal(terms.hundredths, decimals: 2)
    }
    if let minimum = terms.minimum { writeAmount(#","min":"#, minimum) }
    if let maximum = terms.maximum { writeAmount(#","max":"#, maximum) }
    text.append("}")
  }

  private mutating func writeShippingAddress() {
    let country = country(of: draft.sender)
    text.append(#","shippingAddress":{"street1":""#)
    text.append(number: 1 + random.below(400))
    text.append(" Mill Lane\",\"city\":\"Ashford\",\"postalcode\":\"")
    text.append(number: random.below(100_000), digits: 5)
    text.append(#"""#)
    if random.chance(50) { text.append(#","state":"CA""#) }
    if let country { writeQuoted(#","countrycode":"#, country.code) }
    text.append("}")
  }

  private mutating func writeAdjustedAmounts() {
    guard draft.receivers.contains(where: { $0.adjusted != nil }) else { return }
    if random.chance(20) { text.append(#","amountErrorCode":"AMOUNT_ERROR_NONE""#) }
    text.append(draft.isSingle ? #","adjustedAmounts":"# : #","adjustedAmounts":["#)
    var isFirst = true
    for receiver in draft.receivers {
      guard let adjusted = receiver.adjusted else { continue }
      if !isFirst { text.append(",") }
      isFirst = false
      if !draft.isSingle {
        text.append(#"{"recipient":"#)
        writeAddress(of: receiver.party)
        text.append(#","amounts":"#)
      }
      writeAmount(#"{"payment_amount":"#, adjusted.subtotal)
      // An absent amount is zero.
      if adjusted.tax > 0 || random.chance(50) { writeAmount(#","tax":"#, adjusted.tax) }
      if adjusted.shipping > 0 || random.chance(50) { writeAmount(#","shipping":"#, adjusted.shipping) }
      if random.chance(30) { writeQuoted(#","currency":"#, draft.currency.currency.code) }
      text.append(draft.isSingle ? "}" : "}}")
    }
    if !draft.isSingle { text.append("]") }
  }

  /// Prefixes of the card brands' test numbers, and the numbers' lengths.
  private static let cardBeginnings: [(digits: String, length: Int)] = [
    ("411111", 16), ("401288", 16), ("555555", 16), ("222300", 16), ("601111", 16), ("353011", 16), ("378282", 15),
    ("305693", 14),
  ]

  private mutating func writeCard(_ card: CardDraft) {
    text.append(card.isKeyed ? #","card":{"entry":"KEYED""# : #","card":{"entry":"SWIPED""#)
    if card.hasNumber {
      let (beginning, length) = Self.cardBeginnings[Int(card.bits & 7)]
      var digits = beginning.compactMap(\.wholeNumberValue)
      while digits.count < length - 1 { digits.append(random.below(10)) }
      // Luhn's sum: from the right every second digit is doubled, beginning with the last digit so far.
      var sum = 0
      for (place, digit) in digits.reversed().enumerated() {
        let value = place % 2 == 0 ? 2 * digit : digit
        sum += value / 10 + value % 10
      }
      text.append(#","cardNumber":""#)
      for digit in digits + [(10 - sum % 10) % 10] { text.append(number: UInt64(digit)) }
      // A card is valid until the end of its month, which is that of the payments or a later one.
      let month = options.firstCardMonth(ofNight: night) + card.bits >> 8 % 60
      text.append(#"","expirationDate":""#)
      text.append(number: month % 12 + 1, digits: 2)
      if card.bits >> 16 & 1 == 0 { text.append("/") }
      text.append(number: month / 12 - (card.bits >> 17 & 1 == 0 ? 2000 : 0), digits: 2)
      text.append(#"""#)
      if card.isKeyed {
        text.append(#","cvv2":""#)
        text.append(number: random.below(length == 15 ? 10_000 : 1000), digits: length == 15 ? 4 : 3)
        text.append(#"""#)
      }
    }
    if card.isKeyed, random.chance(50) {
      text.append(#","postalCode":""#)
      text.append(number: random.below(100_000), digits: 5)
      text.append(#"""#)
    }
    text.append("}")
  }
}
