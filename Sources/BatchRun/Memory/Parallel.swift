import Dispatch

/// Work that falls into tasks which need nothing of each other.
enum Parallel {
  /// Performs tasks 0 to `tasks` - 1 on up to `threads` threads, and returns once all are done.
  ///
  /// Each thread takes every `threads`-th task; with one thread they are done in order, on the caller's.
  static func perform(_ tasks: Int, threads: Int, _ task: @Sendable (Int) -> Void) {
    precondition(tasks >= 0 && threads > 0)
    guard threads > 1, tasks > 1 else {
      for number in 0..<tasks { task(number) }
      return
    }
    DispatchQueue.concurrentPerform(iterations: min(threads, tasks)) { thread in
      for number in stride(from: thread, to: tasks, by: threads) { task(number) }
    }
  }
}
