import Glibc

/// Writes a record's bytes into room reserved for it; a record that outgrows the room traps.
struct RecordWriter {
  /// Where the next byte goes.
  private(set) var at: UnsafeMutablePointer<UInt8>
  private let end: UnsafeMutablePointer<UInt8>

  /// A pen without room.
  init() {
    at = UnsafeMutablePointer(mutating: ("" as StaticString).utf8Start)
    end = at
  }

  /// Writes from `start` on, at most `room` bytes.
  init(start: UnsafeMutablePointer<UInt8>, room: Int) {
    at = start
    end = start + room
  }

  @inline(__always)
  private func need(_ count: Int) {
    precondition(end - at >= count, "a sample record outgrew its room")
  }

  /// Writes a fixed text.
  @inline(__always)
  mutating func write(_ text: StaticString) {
    let count = text.utf8CodeUnitCount
    need(count)
    memcpy(at, text.utf8Start, count)
    at += count
  }

  /// Writes one byte.
  @inline(__always)
  mutating func write(byte: UInt8) {
    need(1)
    at.pointee = byte
    at += 1
  }

  /// Writes a word of a table.
  @inline(__always)
  mutating func write(_ word: WordTable.Word) {
    need(WordTable.slotSize)
    memcpy(at, word.slot, WordTable.slotSize)
    at += word.count
  }

  /// Writes a whole number in decimal, with zeros in front up to `digits` digits.
  mutating func write(number: UInt64, digits: Int = 1) {
    need(20)
    var rest = number
    var count = 1
    var limit: UInt64 = 10
    while count < 20, rest >= limit || count < digits {
      count += 1
      let (next, overflow) = limit.multipliedReportingOverflow(by: 10)
      limit = overflow ? .max : next
    }
    var place = at + count
    at = place
    for _ in 0..<count {
      place -= 1
      let quotient = rest / 10
      place.pointee = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest - quotient * 10)
      rest = quotient
    }
  }

  /// Writes `mantissa / 10^decimals` with all its decimals.
  mutating func write(mantissa: UInt64, decimals: Int) {
    guard decimals > 0 else { return write(number: mantissa) }
    let power = PowersOfTen.of(decimals)
    write(number: mantissa / power)
    write(byte: UInt8(ascii: "."))
    write(number: mantissa % power, digits: decimals)
  }

  /// Writes `mantissa / 10^decimals` as `1.5e1`: one digit before the point, no zeros at the end.
  mutating func write(scientific mantissa: UInt64, decimals: Int) {
    var digits = mantissa
    var exponent = -decimals
    while digits != 0, digits % 10 == 0 {
      digits /= 10
      exponent += 1
    }
    var power: UInt64 = 1
    while digits / power >= 10 {
      power *= 10
      exponent += 1
    }
    write(number: digits / power)
    if power > 1 {
      write(byte: UInt8(ascii: "."))
      write(number: digits % power, digits: PowersOfTen.exponent(of: power))
    }
    write(exponent < 0 ? "e-" : "e")
    write(number: UInt64(exponent.magnitude))
  }
}

/// The powers of ten that amounts are scaled by.
enum PowersOfTen {
  /// 10 to the power of `exponent`, 0 to 19.
  @inline(__always)
  static func of(_ exponent: Int) -> UInt64 {
    var power: UInt64 = 1
    for _ in 0..<exponent { power *= 10 }
    return power
  }

  /// The exponent of a power of ten.
  static func exponent(of power: UInt64) -> Int {
    var rest = power
    var exponent = 0
    while rest >= 10 {
      rest /= 10
      exponent += 1
    }
    return exponent
  }
}
