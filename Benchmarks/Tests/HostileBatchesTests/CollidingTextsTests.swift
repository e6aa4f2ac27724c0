import Testing

@testable import HostileBatches

/// The texts collide where they should, and nowhere else.
@Suite struct CollidingTextsTests {
  private func texts(_ numbers: some Sequence<Int>) -> [[UInt8]] {
    var colliding = CollidingTexts()
    return numbers.map { number in
      var text: [UInt8] = []
      colliding.append(number, to: &text)
      return text
    }
  }

  private func family(_ family: Int) -> [[UInt8]] {
    texts(stride(from: family, to: 4 * 4000, by: CollidingTexts.families))
  }

  /// The hash of all 64 bits, computed independently of the code under test.
  private func fowlerNollVo(_ text: [UInt8]) -> UInt64 {
    text.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  @Test func theFirstFamilySharesTheLowHalfOfFNV1a() {
    let texts = family(0)
    #expect(Set(texts.map { fowlerNollVo($0) & 0xFFFF_FFFF }).count == 1)
    #expect(Set(texts.map { fowlerNollVo($0) }).count > 1)
  }

  @Test(arguments: [(1, UInt32(31)), (2, UInt32(33))])
  func theNextShareThePolynomialHash(number: Int, factor: UInt32) {
    #expect(Set(family(number).map { $0.reduce(UInt32(0)) { $0 &* factor &+ UInt32($1) } }).count == 1)
  }

  @Test func theLastSharesLengthAndEnds() {
    #expect(Set(family(3).map { [UInt8]($0.prefix(8)) + $0.suffix(8) + [UInt8($0.count)] }).count == 1)
  }

  @Test func whatFollowsDoesNotTellThemApart() {
    let suffix = Array("@mail.example,EUR".utf8)
    #expect(Set(family(0).map { fowlerNollVo($0 + suffix) & 0xFFFF_FFFF }).count == 1)
  }

  @Test func allDifferAndAreKeysAndAccounts() {
    // This covers the second chain of the first family; the last chain would take long to find.
    let last = (CollidingTexts.count - 20..<CollidingTexts.count).filter { $0 % CollidingTexts.families > 0 }
    let numbers = Array(0..<2000) + Array(16_380..<16_400) + last
    let texts = texts(numbers)
    #expect(Set(texts).count == numbers.count)
    for text in texts {
      #expect((1...64).contains(text.count))
      #expect(text.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) })
    }
  }
}
