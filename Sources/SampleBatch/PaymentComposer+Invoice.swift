// Draws amounts and the items of invoices.
extension PaymentComposer {
  /// A price in the payment's currency, above zero: mostly small, sometimes large.
  ///
  /// Its logarithm is the sum of four uniform draws and so roughly normal: sixteenths of an octave around 20 dollars.
  mutating func drawPrice() -> UInt64 { price(from: random.next()) }

  private func price(from bits: UInt64) -> UInt64 {
    let sum = (bits & 63) + (bits >> 6 & 63) + (bits >> 12 & 63) + (bits >> 18 & 63)
    let level = sum + 48
    let octave = PaymentComposer.sixteenths[Int(level & 15)] << (level >> 4)
    let cents = (octave >> 12) + (bits >> 24 & 0xFFFF) * (octave >> 16) >> 16
    let dollar = draft.currency.dollar
    return max(5, ended(cents * dollar / 100, dollar: dollar, lot: bits >> 56))
  }

  /// 2 to the powers of 0/16 to 15/16, in 4096ths.
  private static let sixteenths: [UInt64] = [
    4096, 4277, 4467, 4664, 4871, 5087, 5312, 5547, 5793, 6049, 6317, 6597, 6889, 7194, 7513, 7845,
  ]

  /// A price with an ending that shops like: `.99`, `.50`, round.
  private func ended(_ amount: UInt64, dollar: UInt64, lot: UInt64) -> UInt64 {
    let unit: UInt64 =
      draft.currency.currency.settlementExponent == 0 ? 10 : dollar > 500 && amount > 10_000 ? 1000 : 100
    guard amount > unit else { return amount }
    let whole = amount - amount % unit
    switch lot {
    case 0..<70: return whole + unit - 1
    case 70..<100: return whole + unit - unit / 20
    case 100..<150: return whole
    case 150..<175: return whole + unit / 2
    default: return amount
    }
  }

  /// Draws the subtotal of a receiver that is not primary, and its invoice if it has one.
  mutating func drawInvoice(_ receiver: inout ReceiverDraft, isPersonal: Bool, mustHaveItems: Bool) {
    let lot = random.below(100)
    guard mustHaveItems || !isPersonal && lot < 78 else {
      receiver.subtotal = drawPrice()
      return
    }
    receiver.hasInvoice = true
    if !mustHaveItems, lot < 4 {
      receiver.subtotal = drawPrice()
    } else {
      receiver.items = (0..<drawItemCount()).map { _ in drawItem(of: receiver.party) }
      receiver.subtotal = receiver.items.reduce(0) { $0 + $1.total }
    }
    if random.chance(55) {
      receiver.tax = receiver.subtotal * random.any(of: PaymentComposer.taxRates) / 10_000
    }
    if random.chance(45) {
      receiver.shipping = draft.currency.dollar * UInt64(8 + random.below(60)) / 4
    }
  }

  /// Draws the invoice of a primary: an item for each secondary, and one for what the primary charges itself.
  mutating func drawPrimaryInvoice(_ primary: inout ReceiverDraft, kept: UInt64) {
    primary.hasInvoice = true
    primary.items = draft.receivers.map { receiver in
      ItemDraft(price: receiver.gross, total: receiver.gross, article: drawArticle(of: receiver.party))
    }
    if kept > 0 {
      primary.items.append(ItemDraft(price: kept, total: kept, article: drawArticle(of: primary.party)))
    }
    if draft.feePayer != .secondaryOnly, random.chance(25) {
      primary.tax = kept * random.any(of: PaymentComposer.taxRates) / 10_000
    }
  }

  /// In hundredths of a percent.
  private static let taxRates: [UInt64] = [500, 600, 700, 725, 825, 887, 1000, 1300, 1900, 2000, 2100, 2500]

  private mutating func drawItemCount() -> Int {
    let lot = random.below(100)
    return lot < 42 ? 1 : lot < 68 ? 2 : lot < 83 ? 3 : lot < 92 ? 4 : lot < 97 ? 5 : 6
  }

  /// One of the articles of a merchant. Some sell far better than others, and shops of one kind sell the same articles.
  private mutating func drawArticle(of party: SampleParty) -> UInt64 {
    SampleRandom.mixed(UInt64(shopKind(of: party)) << 8 | random.rank(below: 10))
  }

  /// What a merchant sells: an index in the table of kinds.
  @inline(__always)
  func shopKind(of party: SampleParty) -> Int {
    Int(party.particulars >> 20 & 0xFFF) % SampleVocabulary.shopKinds.count
  }

  private mutating func drawItem(of party: SampleParty) -> ItemDraft {
    let article = drawArticle(of: party)
    // Most articles have a fixed price.
    var item = ItemDraft(price: random.chance(80) ? price(from: SampleRandom.mixed(article)) : drawPrice())
    item.article = article
    let lot = random.below(100)
    switch lot {
    case 0..<60: break
    case 60..<86: item.count = UInt64(2 + random.below(4))
    case 86..<90: item.count = UInt64(6 * (1 + random.below(24)))
    case 90..<94:
      // By weight: 0.25 or more.
      item.count = UInt64(25 * (1 + random.below(40)))
      item.countDecimals = 2
    case 94..<96:
      item.count = UInt64(500 + random.below(40_000))
      item.countDecimals = 3
    default:
      // By the piece, at a price with more decimals than the currency: 0.0425.
      item.count = UInt64(100 * (1 + random.below(50)))
      item.priceDecimals = 2
    }
    item.total = item.product
    if random.chance(8) { item.total -= item.total / UInt64(5 + random.below(16)) }
    return item
  }
}
