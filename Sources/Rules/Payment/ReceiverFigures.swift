import ExactArithmetic
import Money
import Postings
import Records

/// One receiver's part in a payment: what its posting is made of. Amounts are in the payment's currency.
public struct ReceiverFigures {
  /// Who it is, and what it gets.
  public let posting: UnsafeMutablePointer<Posting>
  /// Its account in lower case; empty if it is not valid.
  @inline(__always)
  public var account: RecordText { RecordText(bytes: posting.pointee.account, count: posting.pointee.accountLength) }
  /// Where it stands in the record; in the single shape in row 0.
  var place = RowPlace(row: 0, path: .record)
  /// Whether it is the primary receiver.
  public internal(set) var isPrimary = false
  /// Its country, if given and valid.
  public internal(set) var country: Country?
  /// What it is paid for.
  public internal(set) var type = PaymentType.notSet
  /// The kind of service it is paid for.
  public internal(set) var subType = PaymentSubType.notSet

  /// The place of its adjusted amounts among all; nil if it has its own.
  public internal(set) var adjustment: Int?
  /// Whether subtotal, tax and shipping are valid and make up its gross.
  public internal(set) var areAmountsKnown = false
  /// The sum of its items, or what stands in its place where the amounts are adjusted; likewise below.
  public internal(set) var subtotal = ExactDecimal.zero
  /// The tax.
  public internal(set) var totalTax = ExactDecimal.zero
  /// The shipping.
  public internal(set) var totalShipping = ExactDecimal.zero
  /// What it keeps: gross less what it passes on.
  public internal(set) var kept = ExactDecimal.zero
  /// The fee on what it keeps, whoever bears it.
  public internal(set) var assessedFee = ExactDecimal.zero

  /// The place of its plan in the schedule.
  public internal(set) var plan = 0
  /// Why that plan applies.
  var planChoice = FeeSchedule.Choice.otherwise
  /// Whether the plan's cross-border rate applies.
  public internal(set) var isCrossBorder = false
  /// Whether the fee was cut to what it keeps.
  public internal(set) var isCapped = false
  /// Whether it bears its fee although the sender was to.
  public internal(set) var isOverridden = false

  init(posting: UnsafeMutablePointer<Posting>) { self.posting = posting }

  /// Cuts the fee to what is kept. In place, if a comparison holds on to neither of both.
  @inline(__always)
  mutating func capFee() {
    isCapped = assessedFee > kept
    if isCapped { assessedFee.set(kept) }
  }
}

/// The figures and postings of a payment's receivers. Only six receivers make a payment: the figures of others are not
/// kept. The room is used again.
@usableFromInline
struct ReceiverList: ~Copyable {
  /// What the sender gives and the receivers get.
  @usableFromInline let postings: UnsafeMutablePointer<Posting>
  @usableFromInline let figures: UnsafeMutablePointer<ReceiverFigures>
  /// The number of receivers, objects or not.
  @usableFromInline var count = 0

  init() {
    let none = ("" as StaticString).utf8Start
    postings = .allocate(capacity: 1 + PaymentKind.maximumReceivers)
    postings.initialize(repeating: Posting(account: none), count: 1 + PaymentKind.maximumReceivers)
    postings.pointee.role = .sender
    figures = .allocate(capacity: PaymentKind.maximumReceivers)
    for place in 0..<PaymentKind.maximumReceivers {
      (figures + place).initialize(to: ReceiverFigures(posting: postings + 1 + place))
    }
  }

  deinit {
    figures.deinitialize(count: PaymentKind.maximumReceivers)
    figures.deallocate()
    postings.deinitialize(count: 1 + PaymentKind.maximumReceivers)
    postings.deallocate()
  }

  @inline(__always)
  subscript(place: Int) -> ReceiverRoom { figures + place }
}

/// The room of a receiver's figures.
typealias ReceiverRoom = UnsafeMutablePointer<ReceiverFigures>

extension ReceiverRoom {
  /// Makes subtotal, tax and shipping the gross.
  @inline(__always)
  func addGross() {
    pointee.posting.pointee.gross.set(pointee.subtotal)
    pointee.posting.pointee.gross.add(pointee.totalTax)
    pointee.posting.pointee.gross.add(pointee.totalShipping)
  }
}
