/// A deterministic generator of pseudo-random numbers: xoshiro256**, seeded by SplitMix64.
///
/// Each block of payments has its own generator, so that blocks can be made in any order.
struct SampleRandom {
  private var state: (UInt64, UInt64, UInt64, UInt64)

  /// The generator of one block of one batch.
  init(seed: UInt64, block: Int) {
    var splitMix = SampleRandom.mixed(seed) ^ UInt64(block)
    func word() -> UInt64 {
      splitMix &+= 0x9E37_79B9_7F4A_7C15
      return SampleRandom.mixed(splitMix)
    }
    state = (word(), word(), word(), word())
  }

  /// The next 64 bits.
  @inline(__always)
  mutating func next() -> UInt64 {
    let result = SampleRandom.rotated(state.1 &* 5, by: 7) &* 9
    let shifted = state.1 &<< 17
    state.2 ^= state.0
    state.3 ^= state.1
    state.1 ^= state.2
    state.0 ^= state.3
    state.2 ^= shifted
    state.3 = SampleRandom.rotated(state.3, by: 45)
    return result
  }

  /// A number from 0 to below `bound`, which must be above 0.
  @inline(__always)
  mutating func below<Number: BinaryInteger>(_ bound: Number) -> Number {
    Number(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  @inline(__always)
  mutating func any<Element>(of list: [Element]) -> Element {
    list[below(list.count)]
  }

  /// True in `percent` of 100 cases.
  @inline(__always)
  mutating func chance(_ percent: Int) -> Bool {
    below(100) < percent
  }

  /// A rank from 0 to below `count` by Zipf's law: rank `n` is drawn about `1 / (n + 1)` as often as rank 0.
  ///
  /// It uses only integers: it first draws an octave, each with the same chance, and then a rank within it.
  mutating func rank(below count: UInt64) -> UInt64 {
    precondition(count > 0)
    let octaves = UInt64.bitWidth - count.leadingZeroBitCount
    let first: UInt64 = 1 << UInt64(below(octaves))
    let place = first - 1 + below(first)
    return place < count ? place : place - count
  }

  /// A one-to-one scrambling of 64 bits (SplitMix64's finaliser).
  @inline(__always)
  static func mixed(_ bits: UInt64) -> UInt64 {
    var mixed = bits
    mixed = (mixed ^ mixed &>> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed &>> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed &>> 31
  }

  @inline(__always)
  private static func rotated(_ bits: UInt64, by places: UInt64) -> UInt64 {
    bits &<< places | bits &>> (64 &- places)
  }
}
