import Dispatch
import Failures
import Synchronization
import Threads

/// Compares all files of all steps with their digests, on other threads while the reports are made from them.
final class StepChecks: Sendable {
  private let work: ShardWork
  /// The steps; those that may share files are together.
  private let steps: [[String]]
  private let taken = Atomic(0)
  private let first = FirstFailure<Failure>()
  private let others = DispatchGroup()

  /// Begins the checks.
  ///
  /// - Parameter threads: the number of threads, including the caller's, which joins in `finish()`.
  init(_ work: ShardWork, _ steps: [[String]], threads: Int) {
    self.work = work
    self.steps = steps
    WorkerThreads.start(threads - 1, named: "step checks", in: others) { _ in self.check() }
  }

  /// Does the remaining checks; throws if a file is damaged.
  func finish() throws(Failure) {
    check()
    others.wait()
    try first.check()
  }

  private func check() {
    while true {
      let number = taken.add(1, ordering: .relaxed).oldValue
      guard number < steps.count else { return }
      first.perform(at: number) { () throws(Failure) in try check(steps[number]) }
    }
  }

  private func check(_ names: [String]) throws(Failure) {
    var seen: Set<String> = []
    for name in names {
      let step = try work.step(name)
      for file in step.digests.keys.sorted() {
        // A file that several steps share is read once.
        let inode = (try? work.directory.status("\(name)/\(file)"))?.inode.rawValue
        let isNew = inode.map { seen.insert("\($0) \(step.digests[file] ?? "")").inserted } ?? true
        if isNew, !step.isVerified(file) { try step.verify(file) }
      }
    }
  }
}
