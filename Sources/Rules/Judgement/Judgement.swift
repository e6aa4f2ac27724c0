import BasicContainers
import ExactArithmetic
import Money
import Postings
import Records
import Text

/// The result of judging a record on its own (`rules.md`): what it is, its outcome, and its findings. Whether the
/// ledger and other records grant its claims is not known here.
///
/// Valid until its judge gets the next record: texts are in that record's line, and the memory of figures and postings
/// is reused.
public struct Judgement: ~Copyable {
  @usableFromInline var record: RecordReader
  /// Where the texts are that have properties below.
  @usableFromInline var places = Texts()
  /// The record's outcome.
  public internal(set) var outcome = Outcome.rejected
  /// What a refund without errors asks for.
  public internal(set) var refundTerms: RefundTerms?
  /// The contents of a record of type preapproval without errors.
  public internal(set) var agreementRecord: AgreementRecord?
  /// The kind; nil if no kind of payment has such receivers.
  public internal(set) var kind: PaymentKind?
  /// The status, nil if it is not valid.
  public internal(set) var status: PaymentStatus?
  /// The fee payer, nil if it is not valid.
  public internal(set) var feePayer: FeePayer?
  /// The funding source, nil if it is not valid.
  public internal(set) var fundingSource: FundingSource?
  /// The payment's card, or nil.
  public internal(set) var card: PaymentCard?
  /// The sender's country, nil if it is absent or not valid.
  public internal(set) var senderCountry: Country?
  /// Whether the record has a control amount.
  public internal(set) var hasControlAmount = false
  /// The amount that the record adds to the control totals; meaningless if `hasControlAmount` is false.
  public internal(set) var controlAmount = ExactDecimal.zero
  /// What the sender sends, without fees. This and the figures below are set for records without errors.
  public internal(set) var senderAmount = ExactDecimal.zero
  public internal(set) var senderFees = ExactDecimal.zero
  public internal(set) var fees = ExactDecimal.zero
  public internal(set) var receiverNet = ExactDecimal.zero
  @usableFromInline var receivers: ReceiverList
  /// The combined facts about the receivers.
  var tally = ReceiverTally()
  var split = SplitCheck()
  var sharedTypes = SharedTypes()

  init(_ rules: SettlementRules, showsNames: Bool, listsNotices: Bool, widthLimit: Int) {
    receivers = ReceiverList(names: showsNames ? rules.schedule.shownNames : [])
    record = RecordReader(rules, listsNotices: listsNotices, widthLimit: widthLimit)
  }

  /// Resets it for a record that was not read yet.
  @inline(__always)
  mutating func reset() {
    record.reset()
    outcome = .rejected
    places = Texts()
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
    receivers.chargedCount = 0
    split.isGiven = false
    if sharedTypes.areGiven { sharedTypes = SharedTypes() }
  }

  /// Sets the record's outcome, or sorts its errors.
  @inline(__always)
  mutating func conclude(_ outcome: Outcome) {
    if record.findings.errors.isEmpty {
      self.outcome = outcome
    } else if record.findings.errors.count > 1 {
      record.sortFindings()
    }
  }

  // MARK: Texts

  /// Where texts of the record are; an empty one is absent or not valid.
  @usableFromInline
  struct Texts {
    @usableFromInline var payKey = RecordText.none
    @usableFromInline var refundKey = RecordText.none
    @usableFromInline var preapprovalKey = RecordText.none
    @usableFromInline var sender = RecordText.none

    init() {}
  }

  /// The pay key; empty if there is no valid one. For a refund, its payment's.
  @inlinable
  public var payKey: Span<UInt8> { @inline(__always) @_lifetime(borrow self) get { record[places.payKey] } }
  /// The key of a refund; empty if there is no valid one.
  @inlinable
  public var refundKey: Span<UInt8> { @inline(__always) @_lifetime(borrow self) get { record[places.refundKey] } }
  /// The key of the agreement that a preapproval or a payment names; empty if there is no valid one.
  @inlinable
  public var preapprovalKey: Span<UInt8> {
    @inline(__always) @_lifetime(borrow self) get { record[places.preapprovalKey] }
  }
  /// The sender's account in lower case; empty if it is absent or not valid.
  @inlinable
  public var sender: Span<UInt8> { @inline(__always) @_lifetime(borrow self) get { record[places.sender] } }
  /// A receiver's account in lower case, by its place among the receivers (0-5); empty if it is not valid.
  @inlinable @inline(__always) @_lifetime(borrow self)
  public func account(of place: Int) -> Span<UInt8> {
    record.copies.span.extracting(receivers.postings[1 + place].account)
  }

