import Dispatch
import Synchronization

/// Work shared by several Dispatch threads.
public enum WorkerThreads {
  /// The name of threads that make something of several tasks.
  static let taskName = "tasks"

  /// Runs `body` on `count` threads at once, including the caller's, and returns when all are done.
  ///
  /// The system may provide fewer threads, or none besides the caller's. So the calls must divide the work among
  /// themselves, however many there are.
  ///
  /// - Parameters:
  ///   - count: the number of threads wanted, at least 1.
  ///   - body: a worker's part. Its argument is the worker's number. Worker 0 always runs, on the caller's thread;
  ///     workers 1 to `count - 1` run if there are threads for them.
  public static func run(_ count: Int, _ body: @Sendable (Int) -> Void) { run(count, named: "worker", body) }

  private static func run(_ count: Int, named name: String, _ body: @Sendable (Int) -> Void) {
    precondition(count >= 1, "work needs a thread")
    withoutActuallyEscaping(body) { body in
      let others = DispatchGroup()
      start(count - 1, named: name, in: others) { body($0 + 1) }
      body(0)
      others.wait()
    }
  }

  /// Performs tasks 0 to `tasks` - 1 on up to `threads` threads, and returns once all are done.
  ///
  /// Each thread takes the next free task. With one thread, tasks run in order on the caller's. If a task throws, those
  /// after it that have not begun are left out, and the first failure in the order of the tasks is thrown.
  public static func perform<Failure: Error>(
    _ tasks: Int, threads: Int, _ task: @Sendable (Int) throws(Failure) -> Void
  ) throws(Failure) {
    precondition(tasks >= 0 && threads > 0)
    let taken = Atomic(0)
    let first = FirstFailure<Failure>()
    run(max(1, min(threads, tasks)), named: taskName) { _ in
      while true {
        let number = taken.add(1, ordering: .relaxed).oldValue
        guard number < tasks else { return }
        first.perform(at: number) { () throws(Failure) in try task(number) }
      }
    }
    try first.check()
  }

  /// Starts work on up to `count` other threads, if the system provides them, and does not wait for its end.
  ///
  /// Each has a serial queue of its own. Dispatch gives such a queue a thread at once, however many there are and
  /// however few cores. (Queues that share threads need another thread and files for Dispatch itself; if no more files
  /// may be opened, that ends the process.)
  /// - Parameters:
  ///   - name: their name, at most 15 bytes: `top`, `perf` and `tools/measure lanes` show it.
  ///   - group: each of them enters it and leaves it when done.
  ///   - body: called with numbers from 0.
  /// - Returns: the number of threads started.
  @discardableResult
  public static func start(
    _ count: Int, named name: String, in group: DispatchGroup, _ body: @escaping @Sendable (Int) -> Void
  ) -> Int {
    let threads = SystemThread.offered(count)
    for number in 0..<threads {
      DispatchQueue(label: "settle.\(name)").async(group: group) {
        SystemThread.setName(name)
        body(number)
      }
    }
    return threads
  }
}
