import Glibc

/// What a line of a batch turned out to be.
public enum RecordForm: UInt8, Sendable {
  /// Not UTF-8.
  case invalidUTF8
  /// Not exactly one RFC 8259 value of at most 64 levels.
  case malformed
  /// More receivers, items or other parts than this scanner keeps (`RecordScanner.init(widthLimit:)`); nothing is known.
  case tooWide
  /// A JSON value, but not an object.
  case notAnObject
  /// An object; its fields are in the scanner's slots.
  case object
}

/// Reads one line after the other and keeps where the fields of `batch.md` stand in it.
///
/// The whole line is checked against RFC 8259, fields that nobody reads included; nothing is copied or allocated for an
/// ordinary line. The slots of a record stay valid until the next line is scanned.
///
/// A record has 16 slots of its own, 16 a receiver (row 0 is the single shape's, rows from 1 the elements of
/// `receiverPaymentDetails` that are objects) and 8 an item. Elements that are no objects are `strays`.
public struct RecordScanner: ~Copyable {
  typealias Cursor = UnsafePointer<UInt8>

  /// The most levels of objects and arrays, the record itself being the first (`batch.md`, "Limits").
  public static let maximumDepth = 64
  static let slotsPerRow = 16
  static let slotsPerItem = 8
  /// Rows kept from record to record; what a wider record needed is given back after it.
  static let keptRows = 1024
  static let keptItems = 8192

  @usableFromInline var fields: UnsafeMutablePointer<JSONSlice>
  var rowCapacity: Int
  @usableFromInline var items: UnsafeMutablePointer<JSONSlice>
  var itemCapacity: Int
  var line: Cursor
  /// Zero above its 16th bit where no string has a byte that is not ASCII.
  var highBits: UInt32 = 0
  let names: FieldNameTables

  /// The number of receiver rows, row 0 included.
  public internal(set) var rowCount = 1
  /// The number of item rows of all receivers.
  public internal(set) var itemCount = 0
  /// Elements of `receiverPaymentDetails` and `invoiceItems` that are no objects.
  public internal(set) var strays: [StrayElement] = []
  /// Whether `receiverPaymentDetails` has an element that is no object.
  public internal(set) var hasStrayReceivers = false
  /// Fields that are no field of their object, with a value other than null.
  public internal(set) var unknownFields: [UnknownField] = []
  /// Whether a field of `batch.md` stands twice in one object, null or not.
  public internal(set) var hasDuplicateField = false

  /// The most receivers, items and strays of a record, each.
  let widthLimit: Int
  /// The most unknown fields, which take an eighth of a receiver's room.
  let unknownFieldLimit: Int
  var isTooWide = false

  /// A scanner with room for ordinary records.
  ///
  /// - Parameter widthLimit: the most receivers, items and strays, each, that are kept of a record, and an eighth of
  ///   the most unknown fields. A record of the size limit may have hundreds of thousands, which take many times its
  ///   own room; where several scanners work at once, only one should take such.
  public init(widthLimit: Int = .max) {
    self.widthLimit = widthLimit
    unknownFieldLimit = widthLimit > .max / 8 ? .max : 8 * widthLimit
    rowCapacity = 16
    itemCapacity = 64
    fields = Self.slots((1 + rowCapacity) * Self.slotsPerRow)
    items = Self.slots(itemCapacity * Self.slotsPerItem)
    // No line yet: the place of an empty text.
    line = ("" as StaticString).utf8Start
    names = FieldNameTables()
    reset()
  }

  deinit {
    free(fields)
    free(items)
    names.deallocate()
  }

  /// Scans the line of `count` bytes at `line`.
  ///
  /// - Precondition: a line feed, alone or behind a carriage return, follows the line, and 16 bytes from it on are
  ///   readable; no line feed stands within the line.
  /// - Returns: the form of the line, the first that applies in the order of `RecordForm`.
  public mutating func scan(_ line: UnsafePointer<UInt8>, count: Int) -> RecordForm {
    assert(line[count] == 0x0A || (line[count] == 0x0D && line[count + 1] == 0x0A))
    reset()
    self.line = line
    var cursor = line
    let form = scanRecord(&cursor)
    if isTooWide { return .tooWide }
    if highBits >> 16 != 0 || form == .malformed, !UTF8Text.isValid(line, count: count) {
      return .invalidUTF8
    }
    return form
  }