  // MARK: What is found

  /// The record's type; payment if it is not an object or its type is unknown.
  @inlinable public var recordType: RecordType { record.type }

  /// The errors, in the order of `exceptions.csv`.
  @inlinable public var findings: [Finding] { record.findings.errors }

  /// The notices, if they are listed, in no particular order.
  @inlinable public var notices: [NoticeFinding] { record.findings.notices }

  /// How often a notice was given.
  public func count(of notice: Notice) -> Int { record.findings.counts[Int(notice.number)] }

  /// The currency, nil if it is not valid.
  @inlinable public var currency: Currency? { record.currency }

  /// Whether the record has a field of a header, trailer or payment twice.
  public var hasDuplicateField: Bool { record.scanner.hasDuplicateField }

  // MARK: Receivers and postings

  /// The number of receivers, including those that are not objects.
  @inlinable public var receiverCount: Int { receivers.count }

  /// The number of receivers, from the first on, whose figures are known; 5 if there are more than 6.
  public var explainableReceivers: Int {
    // An element that is not an object has no row; without a shape there are rows but no receivers.
    let isSingle = record.scanner.field(.receiverPaymentDetails).isAbsent
    let count = isSingle ? receivers.count : min(receivers.count, record.scanner.rowCount - 1)
    return count > PaymentKind.maximumReceivers ? PaymentKind.maximumReceivers - 1 : count
  }

  /// The figures of a receiver, by its place among the receivers (0-5).
  public func receiver(_ place: Int) -> ReceiverFigures {
    precondition(place < receivers.count)
    return receivers.figures[place]
  }

  /// The posting of a receiver, by its place among the receivers (0-5).
  public func posting(of place: Int) -> Posting {
    precondition(place < receivers.count)
    return receivers[postingOf: place]
  }

  /// What the receivers of the settled payment were charged by name, in their order; empty if the night shows no names.
  @inlinable
  public var charges: Span<ChargedFee> {
    @inline(__always) @_lifetime(borrow self) get { receivers.charged.span.extracting(first: receivers.chargedCount) }
  }

  /// The name of a charge.
  @_lifetime(borrow self)
  public func name(ofCharge place: Int) -> Span<UInt8> { receivers.names[receivers.charged[place].name] }

  /// The index among the postings of the party that bears the fees of the receiver at a place.
  public func bearer(of place: Int) -> Int {
    switch feePayer! {
    case .eachReceiver: return 1 + place
    case .sender: return receivers.figures[place].isOverridden ? 1 + place : 0
    case .primaryReceiver, .secondaryOnly:
      var party = 1
      while receivers.figures[party - 1].isPrimary != (feePayer == .primaryReceiver) { party += 1 }
      return party
    }
  }

  /// Whether fees were assessed: the payment has no errors, or only the error that its fees are too high.
  public var hasFees: Bool { recordType == .payment && findings.allSatisfy { $0.reason == .feesExceedAmount } }

  /// What the primary receiver of a chained payment passes on; nil if it is unknown or the payment is of another kind.
  public var chainPassedOn: ExactDecimal? {
    kind == .chained && tally.allGrossValid ? tally.gross - tally.primaryGross : nil
  }

  /// The postings of the settled payment.
  @inlinable
  public var entry: SettledEntry {
    @inline(__always) @_lifetime(borrow self) get {
      SettledEntry(
        payKey: payKey, kind: kind!, currency: record.currency!,
        postings: receivers.entered, accounts: record.copies.span, refundKey: Span(), placesInPayment: Span())
    }
  }

  /// The texts of the settled record.
  public var texts: EntryTexts {
    @_lifetime(borrow self) get {
      EntryTexts(
        line: record.scanner.line, fields: record.scanner.rows, receivers: receivers.figures.span,
        isRefund: recordType == .refund)
    }
  }
}
