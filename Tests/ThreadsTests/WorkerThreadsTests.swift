import Dispatch
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

  @Test("each task is done once, by any number of threads", arguments: [1, 2, 5, 64], [0, 1, 3, 100])
  func performsEach(threads: Int, tasks: Int) {
    let calls = (0..<100).map { _ in Counter() }
    WorkerThreads.perform(tasks, threads: threads) { calls[$0].add() }
    #expect(calls.map(\.count) == (0..<100).map { $0 < tasks ? 1 : 0 })
  }

  @Test("one thread does the tasks in order, itself")
  func performsInOrder() {
    let order = Mutex<[Int]>([])
    let caller = pthread_self()
    WorkerThreads.perform(10, threads: 1) { task in
      if pthread_equal(pthread_self(), caller) != 0 { order.withLock { $0.append(task) } }
    }
    #expect(order.withLock { $0 } == Array(0..<10))
  }

  private struct Stop: Error, Equatable { let number: Int }

  @Test("the first failure in the order of the tasks is thrown, and none begin after it", arguments: [1, 2, 5, 64])
  func throwsFirst(threads: Int) {
    for first in [0, 7, 98] {
      let calls = Counter()
      #expect(throws: Stop(number: first)) {
        try WorkerThreads.perform(100, threads: threads) { number throws(Stop) in
          calls.add()
          // The first one fails last.
          if number == first { usleep(2000) }
          if number >= first { throw Stop(number: number) }
        }
      }
      #expect(calls.count >= first + 1 && calls.count <= first + threads)
    }
  }

  @Test("as many threads as asked work at once, more than there are cores, and within one another")
  func worksAtOnce() {
    let arrived = Counter()
    let deadline = DispatchTime.now() + 60
    WorkerThreads.run(16) { number in
      arrived.add()
      if number == 3 { WorkerThreads.run(9) { if $0 > 0 { arrived.add() } } }
      while arrived.count < 24, DispatchTime.now() < deadline { usleep(100) }
    }
    #expect(DispatchTime.now() < deadline && arrived.count == 24)
  }

  /// A process without threads to spare is tried by tools/faults.
  private final class Counter: Sendable {
    private let value = Atomic(0)
    var count: Int { value.load(ordering: .relaxed) }
    func add() { value.add(1, ordering: .relaxed) }
  }
}
