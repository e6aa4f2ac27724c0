import Bytes
import Testing

struct SpanWordsTests {
  private let text = [UInt8](1...40)

  @Test func wordsBeginAtTheirPlace() {
    for place in 0...24 {
      // Byte i is i + 1.
      let bytes = (0..<16).map { UInt64(place + $0 + 1) }
      let eight = bytes.prefix(8).reversed().reduce(0) { $0 << 8 | $1 }
      let two = text.span.littleEndian(at: place, as: UInt16.self)
      let four = text.span.littleEndian(at: place, as: UInt32.self)
      let found = text.span.littleEndian(at: place, as: UInt64.self)
      let sixteen = text.span.sixteenBytes(at: place)
      #expect(two == UInt16(truncatingIfNeeded: eight))
      #expect(four == UInt32(truncatingIfNeeded: eight))
      #expect(found == eight)
      #expect((0..<16).allSatisfy { UInt64(sixteen[$0]) == bytes[$0] })
    }
  }

  @Test func wordsBeyondTheTextTrap() async {
    await #expect(processExitsWith: .failure) { _ = [1, 2, 3].span.littleEndian(at: 0, as: UInt32.self) }
    await #expect(processExitsWith: .failure) {
      _ = [UInt8](repeating: 0, count: 16).span.littleEndian(at: 9, as: UInt64.self)
    }
    await #expect(processExitsWith: .failure) {
      _ = [UInt8](repeating: 0, count: 16).span.littleEndian(at: -1, as: UInt64.self)
    }
    await #expect(processExitsWith: .failure) { _ = [UInt8](repeating: 0, count: 16).span.sixteenBytes(at: 1) }
  }

  @Test func bytesAreReplacedInPlace() {
    var changed = text
    var span = changed.mutableSpan
    span.copy([101, 102, 103].span, to: 2)
    span.setSixteenBytes(at: 20, to: SIMD16(repeating: 7))
    var part = span.part(38..<40)
    part[1] = 99
    var expected = text
    expected.replaceSubrange(2..<5, with: [101, 102, 103])
    expected.replaceSubrange(20..<36, with: repeatElement(7, count: 16))
    expected[39] = 99
    #expect(changed == expected)
  }

  @Test func copiesBeyondTheEndTrap() async {
    await #expect(processExitsWith: .failure) {
      var short: [UInt8] = [1, 2, 3]
      var span = short.mutableSpan
      span.copy([4, 5].span, to: 2)
    }
    await #expect(processExitsWith: .failure) {
      var short = [UInt8](repeating: 0, count: 16)
      var span = short.mutableSpan
      span.setSixteenBytes(at: 1, to: SIMD16(repeating: 7))
    }
  }

  @Test func literalsAreTheirBytes() {
    let bytes = ("10 €" as StaticString).bytes
    let expected = Array("10 €".utf8)
    #expect(bytes.count == expected.count)
    for place in expected.indices {
      let byte = bytes[place]
      #expect(byte == expected[place])
    }
  }

  enum Color: NumberedCase { case red, green, blue }

  @Test func casesAreNumberedInTheirOrder() {
    #expect(Color.allCases.map(\.caseNumber) == [0, 1, 2])
  }
}
