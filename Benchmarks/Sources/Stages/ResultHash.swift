import Text

/// 64 bits to compare the results of two runs. Fast and order-dependent; it detects accidents, not manipulation.
public struct ResultHash {
  /// The hash of what was added so far.
  public private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// The hash of nothing.
  public init() {}

  /// Adds a number.
  public mutating func add(_ number: UInt64) {
    value = (value ^ number) &* 0xBF58_476D_1CE4_E5B9
    value ^= value &>> 29
  }

  /// Adds a number.
  public mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }

  /// Adds bytes and their number.
  public mutating func add(_ bytes: Span<UInt8>) {
    add(bytes.count)
    var at = 0
    while at + 8 <= bytes.count {
      add(bytes.littleEndian(at: at, as: UInt64.self))
      at += 8
    }
    while at < bytes.count {
      add(UInt64(bytes[at]))
      at += 1
    }
  }
}
