import ExactArithmetic
import Input
import Money
import Postings
import Records

/// What a record is worth by itself (`rules.md`): what it is, what became of it, and what is found in it. Whether the
/// ledger and other records grant its claims is not known here.
///
/// It is good until its judge is given the next record: texts are in that record's line, and the room of figures and
/// postings is used again.
public struct Judgement: ~Copyable {
  @usableFromInline var record: RecordReader
  /// What became of the record.
  public internal(set) var outcome = Outcome.rejected
  /// The pay key; its length is 0 if there is no valid one. A refund's is its payment's.
  public internal(set) var payKey: RecordText
  /// The key of a refund, likewise.
  public internal(set) var refundKey: RecordText
  /// The key of the agreement that a preapproval or a payment names, likewise.
  public internal(set) var preapprovalKey: RecordText
  /// The sender's account in lower case; its length is 0 if none is given or it is not valid.
  public internal(set) var sender: RecordText
  /// What a refund asks for; of one without errors.
  public internal(set) var refundTerms: RefundTerms?
  /// What a record of type preapproval says; of one without errors.
  public internal(set) var agreementRecord: AgreementRecord?
  /// The kind; nil if no kind has such receivers.
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
  /// Whether the record has a control amount.
  public internal(set) var hasControlAmount = false
  /// What the record counts for in the control totals; meaningless if `hasControlAmount` is false.
  public internal(set) var controlAmount = ExactDecimal.zero
  /// What the sender sends, without fees; of a record without errors, as those below.
  public internal(set) var senderAmount = ExactDecimal.zero
  /// The fees that the sender bears.
  public internal(set) var senderFees = ExactDecimal.zero
  /// All fees.
  public internal(set) var fees = ExactDecimal.zero
  /// The sum of the receivers' net.
  public internal(set) var receiverNet = ExactDecimal.zero
  @usableFromInline var receivers = ReceiverList()
  /// What the receivers are together.
  var tally = ReceiverTally()
  var split = SplitCheck()

  init(_ rules: SettlementRules, listsNotices: Bool, widthLimit: Int) {
    record = RecordReader(unknownFields: rules.unknownFields, listsNotices: listsNotices, widthLimit: widthLimit)
    payKey = RecordText(bytes: record.line, count: 0)
    refundKey = payKey
    preapprovalKey = payKey
    sender = payKey
  }

  /// Makes it that of a record of which nothing is known.
  @inline(__always)
  mutating func reset() {
    record.reset()
    outcome = .rejected
    payKey.count = 0
    refundKey.count = 0
    preapprovalKey.count = 0
    sender.count = 0
    if refundTerms != nil { refundTerms = nil }
    if agreementRecord != nil { agreementRecord = nil }
    kind = nil
    status = nil
    feePayer = nil
    fundingSource = nil
    card = nil
    senderCountry = nil
    hasControlAmount = false
    receivers.count = 0
    split.isGiven = false
  }

  /// Gives the record its outcome, or puts its errors in order.
  @inline(__always)
  mutating func conclude(_ outcome: Outcome) {
    if record.findings.errors.isEmpty {
      self.outcome = outcome
    } else if record.findings.errors.count > 1 {
      record.sortFindings()
    }
  }

  // MARK: What is found

  /// What the record is; of one that is not an object, or of no known type, a payment.
  @inlinable public var recordType: RecordType { record.type }

  /// The errors, in the order of `exceptions.csv`.
  @inlinable public var findings: [Finding] { record.findings.errors }

  /// The notices, if they are listed, in no particular order.
  @inlinable public var notices: [NoticeFinding] { record.findings.notices }

  /// How often a notice was given.
  public func count(of notice: Notice) -> Int { record.findings.counts[Int(notice.rawValue)] }

  /// The currency, nil if it is not valid.
  @inlinable public var currency: Currency? { record.currency }

  /// Whether the record has a field of a header, trailer or payment twice.
  public var hasDuplicateField: Bool { record.scanner.hasDuplicateField }

  // MARK: Receivers and postings

  /// The number of receivers, objects or not.
  @inlinable public var receiverCount: Int { receivers.count }

  /// The receivers whose figures are known, from the first on; of more than six, five.
  public var explainableReceivers: Int {
    // An element that is not an object has no row; without a shape there are rows but no receivers.
    let isSingle = record.scanner.field(.receiverPaymentDetails).isAbsent
    let count = isSingle ? receivers.count : min(receivers.count, record.scanner.rowCount - 1)
    return count > PaymentKind.maximumReceivers ? PaymentKind.maximumReceivers - 1 : count
  }

  /// The figures of a receiver, by its place among the receivers (0-5).
  @inlinable
  public func receiver(_ place: Int) -> UnsafePointer<ReceiverFigures> {
    precondition(place >= 0 && place < min(receivers.count, PaymentKind.maximumReceivers))
    return UnsafePointer(receivers.figures + place)
  }

  /// Whether fees were assessed: on a payment without errors, or with the one that the fees are too high.
  public var hasFees: Bool { recordType == .payment && findings.allSatisfy { $0.reason == .feesExceedAmount } }

  /// What the primary receiver of a chained payment passes on; nil if that is not known, or of another kind.
  public var chainPassedOn: ExactDecimal? {
    kind == .chained && tally.allGrossValid ? tally.gross - tally.primaryGross : nil
  }

  /// What the settled payment comes to.
  @inlinable public var entry: SettledEntry {
    SettledEntry(
      payKey: payKey.bytes, payKeyLength: payKey.count, kind: kind!, currency: record.currency!,
      postings: UnsafeBufferPointer(start: receivers.postings, count: 1 + receivers.count))
  }

  /// The texts of the settled record.
  public var texts: EntryTexts {
    EntryTexts(
      line: record.line, fields: record.scanner.rows, receivers: UnsafePointer(receivers.figures),
      isRefund: recordType == .refund)
  }
}
