import Dispatch

/// Does one task after the other, in the order in which they are added, on a thread of its own.
///
/// Its thread starts with the first task and ends with `finish`. If the system provides no thread, the caller does the
/// work.
public final class Lane: @unchecked Sendable {  // `lock` guards the tasks; one thread at a time adds them.
  private let name: String
  private let most: Int
  private let lock = Condition()
  private let group = DispatchGroup()
  /// Whether a thread does the work; nil before the first task.
  private var hasThread: Bool?
  private var waiting: [@Sendable () -> Void] = []
  private var isFinished = false

  /// - Parameters:
  ///   - name: the name of its thread, at most 15 bytes.
  ///   - isApart: whether it may have a thread.
  ///   - most: the number of tasks that may wait; beyond it, the caller waits.
  public init(_ name: String, isApart: Bool, most: Int = .max) {
    self.name = name
    self.most = most
    hasThread = isApart ? nil : false
  }

  /// Adds a task after all others. Only one thread at a time may add tasks.
  public func run(_ work: @escaping @Sendable () -> Void) {
    if hasThread == nil { hasThread = WorkerThreads.start(1, named: name, in: group) { [self] _ in workOff() } > 0 }
    guard hasThread == true else { return work() }
    lock.withLock {
      while waiting.count >= most { lock.wait() }
      waiting.append(work)
      lock.broadcast()
    }
  }

  private func workOff() {
    while let work = next() { work() }
  }

  private func next() -> (@Sendable () -> Void)? {
    lock.withLock {
      while waiting.isEmpty, !isFinished { lock.wait() }
      defer { lock.broadcast() }
      return waiting.isEmpty ? nil : waiting.removeFirst()
    }
  }

  /// Waits until all tasks are done. The owner must call it; later tasks are done at once.
  public func finish() {
    lock.withLock {
      isFinished = true
      lock.broadcast()
    }
    group.wait()
    hasThread = false
  }
}
