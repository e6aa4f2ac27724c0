import ExactArithmetic
import Money
import Records
import Text

/// Makes the payments of a block: each is drawn (`PaymentDraft`), given its defect if it has one, and written.
struct PaymentComposer: ~Copyable {
  let options: SampleBatchOptions
  let parties: SampleParties
  var random: SampleRandom
  var draft = PaymentDraft()
  /// The place of the fault in the object that is being written.
  var faultHere = FieldPlace.nowhere
  /// The text written so far.
  var text = TextBuffer(capacity: 4 << 20)
  /// The trailer's numbers for that text.
  var control = SampleControl()
  /// The night whose payments are drawn.
  private(set) var night = 0
  /// The seed from which they are drawn.
  private(set) var seed: UInt64 = 0
  /// The day of these payments.
  private(set) var day = ""

  /// Call `restart` before the first payment.
  init(_ options: SampleBatchOptions) {
    self.options = options
    parties = SampleParties(accounts: options.accounts)
    random = SampleRandom(seed: 0, block: 0)
  }

  /// Begins a new block.
  mutating func begin() {
    text.removeAll()
    control = SampleControl()
  }

  /// Goes to the first payment of a block, and starts its random generator.
  mutating func restart(night: Int, block: Int) {
    self.night = night
    seed = options.seed(ofNight: night)
    day = options.day(ofNight: night).text
    random = SampleRandom(seed: seed, block: block)
  }

  /// Writes payment `index` and its line end, counts its control amount, and writes its refund if any. For a payment of
  /// an earlier night it writes only the refund.
  mutating func compose(_ index: Int, defect: DefectPlan.Assignment?) {
    draft = PaymentDraft(index: index)
    let start = text.count
    draw(DraftDemand(defect))
    if let defect {
      spoil(defect)
    } else if !options.features.isEmpty {
      drawFeatures()
    }
    writeRecord(defect)
    if night < options.night {
      text.truncate(to: start)
      if defect == nil { writeRefund() }
      return
    }
    control.records += 1
    if let amount = draft.controlAmount, amount > 0, defect?.defect.isStructural != true,
      defect?.defect != .paymentShape
    {
      let currency = draft.currency.currency
      control.totals[currency, default: .zero] += ExactDecimal(
        magnitude: amount, exponent: -currency.settlementExponent)
    }
    if defect == nil, options.features.contains(.refunds) { writeRefund() }
  }
}

/// What a defect needs of its payment.
struct DraftDemand {
  var kind: PaymentKind?
  var receivers: Int?
  var isSingle: Bool?
  var hasItems = false
  var hasNoPrimaryInvoice = false
  var feePayer: FeePayer?
  var isInCountryOnly = false
  var isInDollars = false
}

// Draws the top-level fields of a payment.
extension PaymentComposer {
  mutating func draw(_ demand: DraftDemand) {
    drawKind(demand)
    drawCurrency(demand)
    drawState()
    let isPersonal = draft.kind != .chained && !demand.hasItems && random.chance(12)
    drawSender(isPersonal: isPersonal)
    drawReceivers(demand, isPersonal: isPersonal)
    if draft.kind == .chained { drawPrimary(demand) } else { drawFeePayer(isPersonal: isPersonal) }
  }

  private mutating func drawKind(_ demand: DraftDemand) {
    let lot = random.below(100)
    draft.kind = demand.kind ?? (lot < 45 ? .simple : lot < 75 ? .parallel : .chained)
    draft.isSingle = draft.kind == .simple && (demand.isSingle ?? random.chance(75))
  }

  private mutating func drawCurrency(_ demand: DraftDemand) {
    if demand.isInCountryOnly {
      draft.currency = random.any(of: SampleCurrency.inCountryOnly)
    } else if !demand.isInDollars {
      draft.currency = random.any(of: SampleCurrency.weighted)
    }
  }

  private mutating func drawState() {
    let lot = random.below(1000)
    draft.status = lot < 950 ? .completed : lot < 980 ? .created : .other
    let source = random.below(100)
    draft.fundingSource = source < 30 ? nil : source < 50 ? .balance : source < 70 ? .bank : .card
    draft.hasCreatedAt = random.chance(96)
    draft.hasMemo = random.chance(55)
    draft.hasNotificationURL = random.chance(70)
  }

  private mutating func drawSender(isPersonal: Bool) {
    if random.chance(85) { draft.sender = parties.person(&random) }
    if random.chance(isPersonal ? 75 : 55) { draft.senderCountry = country(of: draft.sender) }
  }

  private mutating func drawFeePayer(isPersonal: Bool) {
    let lot = random.below(100)
    if lot < (isPersonal ? 45 : 20) {
      draft.feePayer = .sender
    } else if lot < 70 {
      draft.feePayer = .eachReceiver
    }
  }

  /// The country of a party, or the only one that the payment's currency allows.
  mutating func country(of party: SampleParty?) -> Country? {
    if let only = draft.currency.onlyCountry { return only }
    let particulars = party?.particulars ?? random.next()
    if particulars % 31 == 5 { return Country(index: Int(particulars >> 8) % Country.count) }
    return SampleVocabulary.countries[Int(particulars >> 8 & 0xFFFF) % SampleVocabulary.countries.count]
  }
}
