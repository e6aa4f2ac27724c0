import BasicContainers
import ExactArithmetic
import Money
import Postings
import Records

/// One receiver's part in a payment, from which its posting is built. Amounts are in the payment's currency.
public struct ReceiverFigures {
  /// Where it is in the record; in the single shape, row 0.
  var place = ElementPlace(row: 0, path: .record)
  /// Whether it is the primary receiver.
  public internal(set) var isPrimary = false
  /// Its country; nil if it is absent or not valid.
  public internal(set) var country: Country?
  /// The number of its category in the fee schedule; -1 if it has none, or no fee depends on it.
  var category = -1
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
  /// Whether no fee of a name fits it.
  var lacksFee = false
  /// Whether it bears its fee although the sender was to bear it.
  public internal(set) var isOverridden = false

  mutating func set(_ gross: Gross) {
    subtotal.set(gross.subtotal)
    totalTax.set(gross.tax)
    totalShipping.set(gross.shipping)
  }

  /// Sets a posting's gross to subtotal plus tax plus shipping.
  @inline(__always)
  mutating func setGross(of posting: inout Posting) {
    posting.gross.set(subtotal)
    posting.gross.add(totalTax)
    posting.gross.add(totalShipping)
  }

  /// Reduces the fee to what is kept.
  @inline(__always)
  mutating func capFee() {
    isCapped = kept < assessedFee
    if isCapped { assessedFee.set(kept) }
  }
}

/// The figures and postings of a payment's receivers. A payment has at most six receivers: the figures of any others
/// are not kept. The memory is reused.
@usableFromInline
struct ReceiverList: ~Copyable {
  /// The postings of the sender and the receivers.
  @usableFromInline var postings = RigidArray(repeating: Posting(), count: 7)
  /// By the receivers' places.
  @usableFromInline var figures = RigidArray(repeating: ReceiverFigures(), count: 6)
  /// The number of receivers, including those that are not objects.
  @usableFromInline var count = 0
  /// What receivers are charged by name, in their order; empty if the night shows no names.
  @usableFromInline var charged: RigidArray<ChargedFee>
  @usableFromInline var chargedCount = 0
  /// The names of the night's fees.
  let names: FeeNames

  /// - Parameter names: those of the night's fees; empty if it shows none.
  init(names: [[UInt8]]) {
    self.names = FeeNames(names)
    charged = RigidArray(
      repeating: ChargedFee(), count: names.isEmpty ? 0 : PaymentKind.maximumReceivers * FeeAssessment.mostNames)
    postings[0].role = .sender
  }

  @inline(__always)
  mutating func charge(_ receiver: Int, _ name: Int, _ fee: ExactDecimal, _ vat: ExactDecimal, isReturned: Bool) {
    charged[chargedCount].receiver = receiver
    charged[chargedCount].name = name
    charged[chargedCount].fee.set(fee)
    charged[chargedCount].vat.set(vat)
    charged[chargedCount].isReturned = isReturned
    chargedCount &+= 1
  }

  /// The range of a receiver's charges.
  func charges(of receiver: Int) -> (first: Int, end: Int) {
    var first = 0
    while first < chargedCount, charged[first].receiver < receiver { first += 1 }
    var end = first
    while end < chargedCount, charged[end].receiver == receiver { end += 1 }
    return (first, end)
  }

  /// Lists each fee under one name.
  mutating func chargePlain() {
    for place in 0..<count where !figures[place].assessedFee.isZero {
      charge(place, 0, figures[place].assessedFee, .zero(at: figures[place].assessedFee.exponent), isReturned: false)
    }
  }

  /// The postings of the sender and the receivers of the record.
  @inlinable
  var entered: Span<Posting> {
    @inline(__always) @_lifetime(borrow self) get { postings.span.extracting(first: 1 + count) }
  }

  @inlinable @inline(__always)
  subscript(postingOf place: Int) -> Posting { postings[1 + place] }
}
