import Glibc
import Synchronization
import TestSupport
import Testing
import Threads

@testable import Ledger

@Suite struct LedgerLockTests {
  @Test("a lock that is held is told, and closes no descriptor but its own, and that once")
  func busy() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("ledger")
    let lock = try LedgerLock(ledger: path)
    let told = Atomic(0)
    let lost = Atomic(0)
    WorkerThreads.run(2) { worker in
      for _ in 0..<5000 {
        if worker == 0 {
          do throws(LedgerFailure) { _ = try LedgerLock(ledger: path) } catch { told.add(1, ordering: .relaxed) }
        } else {
          let other = open("/dev/null", O_RDONLY | O_CLOEXEC)
          if other < 0 || close(other) != 0 { lost.add(1, ordering: .relaxed) }
        }
      }
    }
    #expect(told.load(ordering: .relaxed) == 5000 && lost.load(ordering: .relaxed) == 0)
    withExtendedLifetime(lock) {}
  }
}
