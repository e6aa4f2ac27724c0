/// Texts that collide under hash functions without a key, to attack programs that hash a batch's texts with such a
/// function.
///
/// They come in families; successive numbers take turns among the families:
/// - the low 32 bits of FNV-1a (64 bits), 4,096 texts of each value, so that a table of up to 2^32 slots puts them
///   into one;
/// - h = 31 h + byte, as Java hashes strings; h = 33 h + byte, as many C programs do;
/// - the same length, first 8 bytes and last 8 bytes, for hashes that read only the ends.
///
/// All bytes are lower-case letters and digits. Texts differ from each other, and each has at most 64 bytes.
struct CollidingTexts {
  /// The number of texts.
  static let count = families << bits
  /// Text `n` is of family `n % families`.
  static let families = 4
  private static let bits = 16
  private static let chainBits = 12

  private typealias Choice = (zero: [UInt8], one: [UInt8])
  private static let times31: Choice = (Array("c0".utf8), Array("an".utf8))
  private static let times33: Choice = (Array("d0".utf8), Array("br".utf8))
  /// The beginnings of the chains made so far, and for each bit the possible continuations, which all give the same
  /// hash.
  private var chains: [(start: [UInt8], choices: [Choice])] = []

  /// Appends text `number`, from 0 to below ``count``.
  mutating func append(_ number: Int, to text: inout [UInt8]) {
    precondition((0..<Self.count).contains(number), "there are no more colliding texts")
    let (place, family) = number.quotientAndRemainder(dividingBy: Self.families)
    switch family {
    case 0:
      while chains.count <= place >> Self.chainBits { addChain() }
      let chain = chains[place >> Self.chainBits]
      text += chain.start
      for (bit, choice) in chain.choices.enumerated() { text += place >> bit & 1 == 0 ? choice.zero : choice.one }
    case 1: for bit in 0..<Self.bits { text += place >> bit & 1 == 0 ? Self.times31.zero : Self.times31.one }
    case 2: for bit in 0..<Self.bits { text += place >> bit & 1 == 0 ? Self.times33.zero : Self.times33.one }
    default: text += Array("payment0".utf8) + Self.digits(place, count: 8) + Array("00000000".utf8)
    }
  }

  private static func digits(_ number: Int, count: Int) -> [UInt8] {
    var rest = number
    var digits = [UInt8](repeating: 0, count: count)
    for place in digits.indices.reversed() {
      let digit = UInt8(rest % 36)
      digits[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
      rest /= 36
    }
    return digits
  }

  /// The low 32 bits of FNV-1a's 64, which do not depend on the others.
  static func fowlerNollVo(_ bytes: [UInt8], from state: UInt32 = 0x8422_2325) -> UInt32 {
    bytes.reduce(state) { ($0 ^ UInt32($1)) &* 0x1B3 }
  }

  private mutating func addChain() {
    let start = Self.digits(chains.count, count: 2)
    var state = Self.fowlerNollVo(start)
    let choices = (0..<Self.chainBits).map { _ in
      let choice = Self.collision(from: state)
      state = Self.fowlerNollVo(choice.zero, from: state)
      return choice
    }
    chains.append((start, choices))
  }

  /// Two pieces of five bytes after which the state is the same. By the birthday paradox, this takes some 80,000 tries.
  private static func collision(from state: UInt32) -> Choice {
    var seen: [UInt32: Int] = [:]
    seen.reserveCapacity(1 << 18)
    for number in 0..<1 << 22 {
      // Scattered over all pieces: neighbours hardly ever collide.
      let place = number &* 36_969_101 % 60_466_176
      let piece = digits(place, count: 5)
      if let other = seen.updateValue(place, forKey: fowlerNollVo(piece, from: state)) {
        return (digits(other, count: 5), piece)
      }
    }
    preconditionFailure("no two of four million pieces collide in 32 bits")
  }
}
