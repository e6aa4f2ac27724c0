import Glibc

/// A mutex with a condition to wait for, of one address for its whole life.
public final class Lock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// - Parameter isRecursive: whether the thread that holds it may lock it again.
  public init(isRecursive: Bool = false) {
    var attributes = pthread_mutexattr_t()
    precondition(
      pthread_mutexattr_init(&attributes) == 0
        && pthread_mutexattr_settype(
          &attributes, Int32(isRecursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL)) == 0
        && pthread_mutex_init(mutex, &attributes) == 0 && pthread_cond_init(condition, nil) == 0,
      "no mutex to be had")
  }

  deinit {
    pthread_mutex_destroy(mutex)
    pthread_cond_destroy(condition)
    mutex.deallocate()
    condition.deallocate()
  }

  /// Takes the lock; waits while another thread has it.
  public func lock() { pthread_mutex_lock(mutex) }
  /// Takes the lock, unless another thread has it: then false.
  public func tryLock() -> Bool { pthread_mutex_trylock(mutex) == 0 }
  /// Lets go of the lock, which this thread has.
  public func unlock() { pthread_mutex_unlock(mutex) }

  /// Waits, within the lock, until `wakeAll()` may have changed what the caller looks at.
  public func wait() { pthread_cond_wait(condition, mutex) }
  /// Wakes all that wait in `wait()`.
  public func wakeAll() { pthread_cond_broadcast(condition) }

  /// Does something within the lock.
  @inlinable
  public func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}
