import Records

/// What a line of a batch is.
public enum RecordForm: UInt8, Sendable {
  /// Not UTF-8.
  case invalidUTF8
  /// Not exactly one RFC 8259 value of at most 64 levels.
  case malformed
  /// It has more receivers, items or other parts than this scanner keeps (`RecordScanner.init(widthLimit:)`); nothing
  /// else is known.
  case tooWide
  /// A JSON value, but not an object.
  case notAnObject
  /// An object; its fields are in the scanner's slots.
  case object
}

/// Reads one line after the other and keeps where the fields of `batch.md` are in it.
///
/// The whole line is checked against RFC 8259, including fields that are not used. Nothing is copied or allocated for
/// an ordinary line. The slots of a record stay valid until the next line is scanned.
///
/// The fields of the record itself have a row of slots. So does each receiver, with its invoice's fields after its own:
/// row 0 is the receiver of the single shape, rows from 1 are the elements of `receiverPaymentDetails` that are
/// objects. Each item also has a row. Elements that are not objects are `strays`.
public struct RecordScanner: ~Copyable {
  /// The most levels of objects and arrays; the record itself is the first (`batch.md`, "Limits").
  public static let maximumDepth = 64
  /// The most rows kept from record to record; a wider record's memory is freed after it.
  static let keptRows = 1024
  static let keptItems = 8192

  @usableFromInline var fields = Self.fewFields
  @usableFromInline var items = Self.fewItems
  @usableFromInline var scanned = ScannedLine()
  /// Zero if no string has a byte that is not ASCII.
  var highBits: UInt32 = 0
  let tables: FieldTables
  let orders: FieldOrders
  /// The slots of objects that few records have, one row each, in the order of `innerObjects`.
  var innerFields = SlotRows(count: 0)
  var innerObjects: [InnerObject] = []
  /// Whether the record has such objects.
  var hasInnerObjects = false
  /// The elements of `adjustedAmounts` if it is an array, of any kind.
  public internal(set) var adjustments: [JSONSlice] = []

  /// The number of receiver rows, row 0 included.
  public internal(set) var rowCount = 1
  /// The number of item rows of all receivers.
  public internal(set) var itemCount = 0
  /// Elements of `receiverPaymentDetails` and `invoiceItems` that are not objects.
  public internal(set) var strays: [StrayElement] = []
  /// Whether `receiverPaymentDetails` has an element that is not an object.
  public internal(set) var hasStrayReceivers = false
  /// Fields that `batch.md` does not define for their object, with a value other than null.
  public internal(set) var unknownFields: [UnknownField] = []
  /// Whether a field of `batch.md` occurs twice in one object, null or not.
  public internal(set) var hasDuplicateField = false

  /// The most receivers, items and strays of a record, each.
  let widthLimit: Int
  /// The most unknown fields. One takes a fifth of a receiver's memory.
  let unknownFieldLimit: Int
  var isTooWide = false

  /// A scanner with room for ordinary records.
  ///
  /// - Parameters:
  ///   - widthLimit: the most receivers, items and strays, each, that are kept of a record; of unknown fields eight times
  ///     as many. A record of the largest size may have hundreds of thousands of them, which need many times its own
  ///     memory. If several scanners work at once, only one should take such records.
  ///   - hasCategories: whether a receiver may have a category; if not, that is an unknown field.
  public init(widthLimit: Int = .max, hasCategories: Bool = false) {
    tables = hasCategories ? .withCategories : .all
    orders = FieldOrders(tables)
    self.widthLimit = widthLimit
    unknownFieldLimit = widthLimit > .max / 8 ? .max : 8 * widthLimit
    reset()
  }

  private static var fewFields: SlotRows { SlotRows(count: FieldRow.receiver(16)) }
  private static var fewItems: SlotRows { SlotRows(count: 64 * FieldRow.itemWidth) }

  mutating func scanRecord() -> RecordForm {
    var cursor = scanned.cursor(at: 0)
    cursor.skipSpace()
    var form = RecordForm.notAnObject
    if cursor.skip(UInt8(ascii: "{")) {
      guard scanFields(&cursor, level: .record, base: 0, depth: 1) else { return .malformed }
      form = .object
    } else if scanValue(&cursor, depth: 1).kind == .absent {
      return .malformed
    }
    cursor.skipSpace()
    return cursor.byte == 0x0A ? form : .malformed
  }

  /// Makes the slots of a receiver's row absent.
  @inline(__always)
  mutating func clearReceiver(_ row: Int) {
    fields.clear(FieldRow.receiver(row), width: FieldRow.receiverWidth)
  }

  /// Makes the record's own slots absent.
  @inline(__always)
  private mutating func clearRecord() { fields.clear(0, width: FieldRow.recordWidth) }

  mutating func reset() {
    if fields.count > FieldRow.receiver(Self.keptRows) { fields = Self.fewFields }
    if items.count > Self.keptItems * FieldRow.itemWidth { items = Self.fewItems }
    clearRecord()
    clearReceiver(0)
    rowCount = 1
    itemCount = 0
    highBits = 0
    hasDuplicateField = false
    hasStrayReceivers = false
    isTooWide = false
    hasInnerObjects = false
    // After a record with very many, the memory is freed.
    if !innerObjects.isEmpty { innerObjects.removeAll(keepingCapacity: innerObjects.count <= Self.keptRows) }
    if !adjustments.isEmpty { adjustments = [] }
    if !strays.isEmpty { strays = [] }
    if !unknownFields.isEmpty { unknownFields = [] }
  }

