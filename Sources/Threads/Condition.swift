import Glibc

/// A lock whose holders can wait for changes by others. `NSCondition` would bring in Foundation.
///
/// (Unsafe: the lock and the condition stay where they are until the object is deinitialized.)
@safe
public final class Condition: @unchecked Sendable {  // POSIX locks are meant for several threads.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// - Parameter isRecursive: whether a thread that holds the lock may take it again.
  public init(isRecursive: Bool = false) {
    var attributes = pthread_mutexattr_t()
    unsafe pthread_mutexattr_init(&attributes)
    unsafe pthread_mutexattr_settype(&attributes, Int32(isRecursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL))
    unsafe pthread_mutex_init(mutex, &attributes)
    unsafe pthread_mutexattr_destroy(&attributes)
    unsafe pthread_cond_init(changed, nil)
  }

  deinit {
    unsafe pthread_cond_destroy(changed)
    unsafe pthread_mutex_destroy(mutex)
    unsafe changed.deallocate()
    unsafe mutex.deallocate()
  }

  public func lock() { unsafe pthread_mutex_lock(mutex) }

  /// Releases the lock.
  public func unlock() { unsafe pthread_mutex_unlock(mutex) }

  /// Runs `body` while holding the lock.
  public func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body()
  }

  /// Releases the lock until another thread signals a change; it may also return without one.
  public func wait() { unsafe pthread_cond_wait(changed, mutex) }

  /// Signals a change: all waiting threads continue.
  public func broadcast() { unsafe pthread_cond_broadcast(changed) }
}
