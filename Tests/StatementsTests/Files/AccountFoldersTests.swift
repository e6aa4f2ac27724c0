import BatchRun
import Foundation
import Synchronization
import TestSupport
import Testing
import Threads

@testable import Statements

/// Folders made by several threads, each once.
@Suite struct AccountFoldersTests {
  private static func tree(_ folder: TemporaryFolder) throws(RunFailure) -> OutputTree {
    try OutputTree(path: folder.path("out")) { _, isFolder in isFolder }
  }

  private static func numbers(_ folder: TemporaryFolder) throws -> [Int] {
    try folder.names(in: ".out.partial").compactMap { Int($0) }.sorted()
  }

  @Test func threadsMakeEachOnce() throws {
    let folder = try TemporaryFolder()
    let folders = AccountFolders(try Self.tree(folder))
    let failures = Atomic(0)
    WorkerThreads.run(4) { worker in
      for number in stride(from: worker + 1, through: 300, by: 3) {
        do throws(RunFailure) { try folders.make(upTo: number) } catch { failures.add(1, ordering: .relaxed) }
      }
    }
    #expect(failures.load(ordering: .relaxed) == 0)
    #expect(try Self.numbers(folder) == Array(1...300))
    try folders.make(upTo: 7)
    #expect(try Self.numbers(folder) == Array(1...300))
  }

  @Test("those that are expected are made meanwhile, no more, and the rest when it is needed")
  func ahead() throws {
    let folder = try TemporaryFolder()
    let folders = AccountFolders(try Self.tree(folder))
    let seen = try folders.makingAhead { () throws(RunFailure) in
      folders.expect(100)
      let deadline = Date(timeIntervalSinceNow: 60)
      while FileManager.default.fileExists(atPath: folder.path(".out.partial/100")) == false, Date() < deadline {
        usleep(1000)
      }
      usleep(5000)
      let seen = (try? Self.numbers(folder)) ?? []
      try folders.make(upTo: 150)
      return seen
    }
    #expect(seen == Array(1...100))
    #expect(try Self.numbers(folder) == Array(1...150))
  }

  @Test("who needs a folder is told why there is none; what was thrown meanwhile is thrown on")
  func failures() throws {
    let folder = try TemporaryFolder()
    let folders = AccountFolders(try Self.tree(folder))
    try folder.write([1], to: ".out.partial/3")
    let failure = #expect(throws: RunFailure.self) {
      try folders.makingAhead { () throws(RunFailure) in
        folders.expect(10)
        usleep(20_000)
        try folders.make(upTo: 2)
        try folders.make(upTo: 10)
      }
    }
    #expect(failure?.message.contains(".out.partial/3: cannot be made") == true, "\(String(describing: failure))")
    #expect(try Self.numbers(folder) == [1, 2, 3])
    try FileManager.default.removeItem(atPath: folder.path(".out.partial/3"))
  }
}
