import Synchronization

/// The first failure of work that is divided into several tasks: that of the task with the lowest place, whichever thread
/// was first.
public final class FirstFailure<Failure: Error>: Sendable {
  private let first = Mutex<(place: Int, failure: Failure)?>(nil)

  /// Nothing has failed.
  public init() {}

  /// The failure; nil if nothing has failed.
  public var failure: Failure? { first.withLock { $0?.failure } }

  /// Keeps a failure, unless there is one of an earlier or the same place.
  public func keep(_ failure: Failure, at place: Int = 0) {
    first.withLock { first in if first.map({ place < $0.place }) ?? true { first = (place, failure) } }
  }

  /// Does a task and keeps its failure; does nothing if one with an earlier or the same place has failed.
  public func perform(at place: Int = 0, _ task: () throws(Failure) -> Void) {
    if first.withLock({ first in first.map { $0.place <= place } ?? false }) { return }
    do throws(Failure) { try task() } catch { keep(error, at: place) }
  }

  /// Throws the failure, if there is one.
  public func check() throws(Failure) { if let failure { throw failure } }
}
