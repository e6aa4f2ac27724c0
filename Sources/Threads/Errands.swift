/// Work that may be done in any order, by whichever thread comes by: workers do it before they take more of their own.
public final class Errands: @unchecked Sendable {  // It has a lock.
  private let most: Int
  private let lock = Condition()
  private var waiting: [@Sendable () -> Void] = []
  private var underWay = 0

  /// - Parameter most: how much may wait; who gives more does it. 0 if nobody comes by.
  public init(most: Int) { self.most = most }

  /// What workers of so many threads do: the only one has nobody to leave anything to.
  public convenience init(threads: Int) { self.init(most: threads == 1 ? 0 : threads) }

  /// Whether others may do what is given.
  public var areShared: Bool { most > 0 }

  /// Has something done.
  public func add(_ work: @escaping @Sendable () -> Void) {
    let isTaken = lock.withLock {
      guard waiting.count < most else { return false }
      waiting.append(work)
      return true
    }
    if !isTaken { ThreadClock.count(as: .writing, work) }
  }

  /// Does one that waits; false if none does.
  public func doOne() -> Bool {
    let work = lock.withLock {
      underWay += waiting.isEmpty ? 0 : 1
      return waiting.popLast()
    }
    guard let work else { return false }
    ThreadClock.count(as: .writing, work)
    lock.withLock {
      underWay -= 1
      lock.broadcast()
    }
    return true
  }

  /// Does all that waits, and returns once all is done that was given.
  public func finish() {
    while doOne() {}
    lock.withLock { while underWay > 0 { lock.wait() } }
  }
}
