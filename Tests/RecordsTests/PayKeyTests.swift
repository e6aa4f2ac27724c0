import Testing

@Suite("Pay keys and batch identifiers")
struct PayKeyTests {
  static let alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
  static let identifier = "-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"

  @Test("characters of a key: the first a letter or digit, later ones also . _ -")
  func keyCharacters() {
    #expect(Characters.taken { Judged.payKey($0) } == Self.alphanumeric)
    #expect(Characters.taken { Judged.payKey($0 + "a") } == Self.alphanumeric)
    #expect(Characters.taken { Judged.payKey("a" + $0) } == Self.identifier)
    #expect(Characters.taken { Judged.payKey("a" + $0 + "a") } == Self.identifier)
  }

  @Test("characters of an identifier; the first is like the others")
  func identifierCharacters() {
    #expect(Characters.taken { Judged.batchIdentifier($0) } == Self.identifier)
    #expect(Characters.taken { Judged.batchIdentifier("a" + $0) } == Self.identifier)
  }

  @Test(
    "1 to 64 characters",
    arguments: [(0, false), (1, true), (2, true), (63, true), (64, true), (65, false), (1000, false)])
  func lengths(count: Int, isValid: Bool) {
    let text = String(repeating: "a", count: count)
    #expect(Judged.payKey(text) == isValid)
    #expect(Judged.batchIdentifier(text) == isValid)
  }
}
