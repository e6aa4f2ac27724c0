import Glibc
import Synchronization
import Testing
import Threads

@Suite("Work that is handed on: lanes in order, errands in any")
struct LaneTests {
  @Test("a lane does everything in order, and one thing at a time", arguments: [true, false], [1, 3, Int.max])
  func inOrder(isApart: Bool, most: Int) {
    let lane = Lane("lane", isApart: isApart, most: most)
    let done = Mutex<[Int]>([])
    let underWay = Atomic(0)
    for number in 0..<200 {
      lane.run {
        #expect(underWay.add(1, ordering: .relaxed).oldValue == 0)
        if number % 20 == 0 { usleep(200) }
        done.withLock { $0.append(number) }
        underWay.subtract(1, ordering: .relaxed)
      }
    }
    lane.finish()
    #expect(done.withLock { $0 } == Array(0..<200))
    lane.run { done.withLock { $0.append(200) } }
    #expect(done.withLock { $0.last } == 200)
    lane.finish()
  }

  @Test("a thread that gives more than may wait is made to wait")
  func isBounded() {
    let lane = Lane("lane", isApart: true, most: 2)
    let done = Atomic(0)
    for number in 0..<50 {
      lane.run {
        usleep(300)
        done.add(1, ordering: .relaxed)
      }
      // One is under way, two wait.
      #expect(number + 1 - done.load(ordering: .relaxed) <= 3)
    }
    lane.finish()
    #expect(done.load(ordering: .relaxed) == 50)
  }

  @Test("a lane without work has no thread; the thread of a separate lane is not the caller's")
  func threads() {
    Lane("lane", isApart: true).finish()
    let lane = Lane("lane", isApart: true)
    let caller = Mutex(pthread_self())
    let isSame = Mutex<Bool?>(nil)
    lane.run { isSame.withLock { $0 = pthread_equal(pthread_self(), caller.withLock { $0 }) != 0 } }
    lane.finish()
    #expect(isSame.withLock { $0 } == false)
  }

  /// The thread's name, as the system shows it.
  private static func threadName() -> String {
    let file = fopen("/proc/thread-self/comm", "r")!
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 32)
    guard fgets(&text, 32, file) != nil else { return "" }
    return String(decoding: text.prefix { $0 != 0 && $0 != 10 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  @Test("a thread has the name of its lane or its work, and the caller's keeps its own")
  func names() {
    let own = Self.threadName()
    let lane = Lane("stored digest", isApart: true)
    let names = Mutex<[String]>([])
    lane.run { names.withLock { $0.append(Self.threadName()) } }
    lane.finish()
    #expect(names.withLock { $0 } == ["stored digest"])
    WorkerThreads.run(3) { number in
      let name = Self.threadName()
      names.withLock { $0.append("\(number) \(name)") }
    }
    #expect(names.withLock { $0.dropFirst().sorted() } == ["0 \(own)", "1 worker", "2 worker"])
    #expect(Self.threadName() == own)
  }

  @Test("all errands are done once, by whichever thread takes them", arguments: [0, 1, 5], [1, 4])
  func errands(most: Int, threads: Int) {
    let errands = Errands(most: most)
    let counts = (0..<300).map { _ in Counter() }
    WorkerThreads.run(threads) { number in
      if number > 0 {
        for _ in 0..<100 {
          while errands.doOne() {}
          usleep(50)
        }
      } else {
        for count in counts { errands.add { count.add() } }
        errands.finish()
        #expect(counts.allSatisfy { $0.count == 1 })
      }
    }
    #expect(counts.allSatisfy { $0.count == 1 } && !errands.doOne())
  }

  @Test("if no other thread takes it, an errand is done at once")
  func alone() {
    let errands = Errands(threads: 1)
    let count = Counter()
    errands.add { count.add() }
    #expect(count.count == 1 && !errands.areShared && Errands(threads: 3).areShared)
  }

  private final class Counter: Sendable {
    private let value = Atomic(0)
    var count: Int { value.load(ordering: .relaxed) }
    func add() { value.add(1, ordering: .relaxed) }
  }
}
