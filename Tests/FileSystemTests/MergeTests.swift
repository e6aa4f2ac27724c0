import FileSystem
import TestSupport
import Testing

/// Numbers in ascending order.
private final class Numbers: MergeSource {
  private var rest: ArraySlice<Int>
  private(set) var current = 0

  init(_ numbers: [Int]) { rest = numbers[...] }

  func next() -> Bool {
    guard let first = rest.popFirst() else { return false }
    current = first
    return true
  }

  /// Two numbers share a prefix.
  var prefix: UInt128 { UInt128(current / 2) }

  func compare(_ other: Numbers) -> Int { current - other.current }
}

@Suite struct MergeTests {
  @Test("random sorted sources: all elements in order, equal ones in the order of the sources")
  func inOrder() {
    var generator = SeededGenerator()
    for _ in 0..<200 {
      let sources = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
        (0..<Int.random(in: 0...8, using: &generator)).map { _ in Int.random(in: 0..<6, using: &generator) }.sorted()
      }
      var merge = Merge(sources.map(Numbers.init))
      var merged: [[Int]] = []
      while let (place, source) = merge.next {
        merged.append([source.current, place])
        merge.advance()
      }
      let expected = sources.enumerated().flatMap { place, numbers in numbers.map { [$0, place] } }
        .sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }
      #expect(merged == expected, "\(generator.reproduction)")
    }
  }
}
