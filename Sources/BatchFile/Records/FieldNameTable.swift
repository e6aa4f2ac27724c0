/// Finds a field's slot by its name at one level: one multiplication, one probe, no allocation.
struct FieldNameTable {
  fileprivate struct Entry {
    /// The first eight bytes; fewer where the name is shorter, with zeros above.
    var head: UInt64 = 0
    /// The bytes from the ninth to the sixteenth, and the last eight: of a name that has as many.
    var middle: UInt64 = 0
    var tail: UInt64 = 0
    var length: Int32 = -1
    var slot: Int32 = -1
  }

  fileprivate static let places = 128
  private static let shift: UInt64 = 64 - 7
  fileprivate let entries: UnsafeMutablePointer<Entry>
  fileprivate let multiplier: UInt64

  /// The slot of the name of `length` bytes at `name`, or -1. At least 16 bytes from `name` on must be readable.
  @inline(__always)
  func slot(_ name: UnsafePointer<UInt8>, length: Int) -> Int {
    let head = Self.head(name, length: length)
    let entry = entries + Int(truncatingIfNeeded: Self.place(head, length: length, multiplier: multiplier))
    guard Int(entry.pointee.length) == length, entry.pointee.head == head else { return -1 }
    if length > 8 {
      guard entry.pointee.tail == Self.word(name + (length - 8)) else { return -1 }
      if length > 16, entry.pointee.middle != Self.word(name + 8) { return -1 }
    }
    return Int(entry.pointee.slot)
  }

  @inline(__always)
  fileprivate static func place(_ head: UInt64, length: Int, multiplier: UInt64) -> UInt64 {
    ((head ^ UInt64(truncatingIfNeeded: length)) &* multiplier) &>> shift
  }

  @inline(__always)
  fileprivate static func head(_ name: UnsafePointer<UInt8>, length: Int) -> UInt64 {
    let first = word(name)
    return length >= 8 ? first : first & ((1 &<< (8 &* UInt64(truncatingIfNeeded: length))) &- 1)
  }

  @inline(__always)
  fileprivate static func word(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
  }
}

/// The name tables of all levels, by `RecordLevel`.
///
/// Their multipliers are searched for when the tables are made, so that no two names of a level share a place.
struct FieldNameTables {
  private let tables: UnsafeMutablePointer<FieldNameTable>
  private static let levels = 4

  init() {
    tables = .allocate(capacity: Self.levels)
    let record = RecordField.names + ReceiverField.singleShapeNames.map { ($0, $1 + RecordScanner.slotsPerRow) }
    for (level, names) in [
      (RecordLevel.record, record), (.receiver, ReceiverField.names), (.invoice, ReceiverField.invoiceNames),
      (.item, ItemField.names),
    ] {
      (tables + level.rawValue).initialize(to: Self.table(names))
    }
  }

  func deallocate() {
    for level in 0..<Self.levels { tables[level].entries.deallocate() }
    tables.deallocate()
  }

  @inline(__always)
  subscript(level: RecordLevel) -> FieldNameTable { tables[level.rawValue] }

  private static func table(_ names: [(StaticString, Int)]) -> FieldNameTable {
    let entries = UnsafeMutablePointer<FieldNameTable.Entry>.allocate(capacity: FieldNameTable.places)
    var multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
    while !fill(entries, names, multiplier: multiplier) {
      multiplier = multiplier &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    }
    return FieldNameTable(entries: entries, multiplier: multiplier)
  }

  private static func fill(
    _ entries: UnsafeMutablePointer<FieldNameTable.Entry>, _ names: [(StaticString, Int)], multiplier: UInt64
  ) -> Bool {
    entries.initialize(repeating: FieldNameTable.Entry(), count: FieldNameTable.places)
    for (name, slot) in names {
      let length = name.utf8CodeUnitCount
      precondition(length <= 24, "a name of more than three words")
      var bytes = [UInt8](repeating: 0, count: 32)
      for index in 0..<length { bytes[index] = name.utf8Start[index] }
      let entry = bytes.withUnsafeBufferPointer { buffer -> FieldNameTable.Entry in
        let start = buffer.baseAddress.unsafelyUnwrapped
        return FieldNameTable.Entry(
          head: FieldNameTable.head(start, length: length), middle: length > 16 ? FieldNameTable.word(start + 8) : 0,
          tail: length > 8 ? FieldNameTable.word(start + (length - 8)) : 0, length: Int32(length), slot: Int32(slot))
      }
      let place = Int(FieldNameTable.place(entry.head, length: length, multiplier: multiplier))
      if entries[place].length >= 0 { return false }
      entries[place] = entry
    }
    return true
  }
}
