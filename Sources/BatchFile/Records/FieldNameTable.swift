import Glibc

/// Finds a field's slot by its name: one multiplication, one probe, no allocation.
///
/// The multiplier is searched for when the table is made, so that no two names share a place.
struct FieldNameTable {
  private struct Entry {
    var head: UInt64 = 0
    var tail: UInt64 = 0
    var length = -1
    var slot = -1
    var name: UnsafePointer<UInt8>?
  }

  private static let places = 128
  private static let shift: UInt64 = 64 - 7
  private let entries: UnsafeMutablePointer<Entry>
  private let multiplier: UInt64

  init(_ names: [(StaticString, Int)]) {
    entries = .allocate(capacity: Self.places)
    var candidate: UInt64 = 0x9E37_79B9_7F4A_7C15
    while !Self.fill(entries, names, multiplier: candidate) {
      candidate = candidate &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    }
    multiplier = candidate
  }

  func deallocate() {
    entries.deallocate()
  }

  /// The slot of the name of `length` bytes at `name`, or -1. At least 8 bytes from `name` on must be readable.
  @inline(__always)
  func slot(_ name: UnsafePointer<UInt8>, length: Int) -> Int {
    let head = Self.head(name, length: length)
    let entry = entries + Int(Self.place(head, length: length, multiplier: multiplier))
    guard entry.pointee.length == length, entry.pointee.head == head else { return -1 }
    if length <= 8 { return entry.pointee.slot }
    guard entry.pointee.tail == Self.word(name + (length - 8)) else { return -1 }
    if length <= 16 { return entry.pointee.slot }
    return memcmp(name, entry.pointee.name.unsafelyUnwrapped, length) == 0 ? entry.pointee.slot : -1
  }

  private static func fill(
    _ entries: UnsafeMutablePointer<Entry>, _ names: [(StaticString, Int)], multiplier: UInt64
  ) -> Bool {
    entries.initialize(repeating: Entry(), count: places)
    for (name, slot) in names {
      var padded = [UInt8](repeating: 0, count: 40)
      let length = name.utf8CodeUnitCount
      precondition(length + 8 <= padded.count)
      for index in 0..<length { padded[index] = name.utf8Start[index] }
      let entry = padded.withUnsafeBufferPointer { bytes -> Entry in
        let start = bytes.baseAddress.unsafelyUnwrapped
        return Entry(
          head: head(start, length: length), tail: length > 8 ? word(start + (length - 8)) : 0,
          length: length, slot: slot, name: name.utf8Start)
      }
      let place = Int(place(entry.head, length: length, multiplier: multiplier))
      if entries[place].length >= 0 { return false }
      entries[place] = entry
    }
    return true
  }

  @inline(__always)
  private static func place(_ head: UInt64, length: Int, multiplier: UInt64) -> UInt64 {
    ((head ^ UInt64(truncatingIfNeeded: length)) &* multiplier) >> shift
  }

  @inline(__always)
  private static func head(_ name: UnsafePointer<UInt8>, length: Int) -> UInt64 {
    let first = word(name)
    return length >= 8 ? first : first & ((1 << (8 * UInt64(truncatingIfNeeded: length))) &- 1)
  }

  @inline(__always)
  private static func word(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
  }
}
