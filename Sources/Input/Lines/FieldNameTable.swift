import CByteScan
import Records

/// Finds a field's slot by its name at one level: one multiplication, one probe, no allocation. Most objects have their
/// fields in the order of the object before, so that the name to expect is compared first.
///
/// (Unsafe: a table has `places` entries and an empty one, and stays in memory. An order has a place for each slot that an
/// entry has, and one for the beginning.)
@safe
struct FieldNameTable: @unchecked Sendable {  // It never changes once it is made.
  struct Entry {
    /// The name, without quotes.
    fileprivate var name: StaticString = ""
    /// Its first sixteen bytes, including the closing quote.
    fileprivate var head = SIMD16<UInt8>()
    /// A bit for each byte of a name of at most 15 bytes, and for the closing quote. An empty place and a longer name match
    /// nothing here.
    fileprivate var mask: UInt32 = 1 << 16
    fileprivate var length = -1
    fileprivate var slot = -1
  }

  /// For each slot of a level, the entry of the field that followed it in an object before; the last is for the first
  /// field of an object.
  @safe
  struct Order {
    fileprivate let expected: UnsafeMutablePointer<UnsafePointer<Entry>>
  }

  /// The length of the shortest name in any table.
  private static let shortest = 3
  private static let places = 128
  private static let shift: UInt32 = 32 - 7
  /// The place in an order for the first field of an object; it is after the slots of all levels.
  static let beginning = FieldTables.slots
  private let entries: UnsafeMutablePointer<Entry>
  private let multiplier: UInt32

  /// Makes the table of these names. A multiplier is searched with which no two names share a place.
  init(_ names: [(name: StaticString, slot: Int)]) {
    unsafe entries = .allocate(capacity: Self.places + 1)
    var multiplier: UInt32 = 0x9E37_79B1
    while unsafe !Self.fill(entries, names, multiplier) { multiplier = multiplier &* 747_796_405 &+ 2_891_336_454 }
    self.multiplier = multiplier
  }

  private static func fill(
    _ entries: UnsafeMutablePointer<Entry>, _ names: [(name: StaticString, slot: Int)], _ multiplier: UInt32
  ) -> Bool {
    unsafe entries.initialize(repeating: Entry(), count: places + 1)
    for (name, slot) in names {
      let text = name.bytes
      precondition((shortest...32).contains(text.count), "a name of three to 32 characters")
      precondition(slot >= 0 && slot < FieldTables.slots)
      let place = place(of: text, multiplier)
      if unsafe entries[place].length >= 0 { return false }
      var entry = Entry(name: name, length: text.count, slot: slot)
      // A longer name is not compared as the expected one.
      if text.count < 16 {
        entry.mask = 2 << UInt32(text.count) - 1
        for at in 0..<16 { entry.head[at] = at < text.count ? text[at] : at == text.count ? UInt8(ascii: "\"") : 0 }
      }
      unsafe entries[place] = entry
    }
    return true
  }

  /// The slot of the name that begins at the cursor with its quote. Moves the cursor past the closing quote.
  ///
  /// - Parameters:
  ///   - earlier: the slot of the object's field before it, or `beginning`; becomes that of this one.
  ///   - order: the order of the level's fields in the objects before.
  /// - Returns: the slot; -1, without moving the cursor, for anything except a field of at most 15 characters without
  ///   escapes.
  @inline(__always)
  func slot(at cursor: inout LineCursor, after earlier: inout Int, _ order: Order) -> Int {
    var entry = unsafe order.expected[earlier]
    // The closing quote is compared too, so the lengths are equal.
    if unsafe !cursor.skipName(entry.pointee.head, mask: entry.pointee.mask, length: entry.pointee.length) {
      unsafe entry = unsafe self.entry(cursor)
      guard unsafe cursor.skipName(entry.pointee.head, mask: entry.pointee.mask, length: entry.pointee.length) else {
        return -1
      }
      unsafe order.expected[earlier] = unsafe entry
    }
    earlier = unsafe entry.pointee.slot
    return earlier
  }

  /// The entry that a field of at most 15 characters without escapes has, if it has one. (Without `inout`, which would keep
  /// the caller's cursor in memory.)
  @inline(never)
  private func entry(_ cursor: LineCursor) -> UnsafePointer<Entry> {
    let length = settle_quote(cursor.name).trailingZeroBitCount
    guard length >= Self.shortest, length < 16 else { return unsafe UnsafePointer(entries + Self.places) }
    let (head, tail) = (cursor.fourBytes(ofName: 0), cursor.fourBytes(ofName: length - 4))
    return unsafe UnsafePointer(entries + Self.place(head, tail, length, multiplier))
  }

  /// The slot of a name without quotes, or -1.
  func slot(of name: Span<UInt8>) -> Int {
    guard name.count >= Self.shortest else { return -1 }
    let entry = unsafe entries[Self.place(of: name, multiplier)]
    return entry.name.matches(name) ? entry.slot : -1
  }

  private static func place(of name: Span<UInt8>, _ multiplier: UInt32) -> Int {
    if name.count > shortest {
      return place(
        name.littleEndian(at: 0, as: UInt32.self), name.littleEndian(at: name.count - 4, as: UInt32.self), name.count,
        multiplier)
    }
    let letters = UInt32(name[0]) | UInt32(name[1]) << 8 | UInt32(name[2]) << 16
    let quote = UInt32(UInt8(ascii: "\""))
    return place(letters | quote << 24, letters << 8 | quote, name.count, multiplier)
  }

  /// The place of a name. Its first and last four bytes and its length differ for all names of a level. For a name of
  /// three letters the quotes count.
  @inline(__always)
  private static func place(_ head: UInt32, _ tail: UInt32, _ length: Int, _ multiplier: UInt32) -> Int {
    let mixed = (head &+ (tail &* 5) ^ UInt32(truncatingIfNeeded: length)) &* multiplier
    return Int(truncatingIfNeeded: mixed &>> shift)
  }
}

/// The orders of all levels' fields in the objects that a scanner read before.
@safe
struct FieldOrders: ~Copyable {
  private let expected: UnsafeMutablePointer<UnsafePointer<FieldNameTable.Entry>>
  private static let size = FieldTables.slots + 1

  /// Orders in which no field is expected.
  init(_ tables: FieldTables) {
    unsafe expected = .allocate(capacity: FieldLevel.allCases.count * Self.size)
    for level in FieldLevel.allCases {
      let nothing = unsafe tables[level].empty
      unsafe (expected + level.rawValue * Self.size).initialize(repeating: nothing, count: Self.size)
    }
  }

  deinit { unsafe expected.deallocate() }

  @inline(__always)
  subscript(level: FieldLevel) -> FieldNameTable.Order {
    unsafe FieldNameTable.Order(expected: expected + level.rawValue * Self.size)
  }
}

extension FieldNameTable {
  fileprivate var empty: UnsafePointer<Entry> { unsafe UnsafePointer(entries + Self.places) }
}
