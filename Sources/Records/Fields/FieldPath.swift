import Text

/// The field that a finding points to: a JSON Pointer (RFC 6901) packed into one word. Within one record, words sort
/// like the pointers' bytes.
///
/// It has six parts, from the highest bits: a top-level name, an index, a name in the object there, a name in an object
/// inside that, an index, and a name in the object there. A missing part is 0. A name is its slot in its level, from 1;
/// slots are in the order of the names' bytes. An index is its decimal digits in base 11, so that 10 sorts between 1
/// and 2, as in text. In the single shape the receiver's parts are at the top level, without an index. The highest
/// three bits are the level of the record itself.
public struct FieldPath: Hashable, Sendable, Comparable, BitwiseCopyable {
  public let packed: UInt64

  @inlinable @inline(__always)
  init(packed: UInt64) { self.packed = packed }

  /// The lowest bit of each part, and its number of bits.
  @usableFromInline
  enum Part {
    @inlinable static var level: UInt64 { 61 }
    @inlinable static var record: UInt64 { 55 }
    @inlinable static var index: UInt64 { 34 }
    @inlinable static var object: UInt64 { 29 }
    @inlinable static var inner: UInt64 { 25 }
    @inlinable static var innerIndex: UInt64 { 4 }
    @inlinable static var indexMask: UInt64 { (1 << 21) - 1 }
  }

  @inlinable @inline(__always)
  static func number(_ field: some LevelField) -> UInt64 { UInt64(field.slot + 1) }

  /// The record itself: the empty pointer.
  @inlinable public static var record: FieldPath { FieldPath(packed: 0) }

  @inlinable @inline(__always)
  public static func top(_ field: RecordField) -> FieldPath { FieldPath(packed: number(field) << Part.record) }

  public static func refund(_ field: RefundField) -> FieldPath { top(number(field), of: .refund) }

  public static func preapproval(_ field: PreapprovalField) -> FieldPath { top(number(field), of: .preapproval) }

  private static func top(_ number: UInt64, of level: FieldLevel) -> FieldPath {
    FieldPath(packed: UInt64(level.rawValue) << Part.level | number << Part.record)
  }

  public static func refundReceiver(_ index: Int) -> FieldPath {
    FieldPath(packed: refund(.receivers).packed | digits(index) << Part.index)
  }

  /// A field of the element of a refund's `receivers` that this path points to.
  public func refundReceiverField(_ field: RefundReceiverField) -> FieldPath {
    FieldPath(packed: packed | Self.number(field) << Part.object)
  }

  /// The record itself for a level; its pointer is empty too.
  public static func root(of level: FieldLevel) -> FieldPath {
    FieldPath(packed: UInt64(level.rawValue) << Part.level)
  }

  /// A receiver: an element of `receiverPaymentDetails`, or the top level if `index` is nil.
  @inlinable @inline(__always)
  public static func receiver(_ index: Int?) -> FieldPath {
    guard let index else { return record }
    return FieldPath(packed: top(.receiverPaymentDetails).packed | digits(index) << Part.index)
  }

  @inlinable @inline(__always)
  public func receiverField(_ field: ReceiverField) -> FieldPath {
    if packed == 0 { return .top(field.inSingleShape) }
    return FieldPath(packed: packed | Self.number(field) << Part.object)
  }

  /// A field of the invoice of the receiver that this path points to.
  @inlinable @inline(__always)
  public func invoiceField(_ field: InvoiceField) -> FieldPath {
    FieldPath(packed: receiverField(.invoiceData).packed | Self.number(field) << Part.inner)
  }

  @inlinable
  public func termsField(_ field: TermsField) -> FieldPath {
    FieldPath(packed: packed | Self.number(field) << Part.inner)
  }

  /// A field of the payment's card.
  public static func card(_ field: CardField) -> FieldPath {
    FieldPath(packed: top(.card).packed | number(field) << Part.inner)
  }

  /// The slot of its first part among the fields of the record; nil for the record itself.
  public var topSlot: Int? {
    let number = Int(packed >> Part.record & 0x3F)
    return number > 0 ? number - 1 : nil
  }

  /// The payment's own field that it points to; nil if it points to anything else.
  public var topField: RecordField? {
    guard let slot = topSlot, RecordField.allCases.indices ~= slot else { return nil }
    return self == .top(RecordField.allCases[slot]) ? RecordField.allCases[slot] : nil
  }

  /// Whether it points to the card or to something inside it.
  public var isInCard: Bool { packed >> Part.record == Self.number(RecordField.card) }
  public static func address(_ field: AddressField) -> FieldPath {
    FieldPath(packed: top(.shippingAddress).packed | number(field) << Part.object)
  }