  /// Reads the record again with the fields of a type that has its own level. `hasDuplicateField` stays set.
  ///
  /// - Returns: false if the record is too wide for this scanner.
  public mutating func readAgain(as type: RecordType) -> Bool {
    precondition(type.level != .record, "a record of the shared level is not read again")
    clearRecord()
    rowCount = 1
    hasStrayReceivers = false
    strays = []
    unknownFields = []
    var cursor = scanned.cursor(at: 0)
    cursor.skipSpace()
    cursor.skip(UInt8(ascii: "{"))
    guard scanFields(&cursor, level: type.level, base: 0, depth: 1) || isTooWide else {
      preconditionFailure("a text that was read as JSON is not JSON")
    }
    return !isTooWide
  }

  // MARK: Slots

  /// A field of a refund that was read with `readAgain`.
  public func refundField(_ field: RefundField) -> JSONSlice { fields[field.slot] }

  /// A field of a preapproval that was read with `readAgain`.
  public func preapprovalField(_ field: PreapprovalField) -> JSONSlice { fields[field.slot] }

  /// A field of an element of a refund's `receivers`; rows are from 1.
  public func refundReceiverField(_ field: RefundReceiverField, row: Int) -> JSONSlice {
    fields[FieldRow.receiver(row) + field.slot]
  }

  /// A field at the top level; in the single shape, the receiver's are in row 0 of the receivers instead.
  @inlinable
  public func field(_ field: RecordField) -> JSONSlice { fields[field.slot] }

  /// Whether the record has any of the fields at its top level, null or not.
  @inlinable @inline(__always)
  public func hasAny(_ fields: RecordFields) -> Bool {
    for slot in fields.slots where self.fields[slot].kind != .absent { return true }
    return false
  }

  /// A receiver's field. The row is 0 (single shape) or below `rowCount`.
  @inlinable
  public func receiverField(_ field: ReceiverField, row: Int) -> JSONSlice {
    fields[FieldRow.receiver(row) + field.slot]
  }

  /// A field of a receiver's invoice.
  @inlinable
  public func invoiceField(_ field: InvoiceField, row: Int) -> JSONSlice {
    fields[FieldRow.receiver(row) + FieldRow.invoice + field.slot]
  }

  /// The index in `receiverPaymentDetails` of the receiver of a row above 0.
  public func receiverIndex(row: Int) -> Int {
    Int(fields[FieldRow.receiver(row) + FieldRow.receiverIndex].start)
  }

  /// The rows of the items of a receiver's invoice.
  public func itemRows(row: Int) -> Range<Int> { range(row, FieldRow.items) }

  /// The elements of a receiver's `invoiceItems` that are not objects, as a range of `strays`.
  public func strayItems(row: Int) -> Range<Int> { range(row, FieldRow.strayItems) }

  private func range(_ row: Int, _ slot: Int) -> Range<Int> {
    let slice = fields[FieldRow.receiver(row) + slot]
    return Int(slice.start)..<Int(slice.start) + slice.length
  }

  @inlinable
  public func itemField(_ field: ItemField, item: Int) -> JSONSlice {
    items[item * FieldRow.itemWidth + field.slot]
  }

  public func itemIndex(_ item: Int) -> Int { Int(items[item * FieldRow.itemWidth + FieldRow.itemIndex].start) }
}

/// How the rows of slots are laid out.
@usableFromInline
enum FieldRow {
  /// Slots of the record's own row; the receivers' rows follow.
  @usableFromInline static var recordWidth: Int { 40 }
  /// Slots of a receiver's row: its fields, its invoice's, then the three below.
  @usableFromInline static var receiverWidth: Int { 24 }
  /// Where the fields of the invoice begin in a receiver's row.
  @usableFromInline static var invoice: Int { 16 }
  /// Not a field: `start` is the receiver's index in its array.
  static let receiverIndex = 21
  /// Not a field: `start` is the row of the first item, `length` the number of item rows.
  static let items = 22
  /// Not a field: the elements of `invoiceItems` that are not objects; `start` is the first of them in `strays`,
  /// `length` their number.
  static let strayItems = 23
  /// Slots of an item's row: its fields and its index.
  @usableFromInline static var itemWidth: Int { 8 }
  /// Not a field: `start` is the item's index in its array, `length` its receiver's row.
  static let itemIndex = 5
  /// Slots of the row of an object that few records have.
  static let innerWidth = 8

  /// Where the row of a receiver begins. For the row after the last, this is the number of slots.
  @inlinable static func receiver(_ row: Int) -> Int { recordWidth + row * receiverWidth }
}

extension FieldLevel {
  /// The slot of a field in its row, by its position among the level's fields. Slots of the single shape's receiver are
  /// counted from the record's row on.
  func slot(of place: Int) -> Int {
    switch self {
    case .record:
      RecordField.allCases[place].singleShapeField.map { FieldRow.receiver(0) + $0.slot } ?? place
    case .invoice: FieldRow.invoice + place
    case .refund, .preapproval, .receiver, .item, .terms, .card, .address, .adjustment, .amounts, .refundReceiver: place
    }
  }
}

/// An element that is not an object, in an array of objects.
public struct StrayElement: Sendable {
  /// The receiver row whose `invoiceItems` contains it; -1 if it is in `receiverPaymentDetails`.
  public let row: Int
  public let index: Int
  public let slice: JSONSlice
}
