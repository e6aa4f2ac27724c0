import Glibc
import Synchronization
import Testing
import Threads

@Suite("Results that are made on several threads and taken in order")
struct OrderedWorkTests {
  private struct Stop: Error, Equatable { let number: Int }

  @Test("each is taken once, in order, on the caller's thread", arguments: [1, 2, 7, 64], [0, 1, 2, 100])
  func inOrder(threads: Int, tasks: Int) {
    var taken: [Int] = []
    let caller = pthread_self()
    WorkerThreads.inOrder(tasks, threads: threads) { number in
      usleep(UInt32(number * 7919 % 300))
      return number
    } take: { number in
      #expect(pthread_equal(pthread_self(), caller) != 0)
      taken.append(number)
    }
    #expect(taken == Array(0..<tasks))
  }

  @Test("few are made ahead of the one that is taken", arguments: [1, 3])
  func isBounded(threads: Int) {
    let made = Atomic(0)
    var most = 0
    var taken = 0
    WorkerThreads.inOrder(200, threads: threads) { _ in
      _ = made.add(1, ordering: .relaxed)
    } take: { _ in
      usleep(100)
      most = max(most, made.load(ordering: .relaxed) - taken)
      taken += 1
    }
    // The one that is taken is there, too.
    #expect(most <= 2 * threads + 1)
  }

  @Test("what is thrown while a result is made is thrown in its turn", arguments: [1, 2, 7])
  func throwsMade(threads: Int) {
    var last = -1
    #expect(throws: Stop(number: 5)) {
      try WorkerThreads.inOrder(100, threads: threads) { number throws(Stop) in
        if number >= 5 { throw Stop(number: number) }
        return number
      } take: { (number: Int) throws(Stop) in
        last = number
      }
    }
    #expect(last == 4)
  }

  @Test("what is thrown ends it", arguments: [1, 2, 7])
  func throwsOn(threads: Int) {
    var last = -1
    #expect(throws: Stop(number: 5)) {
      try WorkerThreads.inOrder(100, threads: threads) { number throws(Stop) in
        number
      } take: { (number: Int) throws(Stop) in
        if number == 5 { throw Stop(number: number) }
        last = number
      }
    }
    #expect(last == 4)
  }
}
