import CSystemCalls
import Dispatch
import Glibc

/// The system's threads, as Dispatch uses them.
///
/// (Unsafe: the semaphore outlives the threads that wait for it, because they are joined before it goes.)
enum SystemThread {
  /// Gives the calling thread a name of at most 15 bytes.
  static func setName(_ name: String) { unsafe settle_name_thread(name) }

  /// The number of threads that the system provides at once, at most `wanted`.
  ///
  /// Dispatch waits until it gets the threads that it asks for, forever if the system provides no more. So this checks
  /// first, with threads that end at once.
  static func offered(_ wanted: Int) -> Int {
    let end = DispatchSemaphore(value: 0)
    var threads: [pthread_t] = []
    while threads.count < wanted {
      var thread = pthread_t()
      let code = unsafe pthread_create(
        &thread, nil,
        { end in
          if let end = unsafe end { unsafe Unmanaged<DispatchSemaphore>.fromOpaque(end).takeUnretainedValue().wait() }
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
