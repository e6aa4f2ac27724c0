import BatchRun
import Glibc
import Synchronization
import Threads

/// The folders of the accounts' files, `1`, `2`, `3` and on, each made when it is needed at the latest.
///
/// Of several threads that make names in one directory, the system lets one do so and the others spin: here the others
/// wait. And as a folder costs more than any of its rows, a thread of their own makes them while the batch is still read,
/// as many as accounts are known by then.
final class AccountFolders: Sendable {
  /// The folders that are made in one go: so long another thread may have to wait.
  private static let pieceLength = 32

  private let output: OutputTree
  private let gate = Lock()
  /// The folders there are. Written within the gate.
  private let made = Atomic(0)
  private let expected = Atomic(0)

  init(_ output: OutputTree) { self.output = output }

  /// What the folder of an account is called, by its number.
  static func name(_ number: Int) -> String { "\(number)" }

  /// Sees to it that the folders up to that of a number are there.
  func make(upTo number: Int) throws(RunFailure) {
    while made.load(ordering: .acquiring) < number {
      try gate.withLock { () throws(RunFailure) in
        let first = made.load(ordering: .relaxed) + 1
        for next in stride(from: first, through: min(number, first + Self.pieceLength - 1), by: 1) {
          try output.makeFolder(Self.name(next))
          made.store(next, ordering: .releasing)
        }
      }
    }
  }

  /// Says that there will be this many at least, or more.
  func expect(_ count: Int) { expected.store(count, ordering: .relaxed) }

  /// Does something, while another thread makes the folders that are expected.
  func makingAhead<Value>(while body: @Sendable () throws(RunFailure) -> Value) throws(RunFailure) -> Value {
    try WorkerThreads.run(body, beside: makeExpected)
  }

  private func makeExpected(_ isDone: () -> Bool) {
    while !isDone() {
      let start = made.load(ordering: .relaxed)
      let number = min(expected.load(ordering: .relaxed), start + Self.pieceLength)
      guard number > start else {
        usleep(1000)
        continue
      }
      // Who needs the folder meets the failure, too, and can tell it.
      do throws(RunFailure) { try make(upTo: number) } catch { return }
    }
  }
}
