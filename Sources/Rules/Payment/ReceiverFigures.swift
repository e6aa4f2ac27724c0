import ExactArithmetic
import Money
import Postings
import Records

/// One receiver's part in a payment, from which its posting is built. Amounts are in the payment's currency.
public struct ReceiverFigures {
  /// The receiver's posting.
  public let posting: UnsafeMutablePointer<Posting>
  /// Its account in lower case; empty if it is not valid.
  @inline(__always)
  public var account: RecordText { RecordText(bytes: posting.pointee.account, count: posting.pointee.accountLength) }
  /// Where it is in the record; in the single shape, row 0.
  var place = ElementPlace(row: 0, path: .record)
  /// Whether it is the primary receiver.
  public internal(set) var isPrimary = false
  /// Its country; nil if it is absent or not valid.
  public internal(set) var country: Country?
  /// The payment type.
  public internal(set) var type = PaymentType.notSet
  /// The payment subtype: the kind of service.
  public internal(set) var subType = PaymentSubType.notSet

  /// The index of its adjusted amounts; nil if it has its own amounts.
  public internal(set) var adjustment: Int?
  /// Whether subtotal, tax and shipping are valid and add up to its gross.
  public internal(set) var areAmountsKnown = false
  /// The subtotal, adjusted if the amounts are adjusted; so are tax and shipping.
  public internal(set) var subtotal = ExactDecimal.zero
  public internal(set) var totalTax = ExactDecimal.zero
  public internal(set) var totalShipping = ExactDecimal.zero
  /// What it keeps: gross minus what it passes on.
  public internal(set) var kept = ExactDecimal.zero
  /// The fee on what it keeps, whichever party bears it.
  public internal(set) var assessedFee = ExactDecimal.zero

  /// The index of its plan in the schedule.
  public internal(set) var plan = 0
  /// Why that plan applies.
  var planChoice = FeeSchedule.Choice.otherwise
  /// Whether the plan's cross-border rate applies.
  public internal(set) var isCrossBorder = false
  /// Whether the fee was reduced to what it keeps.
  public internal(set) var isCapped = false
  /// Whether it bears its fee although the sender was to bear it.
  public internal(set) var isOverridden = false

  init(posting: UnsafeMutablePointer<Posting>) { self.posting = posting }

  /// Reduces the fee to what is kept. It works in place because the comparison retains neither value.
  @inline(__always)
  mutating func capFee() {
    isCapped = assessedFee > kept
    if isCapped { assessedFee.set(kept) }
  }
}

/// The figures and postings of a payment's receivers. A payment has at most six receivers: the figures of any others
/// are not kept. The memory is reused.
@usableFromInline
struct ReceiverList: ~Copyable {
  /// The postings of the sender and the receivers.
  @usableFromInline let postings: UnsafeMutablePointer<Posting>
  @usableFromInline let figures: UnsafeMutablePointer<ReceiverFigures>
  /// The number of receivers, including those that are not objects.
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

  // Inlinable for the same reason as that of `RecordReader`.
  @inlinable deinit {
    figures.deinitialize(count: PaymentKind.maximumReceivers)
    figures.deallocate()
    postings.deinitialize(count: 1 + PaymentKind.maximumReceivers)
    postings.deallocate()
  }

  @inline(__always)
  subscript(place: Int) -> ReceiverRoom { figures + place }
}

/// A receiver's figures in the list.
typealias ReceiverRoom = UnsafeMutablePointer<ReceiverFigures>

extension ReceiverRoom {
  /// Sets the gross to subtotal plus tax plus shipping.
  @inline(__always)
  func addGross() {
    pointee.posting.pointee.gross.set(pointee.subtotal)
    pointee.posting.pointee.gross.add(pointee.totalTax)
    pointee.posting.pointee.gross.add(pointee.totalShipping)
  }
}
