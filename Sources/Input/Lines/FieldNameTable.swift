import CByteScan
import Records

/// Finds a field's slot by its name at one level: one multiplication, one probe, no allocation.
@safe
struct FieldNameTable {
  fileprivate struct Entry {
    /// The first sixteen bytes, including the closing quote, and the last sixteen of a longer name.
    var head: (UInt64, UInt64) = (0, 0)
    var tail: (UInt64, UInt64) = (0, 0)
    /// A bit for each of the first sixteen bytes that the name has. An empty place has all bits and zero bytes, so it
    /// matches no name.
    var mask: UInt32 = 0xFFFF
    var length: Int32 = -1
    var slot: Int = -1
  }

  /// The length of the shortest name in any table.
  fileprivate static let shortest = 3
  fileprivate static let places = 128
  private static let shift: UInt32 = 32 - 7
  fileprivate let entries: UnsafeMutablePointer<Entry>
  fileprivate let multiplier: UInt32

  /// The slot of the name that begins at the cursor with its quote. Moves the cursor past the closing quote.
  ///
  /// - Returns: the slot; -1, without moving the cursor, for anything except a field of at most 15 characters without
  ///   escapes.
  @inline(__always)
  func slot(at cursor: inout UnsafePointer<UInt8>) -> Int {
    let name = unsafe cursor + 1
    let length = unsafe settle_quote(name).trailingZeroBitCount
    guard length >= Self.shortest, length < 16 else { return -1 }
    let entry = unsafe entries + place(name, length: length)
    // The closing quote is compared too, so the lengths are equal.
    guard unsafe settle_differences(name, entry) & entry.pointee.mask == 0 else { return -1 }
    unsafe cursor = unsafe name + (length &+ 1)
    return unsafe entry.pointee.slot
  }

  /// The slot of the quoted name of `length` bytes at `name`, or -1. At least 16 bytes from `name` on must be readable.
  func slot(_ name: UnsafePointer<UInt8>, length: Int) -> Int {
    guard length >= Self.shortest else { return -1 }
    let entry = unsafe entries + place(name, length: length)
    guard unsafe entry.pointee.length == length else { return -1 }
    guard length > 16 else {
      return unsafe settle_differences(name, entry) & ((1 &<< UInt32(length)) &- 1) == 0 ? entry.pointee.slot : -1
    }
    let tail = unsafe UnsafeRawPointer(entry) + MemoryLayout<(UInt64, UInt64)>.size
    guard unsafe settle_differences(name, entry) == 0, unsafe settle_differences(name + (length - 16), tail) == 0 else {
      return -1
    }
    return unsafe entry.pointee.slot
  }

  /// The place of a name. Its first and last four bytes and its length differ for all names of a level. For a name of
  /// three letters the quotes count.
  @inline(__always)
  fileprivate func place(_ name: UnsafePointer<UInt8>, length: Int) -> Int {
    let head = unsafe UnsafeRawPointer(name).loadUnaligned(as: UInt32.self)
    let tail = unsafe UnsafeRawPointer(name + (length &- 4)).loadUnaligned(as: UInt32.self)
    let mixed = (head &+ (tail &* 5) ^ UInt32(truncatingIfNeeded: length)) &* multiplier
    return Int(truncatingIfNeeded: mixed &>> Self.shift)
  }
}

/// The name tables of all levels, and the objects in each field.
///
/// When the tables are made, a multiplier is searched for each, so that no two names of a level share a place.
@safe
struct FieldTables {
  /// The objects with fields that a field holds.
  struct Nested {
    /// The level of the objects, or nil.
    var level: FieldLevel?
    /// Whether they are in an array.
    var isArray = false
  }

  /// All tables; they never change.
  nonisolated(unsafe) static let all = FieldTables()

  private let tables: UnsafeMutablePointer<FieldNameTable>
  private let nested: UnsafeMutablePointer<Nested>
  private static let levels = FieldLevel.allCases.count
  /// More slots than any level has, including those of the single shape's receiver.
  private static let slots = 64

  private init() {
    unsafe tables = .allocate(capacity: Self.levels)
    unsafe nested = .allocate(capacity: Self.levels * Self.slots)
    unsafe nested.initialize(repeating: Nested(), count: Self.levels * Self.slots)
    for level in FieldLevel.allCases {
      var names: [Name] = []
      for (place, field) in level.definitions.enumerated() {
        let slot = level.slot(of: place)
        names.append(Name(field.name, slot))
        if let inner = field.level, case .objects = field.shape {
          unsafe nested[level.rawValue * Self.slots + slot] = Nested(level: inner, isArray: true)
        } else {
          unsafe nested[level.rawValue * Self.slots + slot].level = field.level
        }
      }
      unsafe (tables + level.rawValue).initialize(to: Self.table(names))
    }
  }

  /// The objects in the field of a slot.
  func nested(_ level: FieldLevel, slot: Int) -> Nested { unsafe nested[level.rawValue * Self.slots + slot] }

  @inline(__always)
  subscript(level: FieldLevel) -> FieldNameTable { unsafe tables[level.rawValue] }

  private struct Name {
    /// The name with its quotes.
    let quoted: [UInt8]
    let slot: Int

    init(_ name: StaticString, _ slot: Int) {
      let quote = [UInt8(ascii: "\"")]
      quoted = unsafe quote + UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount) + quote
      self.slot = slot
    }
  }

  private static func table(_ names: [Name]) -> FieldNameTable {
    let entries = UnsafeMutablePointer<FieldNameTable.Entry>.allocate(capacity: FieldNameTable.places)
    var table = unsafe FieldNameTable(entries: entries, multiplier: 0x9E37_79B1)
    while !fill(table, names) {
      table = unsafe FieldNameTable(entries: entries, multiplier: table.multiplier &* 747_796_405 &+ 2_891_336_454)
    }
    return table
  }

  private static func fill(_ table: FieldNameTable, _ names: [Name]) -> Bool {
    unsafe table.entries.initialize(repeating: FieldNameTable.Entry(), count: FieldNameTable.places)
    for name in names {
      let length = name.quoted.count - 2
      precondition((FieldNameTable.shortest...32).contains(length), "a name of three to 32 characters")
      let entry = unsafe name.quoted.withUnsafeBufferPointer {
        unsafe table.entries + table.place($0.baseAddress! + 1, length: length)
      }
      if unsafe entry.pointee.length >= 0 { return false }
      unsafe entry.pointee.length = Int32(length)
      if length < 16 { unsafe entry.pointee.mask = 2 << UInt32(length) - 1 }
      unsafe entry.pointee.slot = name.slot
      // The head of a shorter name includes its closing quote.
      unsafe withUnsafeMutableBytes(of: &entry.pointee.head) {
        unsafe $0.copyBytes(from: name.quoted[1..<min(length + 2, 17)])
      }
      guard length > 16 else { continue }
      unsafe withUnsafeMutableBytes(of: &entry.pointee.tail) {
        unsafe $0.copyBytes(from: name.quoted[length - 15...length])
      }
    }
    return true
  }
}
