import Dispatch

/// Does one thing after the other, in the order in which it is given, apart from those who give it.
///
/// It has a thread from the first on, until it is finished; where the system gives none, those who give it work do it.
public final class Lane: @unchecked Sendable {  // It has a lock.
  private let part: ThreadClock.Part
  private let most: Int
  private let lock = Condition()
  private let group = DispatchGroup()
  /// Whether a thread does the work; nil until there is some.
  private var hasThread: Bool?
  private var waiting: [@Sendable () -> Void] = []
  private var isFinished = false

  /// - Parameters:
  ///   - part: what its time counts as.
  ///   - isApart: whether it may have a thread.
  ///   - most: how much may wait; who gives more waits, too.
  public init(_ part: ThreadClock.Part, isApart: Bool, most: Int = .max) {
    self.part = part
    self.most = most
    hasThread = isApart ? nil : false
  }

  /// Has something done after all that was given before. One thread at a time may give.
  public func run(_ work: @escaping @Sendable () -> Void) {
    if hasThread == nil { hasThread = WorkerThreads.start(1, in: group) { [self] _ in workOff() } > 0 }
    guard hasThread == true else { return ThreadClock.count(as: part, work) }
    lock.withLock {
      while waiting.count >= most { lock.wait() }
      waiting.append(work)
      lock.broadcast()
    }
  }

  private func workOff() {
    while let work = next() { ThreadClock.count(as: part, work) }
  }

  private func next() -> (@Sendable () -> Void)? {
    lock.withLock {
      while waiting.isEmpty, !isFinished { lock.wait() }
      defer { lock.broadcast() }
      return waiting.isEmpty ? nil : waiting.removeFirst()
    }
  }

  /// Waits until all is done. Its owner must call it; what is given afterwards is done at once.
  public func finish() {
    lock.withLock {
      isFinished = true
      lock.broadcast()
    }
    group.wait()
    hasThread = false
  }
}
