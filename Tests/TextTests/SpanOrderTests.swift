import TestSupport
import Testing

@Suite("The order of texts, as Swift's own")
struct SpanOrderTests {
  @Test("random texts with common beginnings and zeros: compared, and by their first bytes as numbers")
  func orders() {
    var random = SeededGenerator()
    func text() -> [UInt8] {
      let start: [UInt8] = [[], [0], Array("abcdefgh".utf8), Array("abcdefghijklmnop".utf8)].randomElement(
        using: &random)!
      return start
        + (0..<Int.random(in: 0...18, using: &random)).map { _ in [0, 1, 0x61, 0xFF].randomElement(using: &random)! }
    }
    for _ in 0..<20_000 {
      let (left, right) = (text(), text())
      let order = left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
      #expect(left.span.compare(right.span).signum() == order, "\(left) \(right), \(random.reproduction)")
      #expect(left.span.precedes(right.span) == (order < 0))
      if left.span.prefix != right.span.prefix {
        #expect((left.span.prefix < right.span.prefix) == (order < 0), "\(left) \(right), \(random.reproduction)")
      }
      let place = Int.random(in: 0...left.count, using: &random)
      let padded = left.dropFirst(place).prefix(8) + [UInt8](repeating: 0, count: 8)
      #expect(left.span.word(at: place) == padded.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }, "\(left) at \(place)")
    }
  }
}