  /// An element of `adjustedAmounts`.
  public static func adjustment(_ index: Int) -> FieldPath {
    FieldPath(packed: top(.adjustedAmounts).packed | digits(index) << Part.index)
  }

  /// A field of the element of `adjustedAmounts` that this path points to.
  public func adjustmentField(_ field: AdjustmentField) -> FieldPath {
    FieldPath(packed: packed | Self.number(field) << Part.object)
  }

  /// A field of the adjusted amounts that this path points to: `adjustedAmounts` itself, or `amounts` of an element. No
  /// record has both, so their relative order does not matter.
  public func amountsField(_ field: AmountsField) -> FieldPath {
    FieldPath(packed: packed | Self.number(field) << (self == .top(.adjustedAmounts) ? Part.object : Part.inner))
  }

  /// Whether it points to the adjusted amounts or to something inside them.
  public var isInAdjustments: Bool { packed >> Part.record == Self.number(RecordField.adjustedAmounts) }

  /// Whether it points to the receivers or to something inside them.
  public var isInReceivers: Bool { packed >> Part.record == Self.number(RecordField.receiverPaymentDetails) }

  /// An element of the `invoiceItems` of the receiver that this path points to.
  @inlinable @inline(__always)
  public func item(_ index: Int) -> FieldPath {
    FieldPath(packed: invoiceField(.invoiceItems).packed | Self.digits(index) << Part.innerIndex)
  }

  @inlinable @inline(__always)
  public func itemField(_ field: ItemField) -> FieldPath { FieldPath(packed: packed | Self.number(field)) }

  /// Orders paths like the pointers' bytes.
  @inlinable
  public static func < (left: FieldPath, right: FieldPath) -> Bool { left.packed < right.packed }

  // MARK: Indices as digits in base 11

  private static let places: [UInt64] = [161_051, 14_641, 1_331, 121, 11, 1]

  @inlinable @inline(__always)
  static func digits(_ index: Int) -> UInt64 {
    index >= 0 && index < 10 ? UInt64(index &+ 1) &* 161_051 : severalDigits(index)
  }

  /// An index of at most six digits: its digits plus one, from the left, then zeros. A line is too short for more.
  @usableFromInline
  static func severalDigits(_ index: Int) -> UInt64 {
    precondition(index >= 0 && index < 1_000_000, "an index of more than six digits does not fit in a line")
    var divisor = 100_000
    while divisor > 1, divisor > index { divisor /= 10 }
    var place = 0
    var packed: UInt64 = 0
    while divisor > 0 {
      packed += UInt64(index / divisor % 10 + 1) * places[place]
      divisor /= 10
      place += 1
    }
    return packed
  }

  private static func write(digits: UInt64, to text: inout TextBuffer) {
    for place in places {
      let digit = digits / place % 11
      if digit == 0 { return }
      text.append(UInt8(ascii: "0") + UInt8(digit - 1))
    }
  }

  // MARK: Printing

  /// Appends the pointer; nothing for the record itself.
  public func write(to text: inout TextBuffer) {
    visit { name, index in
      text.append(UInt8(ascii: "/"))
      if let name { text.append(name.name) } else { Self.write(digits: index, to: &text) }
    }
  }

  /// The field that the pointer ends with; nil for the record and for an element of an array.
  public var field: FieldDefinition? {
    var last: FieldDefinition?
    visit { name, _ in last = name }
    return last
  }

  /// The level of the object that the pointer leads to; for a field without objects, the level of the field.
  public var level: FieldLevel { visit { _, _ in } }

  /// The level of the record itself.
  private var root: FieldLevel { FieldLevel(rawValue: Int(packed >> Part.level))! }

  /// Visits the parts from the left: a field, or the digits of an index.
  ///
  /// - Returns: the level that they lead to.
  @discardableResult
  private func visit(_ take: (_ field: FieldDefinition?, _ digits: UInt64) -> Void) -> FieldLevel {
    var level = root
    var elementLevel: FieldLevel?
    func visitName(_ number: UInt64) {
      guard number > 0 else { return }
      let field = level.definitions[Int(number) - 1]
      take(field, 0)
      level = field.level ?? level
      elementLevel = field.elementLevel
    }
    func visitIndex(_ digits: UInt64) {
      guard digits > 0 else { return }
      take(nil, digits)
      level = elementLevel ?? level
    }
    visitName(packed >> Part.record & 0x3F)
    visitIndex(packed >> Part.index & Part.indexMask)
    visitName(packed >> Part.object & 0x1F)
    visitName(packed >> Part.inner & 0xF)
    visitIndex(packed >> Part.innerIndex & Part.indexMask)
    visitName(packed & 0xF)
    return level
  }
}
