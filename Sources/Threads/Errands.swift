/// Work that can be done in any order by any thread. Workers do it before they take more work of their own.
public final class Errands: @unchecked Sendable {  // `lock` guards what changes.
  private let most: Int
  private let lock = Condition()
  private var waiting: [@Sendable () -> Void] = []
  private var underWay = 0

  /// - Parameter most: the number of errands that may wait; beyond it, the caller does the work. 0 if there are no
  ///   workers.
  public init(most: Int) { self.most = most }

  /// Errands for this many worker threads. One or two do everything themselves.
  public convenience init(threads: Int) { self.init(most: Self.areUseful(threads: threads) ? threads : 0) }

  /// Whether errands and lanes of their own make a run faster. With two threads, passing texts on costs more than it
  /// gains: 5 % of the time.
  public static func areUseful(threads: Int) -> Bool { threads > 2 }

  /// Whether other threads may do the work.
  public var areShared: Bool { most > 0 }

  /// Adds an errand, or does it at once if too many are waiting.
  public func add(_ work: @escaping @Sendable () -> Void) {
    let isTaken = lock.withLock {
      guard waiting.count < most else { return false }
      waiting.append(work)
      return true
    }
    if !isTaken { work() }
  }

  /// Does one waiting errand, if there is one; returns whether it did.
  public func doOne() -> Bool {
    let work = lock.withLock {
      underWay += waiting.isEmpty ? 0 : 1
      return waiting.popLast()
    }
    guard let work else { return false }
    work()
    lock.withLock {
      underWay -= 1
      lock.broadcast()
    }
    return true
  }

  /// Does all waiting errands, and returns when those of other threads are done too.
  public func finish() {
    while doOne() {}
    lock.withLock { while underWay > 0 { lock.wait() } }
  }
}
