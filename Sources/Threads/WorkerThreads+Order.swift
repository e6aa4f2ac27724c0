import Dispatch

extension WorkerThreads {
  /// Makes the results of tasks 0 to `tasks` - 1 on up to `threads` threads, and takes them in order on the caller's
  /// thread.
  ///
  /// While the next result is not ready, the caller's thread also makes results. At most twice as many results as
  /// threads are made ahead. If `take` throws, or `make` for a result whose turn it is, no further results are made, and
  /// the error is thrown.
  ///
  /// - Parameters:
  ///   - make: returns a task's result; called by several threads at a time.
  ///   - take: called with one result after the other.
  public static func inOrder<Made: Sendable, Failure: Error>(
    _ tasks: Int, threads: Int, make: @Sendable (Int) throws(Failure) -> Made, take: (Made) throws(Failure) -> Void
  ) throws(Failure) {
    guard tasks > 0 else { return }
    let results = OrderedResults<Result<Made, Failure>>(tasks, ahead: 2 * threads)
    var failure: Failure?
    withoutActuallyEscaping(make) { make in
      @Sendable func put(_ number: Int) {
        results.put(Result { () throws(Failure) in try make(number) }, number)
      }
      let others = DispatchGroup()
      start(min(threads, tasks) - 1, named: taskName, in: others) { _ in
        while let number = results.claim(waits: true) { put(number) }
      }
      do throws(Failure) {
        for number in 0..<tasks {
          while !results.has(number), let own = results.claim(waits: false) { put(own) }
          try take(results.remove(number).get())
        }
      } catch { failure = error }
      results.stop()
      others.wait()
    }
    if let failure { throw failure }
  }
}

/// Results of tasks, made in any order and taken in order.
private final class OrderedResults<Made: Sendable>: @unchecked Sendable {  // `lock` guards what changes.
  private let lock = Condition()
  private let tasks: Int
  private let ahead: Int
  private var next = 0
  private var taken = 0
  private var made: [Int: Made] = [:]
  private var isStopped = false

  init(_ tasks: Int, ahead: Int) { (self.tasks, self.ahead) = (tasks, ahead) }

  /// The next task; nil if none is left or, without `waits`, if enough results are made ahead.
  func claim(waits: Bool) -> Int? {
    lock.withLock {
      while waits, !isStopped, next < tasks, next >= taken + ahead { lock.wait() }
      guard !isStopped, next < tasks, next < taken + ahead else { return nil }
      next += 1
      return next - 1
    }
  }

  func put(_ result: Made, _ number: Int) {
    lock.withLock {
      made[number] = result
      lock.broadcast()
    }
  }

  func has(_ number: Int) -> Bool { lock.withLock { made[number] != nil } }

  /// Waits for a result, which some thread has claimed.
  func remove(_ number: Int) -> Made {
    lock.withLock {
      while true {
        if let result = made.removeValue(forKey: number) {
          taken = number + 1
          lock.broadcast()
          return result
        }
        lock.wait()
      }
    }
  }

  func stop() {
    lock.withLock {
      isStopped = true
      lock.broadcast()
    }
  }
}
