import Glibc

/// Rows of slots for the fields of objects, one after the other.
///
/// (Unsafe: there is memory for `count` slots, and for one widest row more, so that each row is as long as the widest.
/// Each write is checked. A read is only checked in builds for debugging, as that would take 1 % of a payment's
/// instructions: the scanner asks for rows that it has counted, and for slots by enumerations.)
@safe @usableFromInline
struct SlotRows: ~Copyable {
  @usableFromInline var slots: UnsafeMutablePointer<JSONSlice>
  /// The number of slots.
  @usableFromInline private(set) var count: Int

  /// Memory for a number of slots, whose values are not set.
  init(count: Int) {
    self.count = count
    unsafe slots = Self.memory(count, replacing: nil)
  }

  @inlinable deinit { unsafe free(slots) }

  /// Makes room for more slots; those there keep their values. malloc's own growing moves pages, not bytes, if a block is
  /// large.
  mutating func grow(to count: Int) {
    precondition(count >= self.count)
    unsafe slots = Self.memory(count, replacing: slots)
    self.count = count
  }

  private static func memory(
    _ count: Int, replacing old: UnsafeMutablePointer<JSONSlice>?
  ) -> UnsafeMutablePointer<JSONSlice> {
    guard let memory = unsafe realloc(old, (count + FieldTables.slots) * MemoryLayout<JSONSlice>.stride) else {
      fatalError("out of memory for the fields of a record")
    }
    return unsafe memory.assumingMemoryBound(to: JSONSlice.self)
  }

  @inlinable
  subscript(place: Int) -> JSONSlice {
    @inline(__always) get {
      assert(place >= 0 && place < count)
      return unsafe slots[place]
    }
    @inline(__always) set {
      expect(place)
      unsafe slots[place] = newValue
    }
  }

  /// Traps unless there is a slot at a place.
  @inlinable @inline(__always)
  func expect(_ place: Int) {
    precondition(UInt(bitPattern: place) < UInt(bitPattern: count), "a slot beyond the rows of a record")
  }

  /// Makes the slots of a row absent; `width` is a multiple of eight.
  @inline(__always)
  mutating func clear(_ place: Int, width: Int) {
    expect(place &+ width &- 1)
    for eight in stride(from: place, to: place &+ width, by: 8) {
      unsafe UnsafeMutableRawPointer(slots + eight).storeBytes(of: SIMD8<UInt64>.zero, as: SIMD8<UInt64>.self)
    }
  }

  /// The row that begins at a place, until there are more rows.
  @inline(__always)
  func row(at place: Int) -> SlotRow {
    expect(place)
    return unsafe SlotRow(slots: slots + place)
  }

  @_lifetime(borrow self)
  func first(_ number: Int) -> Span<JSONSlice> {
    precondition(number <= count)
    let slots = unsafe Span(_unsafeStart: slots, count: number)
    return unsafe _overrideLifetime(slots, borrowing: self)
  }
}

/// The slots of one object, by the numbers that `FieldTables` gives.
@safe
struct SlotRow {
  fileprivate let slots: UnsafeMutablePointer<JSONSlice>

  /// Whether a row has a slot. Where this is known, a write is not checked again.
  @inline(__always)
  static func has(_ slot: Int) -> Bool { UInt(bitPattern: slot) < UInt(bitPattern: FieldTables.slots) }

  @inline(__always)
  subscript(slot: Int) -> JSONSlice {
    get {
      assert(slot >= 0 && slot < FieldTables.slots)
      return unsafe slots[slot]
    }
    nonmutating set {
      precondition(Self.has(slot), "a slot beyond the widest row")
      unsafe slots[slot] = newValue
    }
  }
}
