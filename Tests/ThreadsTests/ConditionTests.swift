import Dispatch
import Synchronization
import Testing
import Threads

@Suite("A lock with a condition")
struct ConditionTests {
  @Test("one thread holds it at a time")
  func excludes() {
    let condition = Condition()
    nonisolated(unsafe) var count = 0
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<10_000 { condition.withLock { count += 1 } }
    }
    #expect(count == 80_000)
  }

  @Test("threads wait until their condition is met")
  func waits() {
    let condition = Condition()
    nonisolated(unsafe) var turn = 0
    DispatchQueue.concurrentPerform(iterations: 2) { number in
      for round in 0..<500 {
        condition.withLock {
          while turn != 2 * round + number { condition.wait() }
          turn += 1
          condition.broadcast()
        }
      }
    }
    #expect(turn == 1000)
  }

  @Test("a recursive one may be taken again by the thread that holds it")
  func recurses() {
    let condition = Condition(isRecursive: true)
    #expect(condition.withLock { condition.withLock { 5 } } == 5)
  }
}
