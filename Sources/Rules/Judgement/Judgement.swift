import ExactArithmetic
import Input
import Money
import Postings
import Records
import Text

/// What a record is worth by itself (`rules.md`): what it is, what became of it, and what is found in it. Whether the
/// ledger and other records grant its claims is not known here.
///
/// It is good until its judge is given the next record: texts are in that record's line, and buffers are reused.
public struct Judgement: ~Copyable {
  /// What decides what records become.
  let rules: SettlementRules
  /// Whether notices are listed one by one, not only counted.
  let listsNotices: Bool

  static let noticeKinds = Notice.allCases.count

  var scanner: RecordScanner
  let foreignFields = RecordFields(RecordType.payment.foreignFields)
  let singleShapeFields = RecordFields(RecordField.ofSingleShape)
  /// What the scanner made of the line.
  var form = RecordForm.malformed
  var line: UnsafePointer<UInt8>
  var scratch: UnsafeMutablePointer<UInt8>
  var scratchCapacity = 1 << 16
  var scratchUsed = 0

  // MARK: The result

  /// What became of the record.
  public internal(set) var outcome = Outcome.rejected
  /// What the record is; of one that is no object, a payment.
  public internal(set) var recordType = RecordType.payment
  /// Whether `type` is one of the list.
  var isTypeKnown = true
  /// Whether the record is a payment without a structural error: only such have a kind, receivers and so on.
  public internal(set) var isPayment = false
  /// The errors, in the order of `exceptions.csv`.
  public internal(set) var findings: [Finding] = []
  /// How often each notice was given, by `Notice.rawValue`.
  let noticeCounts: UnsafeMutablePointer<Int>
  /// The notices, if they are listed, in no particular order.
  public internal(set) var notices: [NoticeFinding] = []
  /// The pay key; its length is 0 if there is no valid one. A refund's is its payment's.
  public internal(set) var payKey: (bytes: UnsafePointer<UInt8>, count: Int)
  /// The key of a refund, likewise.
  public internal(set) var refundKey: (bytes: UnsafePointer<UInt8>, count: Int)
  /// The key of the agreement that a preapproval or a payment names, likewise.
  public internal(set) var preapprovalKey: (bytes: UnsafePointer<UInt8>, count: Int)
  /// What a refund asks for; of one without errors.
  public internal(set) var refundTerms: RefundTerms?
  /// What a record of type preapproval says; of one without errors.
  public internal(set) var agreementRecord: AgreementRecord?
  /// The sender's account in lower case; its length is 0 if none is given or it is not valid.
  public internal(set) var sender: (bytes: UnsafePointer<UInt8>, count: Int)
  /// The currency, nil if it is not valid.
  public internal(set) var currency: Currency?
  /// The kind, nil if the receivers are none that a kind has.
  public internal(set) var kind: PaymentKind?
  /// The status, nil if it is not valid.
  public internal(set) var status: PaymentStatus?
  /// The fee payer, nil if it is not valid.
  public internal(set) var feePayer: FeePayer?
  /// The funding source, nil if it is not valid.
  public internal(set) var fundingSource: FundingSource?
  /// The payment's card, nil if there is none.
  public internal(set) var card: PaymentCard?
  /// The sender's country, nil if it is not given or not valid.
  public internal(set) var senderCountry: Country?
  /// What the payment counts for in the control totals; meaningless if `hasControlAmount` is false.
  public internal(set) var controlAmount = ExactDecimal.zero
  /// Whether the record has a control amount.
  public internal(set) var hasControlAmount = false
  /// What the sender sends, without fees; of a record without errors.
  public internal(set) var senderAmount = ExactDecimal.zero
  /// The fees that the sender bears; of a record without errors.
  public internal(set) var senderFees = ExactDecimal.zero
  /// All fees; of a record without errors.
  public internal(set) var fees = ExactDecimal.zero
  /// The sum of the receivers' net; of a record without errors.
  public internal(set) var receiverNet = ExactDecimal.zero
  /// The number of receivers, objects or not.
  public internal(set) var receiverCount = 0

