import Failures
import Glibc
import Synchronization
import TestSupport
import Testing
import Threads

@testable import Ledger

@Suite struct LedgerLockTests {
  @Test("a lock that is held is reported, and closes only its own descriptor, and only once")
  func busy() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("ledger")
    let lock = try LedgerLock(ledger: path)
    let told = Atomic(0)
    let lost = Atomic(0)
    WorkerThreads.run(2) { worker in
      for _ in 0..<5000 {
        if worker == 0 {
          do throws(Failure) { _ = try LedgerLock(ledger: path) } catch { told.add(1, ordering: .relaxed) }
        } else {
          let other = open("/dev/null", O_RDONLY | O_CLOEXEC)
          if other < 0 || close(other) != 0 { lost.add(1, ordering: .relaxed) }
        }
      }
    }
    #expect(told.load(ordering: .relaxed) == 5000 && lost.load(ordering: .relaxed) == 0)
    withExtendedLifetime(lock) {}
  }

  @Test("ledgers that many runs make and remove again never belong to two runs at once")
  func removedMeanwhile() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("ledger")
    let holders = Atomic(0)
    let shared = Atomic(0)
    let failures = Mutex<[String]>([])
    let opened = Atomic(0)
    WorkerThreads.run(3) { _ in
      for _ in 0..<60 {
        do throws(Failure) {
          let ledger = try Ledger(path: path)
          if holders.add(1, ordering: .relaxed).newValue > 1 { shared.add(1, ordering: .relaxed) }
          opened.add(1, ordering: .relaxed)
          if !ledger.isMade { failures.withLock { $0.append("there was a ledger") } }
          holders.subtract(1, ordering: .relaxed)
          ledger.removeIfEmpty()
        } catch {
          if !error.isBusy { failures.withLock { $0.append(error.message) } }
        }
      }
    }
    #expect(shared.load(ordering: .relaxed) == 0)
    #expect(failures.withLock { $0 } == [])
    #expect(opened.load(ordering: .relaxed) > 0)
    #expect(try folder.names() == [])
  }
}
