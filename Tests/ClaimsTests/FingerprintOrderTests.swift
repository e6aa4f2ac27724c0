import Claims
import TestSupport
import Testing

@Suite("Elements in the order of their fingerprints")
struct FingerprintOrderTests {
  /// What is common to the fingerprints of an example, and how they spread.
  static let spreads: [(commonBits: Int, mask: UInt64)] = [
    (0, .max), (6, .max >> 6), (8, .max >> 8),
    // In few buckets, in one, and with equal upper halves.
    (0, 0xF0F0 << 48), (8, 0xFFFF), (8, 3), (0, 0),
  ]

  @Test("as comparing sorts them", arguments: spreads, [0, 1, 2, 3, 64, 65, 1000, 20_000])
  func sorts(spread: (commonBits: Int, mask: UInt64), count: Int) {
    var random = SeededGenerator()
    let common = spread.commonBits == 0 ? 0 : random.next() & ~(UInt64.max >> UInt64(spread.commonBits))
    let elements = (0..<count).map { number in
      Element(key: Fingerprint(low: random.next(), high: common | random.next() & spread.mask), number: number)
    }
    let sorted = Fingerprint.sorted(elements.span, commonBits: spread.commonBits) { $0.key }
    #expect(sorted == elements.sorted { $0.key < $1.key }, "\(random.reproduction)")
  }

  private struct Element: BitwiseCopyable, Equatable {
    let key: Fingerprint
    let number: Int
  }
}
