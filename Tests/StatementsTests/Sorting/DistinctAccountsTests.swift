import TestSupport
import Testing

@testable import Statements

/// The counting of accounts, against a set.
@Suite struct DistinctAccountsTests {
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func counts(seed: UInt64) {
    print("DistinctAccountsTests seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var accounts = DistinctAccounts()
    var expected: Set<Int> = []
    for _ in 0..<30_000 {
      let number = Int.random(in: 0..<20_000, using: &random)
      expected.insert(number)
      Array("shop\(number)@mail.example".utf8).withUnsafeBufferPointer { accounts.meet($0) }
      // Two hashes of 63 bits are the same once in some ten thousand million times.
      guard accounts.count == expected.count else {
        Issue.record("counted \(accounts.count) of \(expected.count)")
        return
      }
    }
  }

  @Test func knowsALimit() {
    var accounts = DistinctAccounts()
    for number in 0..<DistinctAccounts.most + 1000 {
      withUnsafeBytes(of: number.bigEndian) { $0.withMemoryRebound(to: UInt8.self) { accounts.meet($0) } }
    }
    #expect(accounts.count == DistinctAccounts.most)
  }
}
