import Settlement
import TestSupport
import Testing

/// The quick look for card numbers, against the mask.
@Suite struct CardNumberRulingTests {
  @Test("what is ruled out, the mask leaves as it is; many texts are ruled out")
  func agrees() {
    var random = SeededGenerator()
    let characters = Array("00112233445566778899 -.-x/é\u{200B}４\n")
    var ruledOut = 0
    var masked = 0
    for _ in 0..<20_000 {
      let text = String(
        (0..<Int.random(in: 0...40, using: &random)).map { _ in characters.randomElement(using: &random) ?? "x" })
      let bytes = Array(text.utf8)
      let isRuledOut = bytes.withUnsafeBufferPointer { buffer in
        buffer.baseAddress.map { CardNumberMask.rulesOut($0, count: buffer.count) } ?? true
      }
      let isMasked = CardNumberMask().masked(text) != text
      if isMasked { #expect(!isRuledOut, "\(text.debugDescription); \(random.reproduction)") }
      ruledOut += isRuledOut ? 1 : 0
      masked += isMasked ? 1 : 0
    }
    #expect(ruledOut > 5000 && masked > 200)
  }

  @Test(arguments: [
    "INV-2026-00000000-2", "order 1234567890123", "", "a1b2c3d4e5f6g7h8i9j0k1l2m3n4",
  ])
  func ruledOut(_ text: String) {
    let bytes = Array(text.utf8) + [0]
    #expect(CardNumberMask.rulesOut(bytes, count: bytes.count - 1))
  }

  @Test(arguments: ["4111111111111111", "4111-1111 1111.1111", "x4111111111111111x", "９４111111111111111"])
  func left(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(!CardNumberMask.rulesOut(bytes, count: bytes.count))
  }
}
