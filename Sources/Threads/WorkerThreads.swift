import Dispatch
import Glibc
import Synchronization

/// Work that several threads of Dispatch do together.
public enum WorkerThreads {
  /// Does work on `count` threads at once, the caller's among them, and returns when all are done.
  ///
  /// The system may give fewer threads, or none: then it is done on those there are. So the calls must share out the
  /// work among themselves, whatever their number.
  ///
  /// - Parameters:
  ///   - count: the threads that are wanted, at least 1.
  ///   - body: a worker's part. It is given the worker's number: 0, on the caller's thread, is always called, the
  ///     others, up to `count - 1`, if there is a thread for them.
  public static func run(_ count: Int, _ body: @Sendable (Int) -> Void) {
    precondition(count >= 1, "work needs a thread")
    withoutActuallyEscaping(body) { body in
      let others = DispatchGroup()
      start(count - 1, in: others) { body($0 + 1) }
      body(0)
      others.wait()
    }
  }

  /// Performs tasks 0 to `tasks` - 1 on up to `threads` threads, and returns once all are done.
  ///
  /// Each thread takes the next task that nobody has; with one thread they are done in order, on the caller's.
  public static func perform(_ tasks: Int, threads: Int, _ task: @Sendable (Int) -> Void) {
    precondition(tasks >= 0 && threads > 0)
    let taken = Atomic(0)
    run(max(1, min(threads, tasks))) { _ in
      while true {
        let number = taken.add(1, ordering: .relaxed).oldValue
        guard number < tasks else { return }
        task(number)
      }
    }
  }

  /// Starts work on up to `count` other threads, as many as the system gives, and does not wait for its end.
  ///
  /// Each has a serial queue of its own, which Dispatch gives a thread at once, however many there are for how few cores.
  /// (Queues that share out the cores' threads also need a thread and files for Dispatch itself, which ends the process
  /// where it may not open more files.)
  /// - Parameters:
  ///   - group: is entered by each of them until it is done.
  ///   - body: is given numbers from 0.
  /// - Returns: how many were started.
  @discardableResult
  public static func start(
    _ count: Int, in group: DispatchGroup, _ body: @escaping @Sendable (Int) -> Void
  ) -> Int {
    let threads = offered(count)
    for number in 0..<threads {
      DispatchQueue(label: "settle.worker").async(group: group) { body(number) }
    }
    return threads
  }

  /// How many threads the system gives at once, at most as many as are wanted.
  ///
  /// Dispatch waits until it gets the threads that it asks for, for ever if there are none. So this asks first, for
  /// threads that end at once.
  private static func offered(_ wanted: Int) -> Int {
    let end = DispatchSemaphore(value: 0)
    var threads: [pthread_t] = []
    while threads.count < wanted {
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil,
        { end in
          if let end { Unmanaged<DispatchSemaphore>.fromOpaque(end).takeUnretainedValue().wait() }
          return nil
        }, Unmanaged.passUnretained(end).toOpaque())
      guard code == 0 else { break }
      threads.append(thread)
    }
    for _ in threads { end.signal() }
    for thread in threads { pthread_join(thread, nil) }
    return threads.count
  }
}
