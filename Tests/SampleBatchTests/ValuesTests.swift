import Text
import Testing

@testable import SampleBatch

@Suite struct ValuesTests {
  @Test(arguments: [
    (0, 1, "0"), (7, 3, "007"), (10, 1, "10"), (999, 2, "999"), (1000, 1, "1000"), (.max, 1, "18446744073709551615"),
    (9_999_999_999_999_999_999, 1, "9999999999999999999"), (5, 20, "00000000000000000005"),
  ])
  func numbers(number: UInt64, digits: Int, text: String) {
    var buffer = TextBuffer()
    buffer.append(number: number, digits: digits)
    #expect(buffer.string == text)
  }

  @Test(arguments: [
    (1500, 2, "1.5e1"), (0, 2, "0e-2"), (5, 2, "5e-2"), (100, 2, "1e0"), (1234, 2, "1.234e1"), (10_203, 0, "1.0203e4"),
    (7, 0, "7e0"), (120, 0, "1.2e2"),
  ])
  func scientific(mantissa: UInt64, decimals: Int, text: String) {
    #expect(PaymentComposer.scientific(mantissa, decimals: decimals) == text)
  }
}

@Suite struct SampleRandomTests {
  @Test func blocksHaveNumbersOfTheirOwn() {
    let firsts = (0..<1000).map { block in
      var random = SampleRandom(seed: 1, block: block)
      return random.next()
    }
    #expect(Set(firsts).count == 1000)
  }

  @Test(arguments: [UInt64(1), 2, 3, 10, 100, 1000])
  func ranksFallAndStayBelowTheCount(count: UInt64) {
    var random = SampleRandom(seed: 3, block: 0)
    var times = [Int](repeating: 0, count: Int(count))
    for _ in 0..<200_000 { times[Int(random.rank(below: count))] += 1 }
    #expect(!times.contains(0))
    #expect(times[0] == times.max())
  }
}