  /// What the sender gives and the first six receivers get; of a record that is settled.
  let postings: UnsafeMutablePointer<Posting>
  /// The figures of the first six receivers.
  @usableFromInline let receivers: UnsafeMutablePointer<ReceiverFigures>
  /// What the receivers of the record are together.
  let tally: UnsafeMutablePointer<ReceiverTally>
  /// Whether the payment is split.
  public internal(set) var isSplit = false
  /// What its receivers are together then.
  let split: UnsafeMutablePointer<SplitTally>
  /// The parts of its first six receivers.
  let splitParts: UnsafeMutablePointer<SplitPart>
  /// The adjusted amounts of its receivers.
  let adjusted: UnsafeMutablePointer<AdjustedAmounts>
  /// The profile that the payment names.
  var profile = NamedProfile.none
  /// The line of a payment that names a profile, with the profile's receivers in it.
  var profileLine = TextBuffer()
  /// The figures of the item that is checked.
  let itemCheck: UnsafeMutablePointer<ItemCheck>
  let prices: PriceTable
  var seenAccounts: Set<AccountText> = []
  /// Figures that messages show, two a finding.
  var figures: [ExactDecimal] = []

  init(rules: SettlementRules, listsNotices: Bool, widthLimit: Int) {
    scanner = RecordScanner(widthLimit: widthLimit)
    self.rules = rules
    self.listsNotices = listsNotices
    scratch = .allocate(capacity: scratchCapacity)
    line = UnsafePointer(scratch)
    payKey = (line, 0)
    refundKey = (line, 0)
    preapprovalKey = (line, 0)
    sender = (line, 0)
    noticeCounts = .allocate(capacity: Self.noticeKinds)
    noticeCounts.initialize(repeating: 0, count: Self.noticeKinds)
    tally = .allocate(capacity: 1)
    tally.initialize(to: ReceiverTally())
    split = .allocate(capacity: 1)
    split.initialize(to: SplitTally())
    splitParts = .allocate(capacity: PaymentKind.maximumReceivers + 1)
    splitParts.initialize(repeating: SplitPart(.fixed), count: PaymentKind.maximumReceivers + 1)
    adjusted = .allocate(capacity: 1)
    adjusted.initialize(to: AdjustedAmounts())
    itemCheck = .allocate(capacity: 1)
    itemCheck.initialize(to: ItemCheck())
    prices = PriceTable(rules.schedule)
    postings = .allocate(capacity: 1 + PaymentKind.maximumReceivers)
    postings.initialize(repeating: Posting(account: line), count: 1 + PaymentKind.maximumReceivers)
    postings.pointee.role = .sender
    receivers = .allocate(capacity: PaymentKind.maximumReceivers)
    for place in 0..<PaymentKind.maximumReceivers {
      (receivers + place).initialize(to: ReceiverFigures(posting: postings + 1 + place))
    }
  }

  deinit {
    scratch.deallocate()
    noticeCounts.deallocate()
    tally.deinitialize(count: 1)
    tally.deallocate()
    split.deinitialize(count: 1)
    split.deallocate()
    splitParts.deinitialize(count: PaymentKind.maximumReceivers + 1)
    splitParts.deallocate()
    adjusted.deinitialize(count: 1)
    adjusted.deallocate()
    itemCheck.deinitialize(count: 1)
    itemCheck.deallocate()
    prices.deallocate()
    receivers.deinitialize(count: PaymentKind.maximumReceivers)
    receivers.deallocate()
    postings.deinitialize(count: 1 + PaymentKind.maximumReceivers)
    postings.deallocate()
  }

  /// The figures of a receiver, by its place among the receivers (0-5): good until the next record is judged.
  @inlinable
  public func receiver(_ place: Int) -> UnsafePointer<ReceiverFigures> {
    precondition(place >= 0 && place < min(receiverCount, PaymentKind.maximumReceivers))
    return UnsafePointer(receivers + place)
  }

  /// What the settled record comes to; good until the next record is judged.
  public var entry: SettledEntry {
    SettledEntry(
      payKey: payKey.bytes, payKeyLength: payKey.count, kind: kind.unsafelyUnwrapped,
      currency: currency.unsafelyUnwrapped, postings: UnsafeBufferPointer(start: postings, count: 1 + receiverCount))
  }

  /// Whether the record has a header's or trailer's or payment's field twice.
  public internal(set) var hasDuplicateField = false

  /// How often a notice was given.
  public func count(of notice: Notice) -> Int { noticeCounts[Int(notice.rawValue)] }
}
