import Failures
import FileSystem
import Foundation
import TestSupport
import Threads

@testable import BatchRun
@testable import LedgerRuns
@testable import Shards

/// A batch whose files are in a folder, settled there in shards and as one run.
struct ShardedBatch {
  let folder: TemporaryFolder
  let files: [String]
  var options = RunOptions(threads: 1, enforcesControlTotals: false)
  var ledger: String?

  /// Writes the stored files.
  init(_ stored: [[UInt8]], in folder: TemporaryFolder? = nil) throws {
    self.folder = try folder ?? TemporaryFolder()
    files = stored.indices.map { "batch,\($0)" }
    for (name, bytes) in zip(files, stored) { try self.folder.write(bytes, to: name) }
  }

  private var paths: [String] { files.map { folder.path($0) } }

  /// The result of a run: the reports, or the failure.
  func run(output: String = "run", ledger: String? = nil) throws -> Result<[String: [UInt8]], Failure> {
    let result = Result { () throws(Failure) in
      if let ledger {
        _ = try BatchRun.settle(
          paths, output: folder.path(output), replace: false, options: options, ledger: folder.path(ledger))
      } else {
        _ = try BatchRun.settle(paths, output: folder.path(output), replace: false, options: options)
      }
    }
    return switch result {
    case .success: .success(try reports(output))
    case .failure(let failure): .failure(failure)
    }
  }

  private func reports(_ output: String) throws -> [String: [UInt8]] {
    try Dictionary(
      uniqueKeysWithValues: folder.names(in: output).map { ($0, try folder.bytes(of: "\(output)/\($0)")) })
  }

  /// Plans it, and opens the work directory.
  func plan(_ size: ShardSize, work: String = "work") throws -> ShardWork {
    _ = try ShardWork.plan(
      paths, in: folder.path(work), size: size, options: options, ledger: ledger.map { folder.path($0) }, note: { _ in }
    )
    return try ShardWork(folder.path(work))
  }

  /// Does all steps of files and shards, shuffled, some of them twice and two at once.
  func settle(_ work: ShardWork, using random: inout SeededGenerator) throws {
    var steps = files.indices.map { Step.hash($0) }
    for shard in work.plan.shards.indices { steps.append(.run(shard, threads: Int.random(in: 1...2, using: &random))) }
    steps.shuffle(using: &random)
    for step in steps {
      if Int.random(in: 0..<6, using: &random) == 0 {
        let path = work.path
        let failures = FoundFailures()
        WorkerThreads.perform(2, threads: 2) { _ in
          do throws(Failure) { try step.perform(in: ShardWork(path)) } catch { failures.add(error) }
        }
        if let failure = failures.first { throw failure }
      }
      try step.perform(in: work)
    }
  }

  private enum Step {
    case hash(Int)
    case run(Int, threads: Int)

    func perform(in work: ShardWork) throws(Failure) {
      switch self {
      case .hash(let file): try work.hash(file, input: nil)
      case .run(let shard, let threads): try work.run(shard, input: nil, threads: threads)
      }
    }
  }

  /// Does some of the later steps.
  func finishSome(_ work: ShardWork, using random: inout SeededGenerator) throws {
    guard (try? work.gather()) != nil else { return }
    for level in 0...2 {
      try work.claims(level: level)
      for shard in work.plan.shards.indices.shuffled(using: &random) {
        try work.finish(shard, level: level, from: .file)
      }
      if Int.random(in: 0..<3, using: &random) == 0 { return }
    }
  }

  /// Makes the sums of accounts as another program would, from rows with line feeds: seven in the first part, the
  /// others in the second.
  func makeAccounts(_ work: ShardWork, _ rows: [[UInt8]], gather: String) throws {
    try work.remove(ShardWork.accounts)
    try work.make(ShardWork.accounts) { step throws(Failure) in
      try step.write(Array(rows.prefix(7).joined()), to: "part-00000.csv")
      try step.write(Array(rows.dropFirst(7).joined()), to: "part-00001.csv")
      try step.write(ShardJSON.text(plan: work.plan.digest, StepLevel(gather: gather)), to: "accounts.json")
    }
  }

  /// The rows of `receivers.csv`, with their line feeds.
  static func accounts(of reports: [String: [UInt8]]) -> [[UInt8]] {
    (reports["receivers.csv"] ?? []).split(separator: 0x0A).dropFirst().map { Array($0) + [0x0A] }
  }

  /// Merges: the reports, or the failure.
  func merge(_ work: ShardWork, output: String = "merged") throws -> Result<[String: [UInt8]], Failure> {
    do throws(Failure) {
      _ = try work.merge(output: folder.path(output), replace: false, threads: 2)
    } catch {
      return .failure(error)
    }
    return .success(try reports(output))
  }
}

/// Failures of several threads.
private final class FoundFailures: @unchecked Sendable {
  private let lock = NSLock()
  private var failures: [Failure] = []

  func add(_ failure: Failure) { lock.withLock { failures.append(failure) } }

  var first: Failure? { lock.withLock { failures.first } }
}
