import Glibc
import Synchronization

/// Work that several threads do together.
public enum WorkerThreads {
  /// Does work on `count` threads at once, the caller's among them, and returns when all are done.
  ///
  /// The system may give fewer threads, or none: then it is done on those there are. So the calls must share out the
  /// work among themselves, whatever their number. (Dispatch waits until the system gives it its threads, for ever
  /// where it does not.)
  ///
  /// - Parameters:
  ///   - count: the threads that are wanted, at least 1.
  ///   - body: a worker's part. It is given the worker's number: 0, on the caller's thread, is always called, the
  ///     others, up to `count - 1`, where there is a thread for them.
  public static func run(_ count: Int, _ body: @Sendable (Int) -> Void) {
    precondition(count >= 1, "work needs a thread")
    withoutActuallyEscaping(body) { body in
      var threads: [pthread_t] = []
      for number in 1..<max(1, count) {
        guard let thread = start({ body(number) }) else { break }
        threads.append(thread)
      }
      body(0)
      for thread in threads { pthread_join(thread, nil) }
    }
  }

  /// Does something, and something else meanwhile on a thread of its own, where the system gives one.
  ///
  /// - Parameters:
  ///   - body: what is done, on the caller's thread.
  ///   - other: what is done meanwhile; it asks whether the first is done, and ends soon after.
  /// - Returns: what `body` returns, when both have ended.
  /// - Throws: what `body` throws.
  public static func run<Value, Failure: Error>(
    _ body: @Sendable () throws(Failure) -> Value, beside other: @Sendable (_ isDone: () -> Bool) -> Void
  ) throws(Failure) -> Value {
    let isDone = Atomic(false)
    let end = End<Value, Failure>()
    run(2) { worker in
      guard worker == 0 else { return other { isDone.load(ordering: .relaxed) } }
      do throws(Failure) { end.result = .success(try body()) } catch { end.result = .failure(error) }
      isDone.store(true, ordering: .relaxed)
    }
    guard let result = end.result else { preconditionFailure("worker 0 is always called") }
    return try result.get()
  }

  /// What came of it.
  private final class End<Value, Failure: Error>: @unchecked Sendable {
    var result: Result<Value, Failure>?
  }

  /// Bytes of a thread's stack. The C library keeps the stacks of ended threads, 40 MB of them, and ends the process
  /// where it cannot give back the rest: so large that work fits that does not recurse, so small that there is no rest.
  private static let stackSize = 512 << 10

  private final class Work {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }

  /// Starts a thread; nil where the system gives none.
  private static func start(_ body: @escaping () -> Void) -> pthread_t? {
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    guard pthread_attr_init(&attributes) == 0 else { return nil }
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stackSize)
    let work = Unmanaged.passRetained(Work(body))
    let code = pthread_create(
      &thread, &attributes,
      { work in
        if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    if code != 0 { work.release() }
    return code == 0 ? thread : nil
  }
}
