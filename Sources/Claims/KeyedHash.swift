/// Hashes with a secret key made for each run or ledger. Batches may be hostile, and no one can attack a table whose key
/// they do not know.
///
/// Fingerprints are SipHash (Aumasson and Bernstein, *SipHash: a fast short-input PRF*, 2012; the 128-bit variant is the
/// authors').
public struct KeyedHash: Sendable, Equatable {
  /// The lower half of the key.
  public let key0: UInt64
  /// The upper half of the key.
  public let key1: UInt64

  /// Makes a hash with a new random key.
  public init() {
    #if SETTLE_PROFILE  // Only for a command that counts what it does (tools/lib/release/profile.py).
    self.init(key0: 1, key1: 2)
    #else
    var random = SystemRandomNumberGenerator()
    self.init(key0: random.next(), key1: random.next())
    #endif
  }

  /// Makes a hash with a given key: the ledger's, or one that several parts of a batch share.
  public init(key0: UInt64, key1: UInt64) {
    self.key0 = key0
    self.key1 = key1
  }

  private struct State {
    var v0: UInt64
    var v1: UInt64
    var v2: UInt64
    var v3: UInt64

    @inline(__always)
    mutating func round() {
      v0 = v0 &+ v1
      v2 = v2 &+ v3
      v1 = (v1 << 13 | v1 >> 51) ^ v0
      v3 = (v3 << 16 | v3 >> 48) ^ v2
      v0 = v0 << 32 | v0 >> 32
      v2 = v2 &+ v1
      v0 = v0 &+ v3
      v1 = (v1 << 17 | v1 >> 47) ^ v2
      v3 = (v3 << 21 | v3 >> 43) ^ v0
      v2 = v2 << 32 | v2 >> 32
    }

    var folded: UInt64 { v0 ^ v1 ^ v2 ^ v3 }
  }

  /// A hash of a text for tables in memory, which compare the keys themselves.
  ///
  /// Sixteen bytes at a time are mixed with the secret key by a multiplication, and the product's halves are folded into
  /// one, as foldhash does. It takes a third of the instructions of SipHash. It is for tables whose hashes no one sees:
  /// without them no one can learn the key.
  public func tableHash(_ text: Span<UInt8>) -> UInt64 {
    let count = text.count
    var state = key0
    if count < 8 {
      state = Self.fold((count > 0 ? text.shortWord(from: 0) : 0) ^ key1, state)
    } else {
      var at = 0
      while at &+ 16 < count {
        state = fold(text, first: at, last: at &+ 8, state)
        at &+= 16
      }
      // The last sixteen bytes, some of them again; of a shorter text its first and last eight.
      state = fold(text, first: max(0, count &- 16), last: count &- 8, state)
    }
    // Texts of several lengths may have the same words.
    return Self.fold(state, key1 ^ Self.multiplier ^ UInt64(truncatingIfNeeded: count))
  }

  @inline(__always)
  private func fold(_ text: Span<UInt8>, first: Int, last: Int, _ state: UInt64) -> UInt64 {
    Self.fold(
      text.littleEndian(at: first, as: UInt64.self) ^ key1, text.littleEndian(at: last, as: UInt64.self) ^ state)
  }

  /// 2^64 divided by the golden ratio, odd.
  private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// The halves of a product, folded into one.
  @inline(__always)
  private static func fold(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let product = one.multipliedFullWidth(by: other)
    return product.high ^ product.low
  }

  /// SipHash-2-4 of a text, 128 bits wide, for tables that store nothing else about their keys.
  public func fingerprint(_ text: Span<UInt8>) -> Fingerprint {
    var state = start()
    Self.absorb(text, into: &state)
    state.v2 ^= 0xEE
    for _ in 0..<4 { state.round() }
    let low = state.folded
    state.v1 ^= 0xDD
    for _ in 0..<4 { state.round() }
    return Fingerprint(low: low, high: state.folded)
  }

  @inline(__always)
  private func start() -> State {
    State(
      v0: key0 ^ 0x736F_6D65_7073_6575, v1: key1 ^ 0x646F_7261_6E64_6F6D ^ 0xEE,
      v2: key0 ^ 0x6C79_6765_6E65_7261, v3: key1 ^ 0x7465_6462_7974_6573)
  }

  /// The bytes after the last full word, as the low bytes of a word.
  @inline(__always)
  private static func tail(_ text: Span<UInt8>) -> UInt64 {
    let left = text.count & 7
    if left == 0 { return 0 }
    if text.count >= 8 {
      return text.littleEndian(at: text.count - 8, as: UInt64.self) >> UInt64(truncatingIfNeeded: 8 * (8 - left))
    }
    var word: UInt64 = 0
    for at in 0..<left { word |= UInt64(text[at]) << UInt64(truncatingIfNeeded: 8 * at) }
    return word
  }

  @inline(__always)
  private static func absorb(_ text: Span<UInt8>, into state: inout State) {
    var at = 0
    while at + 8 <= text.count {
      let word = text.littleEndian(at: at, as: UInt64.self)
      state.v3 ^= word
      for _ in 0..<2 { state.round() }
      state.v0 ^= word
      at += 8
    }
    let last = UInt64(truncatingIfNeeded: text.count) << 56 | tail(text)
    state.v3 ^= last
    for _ in 0..<2 { state.round() }
    state.v0 ^= last
  }
}
