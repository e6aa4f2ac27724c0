import Glibc
import Synchronization
import Testing
import Threads

@Suite struct WorkerThreadsTests {
  @Test("each worker is called once, and all are done in the end", arguments: [1, 2, 7, 64])
  func callsEach(count: Int) {
    let calls = (0..<64).map { _ in Counter() }
    WorkerThreads.run(count) { number in
      usleep(1000)
      calls[number].add()
    }
    #expect(calls.map(\.count) == (0..<64).map { $0 < count ? 1 : 0 })
  }

  @Test("the first worker is the caller's thread")
  func callerWorks() {
    let caller = pthread_self()
    let same = Counter()
    WorkerThreads.run(3) { number in
      if (pthread_equal(pthread_self(), caller) != 0) == (number == 0) { same.add() }
    }
    #expect(same.count == 3)
  }

  @Test("beside the first something else goes on until it is done; both have ended then")
  func beside() {
    let turns = Counter()
    let value = WorkerThreads.run({
      while turns.count < 10 { usleep(1000) }
      return 7
    }) { isDone in
      while !isDone() {
        turns.add()
        usleep(100)
      }
      turns.add()
    }
    #expect(value == 7 && turns.count > 10)
  }

  @Test func besideThrows() {
    struct Broken: Error {}
    let ended = Counter()
    #expect(throws: Broken.self) {
      try WorkerThreads.run({ () throws(Broken) -> Int in throw Broken() }) { isDone in
        while !isDone() { usleep(100) }
        ended.add()
      }
    }
    #expect(ended.count == 1)
  }

  /// A process without threads to spare is tried by tools/fault-campaign.
  private final class Counter: Sendable {
    private let value = Atomic(0)
    var count: Int { value.load(ordering: .relaxed) }
    func add() { value.add(1, ordering: .relaxed) }
  }
}
