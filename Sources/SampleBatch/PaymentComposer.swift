import Input
import Money
import Records
import Text

/// Makes the payments of a block: each is drawn (`PaymentDraft`), spoilt where it is to be defective, and written.
struct PaymentComposer {
  /// Room for any record but one over the limit: seven receivers with six items each take far less.
  static let recordRoom = 64 << 10

  let seed: UInt64
  let payments: Int
  let parties: SampleParties
  let currencies: SampleCurrencies
  let vocabulary = SampleVocabulary.shared
  var random: SampleRandom
  var draft = PaymentDraft()
  var pen = RecordWriter()
  /// The place of the fault in the object that is being written.
  var faultHere = FieldPlace.nowhere

  /// Writes payment `index` and its line end at the end of `text`, and counts its control amount.
  mutating func compose(
    _ index: Int, defect: DefectPlan.Assignment?, into text: inout TextBuffer, totals: inout SampleTotals
  ) {
    draft.reset(index: index)
    draw(DraftDemand(defect))
    if let defect { spoil(defect) }
    let isLong = defect?.defect == .recordTooLong
    let room = PaymentComposer.recordRoom + (isLong ? PaymentComposer.longRecord : 0)
    let start = text.reserve(room)
    pen = RecordWriter(start: start, room: room)
    writeRecord(defect)
    pen.write("\n")
    text.advance(by: pen.at - start)
    if let amount = draft.controlAmount, defect?.defect.isStructural != true, defect?.defect != .paymentShape {
      totals.add(amount, in: draft.currency)
    }
  }
}

/// What a defect asks of the payment it is to be in.
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

// Drawing what stands at the top of a payment.
extension PaymentComposer {
  mutating func draw(_ demand: DraftDemand) {
    drawKind(demand)
    drawCurrency(demand)
    drawState()
    let isPersonal = draft.kind != .chained && !demand.hasItems && random.chance(12)
    drawSender(isPersonal: isPersonal)
    if draft.kind == .chained {
      drawChain(demand)
    } else {
      drawReceivers(demand, isPersonal: isPersonal)
      drawFeePayer(isPersonal: isPersonal)
    }
  }

  private mutating func drawKind(_ demand: DraftDemand) {
    let lot = random.below(100)
    draft.kind = demand.kind ?? (lot < 45 ? .simple : lot < 75 ? .parallel : .chained)
    draft.isSingle = draft.kind == .simple && (demand.isSingle ?? random.chance(75))
  }

  private mutating func drawCurrency(_ demand: DraftDemand) {
    if demand.isInCountryOnly {
      draft.currency = currencies.anyInCountryOnly(&random)
    } else {
      draft.currency = demand.isInDollars ? .usd : currencies.any(&random)
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
    if let only = currencies.onlyCountry(of: draft.currency) { return only }
    let particulars = party?.particulars ?? random.next()
    if particulars % 31 == 5 { return Country(index: Int(particulars >> 8) % Country.count) }
    let code = vocabulary.countries[Int(particulars >> 8 & 0xFFFF) % vocabulary.countries.count]
    return Country.find(code.slot, count: code.count)
  }
}