  private mutating func scanRecord(_ cursor: inout Cursor) -> RecordForm {
    Self.skipSpace(&cursor)
    var form = RecordForm.notAnObject
    if cursor.pointee == UInt8(ascii: "{") {
      cursor += 1
      guard scanFields(&cursor, level: .record, base: 0, depth: 1) else { return .malformed }
      form = .object
    } else if scanValue(&cursor, depth: 1).kind == .absent {
      return .malformed
    }
    Self.skipSpace(&cursor)
    return cursor.pointee == 0x0A ? form : .malformed
  }

  /// Memory for slots. malloc's own growing moves pages, not bytes, where a block is large.
  static func slots(
    _ count: Int, replacing old: UnsafeMutablePointer<JSONSlice>? = nil
  ) -> UnsafeMutablePointer<JSONSlice> {
    guard let memory = realloc(old, count * MemoryLayout<JSONSlice>.stride) else {
      fatalError("out of memory for the fields of a record")
    }
    return memory.assumingMemoryBound(to: JSONSlice.self)
  }

  /// Makes the sixteen slots of a row absent.
  @inline(__always)
  static func clearRow(_ row: UnsafeMutablePointer<JSONSlice>) {
    let words = UnsafeMutableRawPointer(row)
    words.storeBytes(of: SIMD8<UInt64>.zero, as: SIMD8<UInt64>.self)
    (words + 64).storeBytes(of: SIMD8<UInt64>.zero, as: SIMD8<UInt64>.self)
  }

  private mutating func reset() {
    if rowCapacity > Self.keptRows {
      rowCapacity = 16
      free(fields)
      fields = Self.slots((1 + rowCapacity) * Self.slotsPerRow)
    }
    if itemCapacity > Self.keptItems {
      itemCapacity = 64
      free(items)
      items = Self.slots(itemCapacity * Self.slotsPerItem)
    }
    Self.clearRow(fields)
    Self.clearRow(fields + Self.slotsPerRow)
    rowCount = 1
    itemCount = 0
    highBits = 0
    hasDuplicateField = false
    hasStrayReceivers = false
    isTooWide = false
    if !strays.isEmpty { strays = [] }
    if !unknownFields.isEmpty { unknownFields = [] }
  }

  // MARK: Slots

  /// The record's own field (`RecordField`).
  @inlinable
  public func field(_ slot: Int) -> JSONSlice { fields[slot] }

  /// A receiver's field (`ReceiverField`), of row 0 (single shape) or a row below `rowCount`.
  @inlinable
  public func receiverField(_ slot: Int, row: Int) -> JSONSlice { fields[16 + row * 16 + slot] }

  /// The index that the receiver of a row above 0 has in `receiverPaymentDetails`.
  public func receiverIndex(row: Int) -> Int { Int(receiverField(ReceiverField.index, row: row).start) }

  /// The rows of the items of a receiver's invoice.
  public func itemRows(row: Int) -> Range<Int> {
    let slice = receiverField(ReceiverField.items, row: row)
    return Int(slice.start)..<Int(slice.start) + slice.length
  }

  /// The elements of a receiver's `invoiceItems` that are no objects, as a range of `strays`.
  public func strayItems(row: Int) -> Range<Int> {
    let slice = receiverField(ReceiverField.strayItems, row: row)
    return Int(slice.start)..<Int(slice.start) + slice.length
  }

  /// An item's field (`ItemField`).
  @inlinable
  public func itemField(_ slot: Int, item: Int) -> JSONSlice { items[item * 8 + slot] }

  /// The index that an item has in its `invoiceItems`.
  public func itemIndex(_ item: Int) -> Int { Int(itemField(ItemField.index, item: item).start) }
}

/// An element of an array of objects that is no object.
public struct StrayElement: Sendable {
  /// The receiver row whose `invoiceItems` holds it; -1 where it stands in `receiverPaymentDetails`.
  public let row: Int
  /// Its index in the array.
  public let index: Int
  /// The element.
  public let slice: JSONSlice
}

/// A field that is no field of its object.
public struct UnknownField: Sendable {
  /// The object it stands in.
  public enum Place: Sendable, Equatable {
    /// The record.
    case record
    /// The receiver of a row.
    case receiver(row: Int)
    /// The invoice of a receiver row.
    case invoice(row: Int)
    /// An item (row of items).
    case item(Int, row: Int)
  }
  /// Where it stands.
  public let place: Place
  /// Its name, as a string slice.
  public let name: JSONSlice
}
