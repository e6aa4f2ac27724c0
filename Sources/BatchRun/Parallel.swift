import Synchronization
import Threads

/// Work that falls into tasks which need nothing of each other.
enum Parallel {
  /// Performs tasks 0 to `tasks` - 1 on up to `threads` threads, and returns once all are done.
  ///
  /// Each thread takes the next task that nobody has; with one thread they are done in order, on the caller's.
  static func perform(_ tasks: Int, threads: Int, _ task: @Sendable (Int) -> Void) {
    precondition(tasks >= 0 && threads > 0)
    let taken = Atomic(0)
    WorkerThreads.run(max(1, min(threads, tasks))) { _ in
      while true {
        let number = taken.add(1, ordering: .relaxed).oldValue
        guard number < tasks else { return }
        task(number)
      }
    }
  }
}
