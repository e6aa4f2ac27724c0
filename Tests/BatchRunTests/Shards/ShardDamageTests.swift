import Foundation
import TestSupport
import Testing

@testable import BatchRun

@Suite("A damaged work directory of shards: the message names the steps to repeat, and repeating them is enough")
struct ShardDamageTests {
  private let batch: ShardedBatch
  private let expected: [String: [UInt8]]

  /// The first shards have no claims to judge, so later levels take over their files; the last ones have some.
  init() throws {
    var course = DrawnCourse(SeededGenerator(seed: 11))
    let night = course.drawNight(after: CourseOracle())
    var lines = CourseTests.text([night], ([:], [:])).split(separator: "\n").dropLast().map(String.init)
    lines.insert(contentsOf: (1...60).map { Line.payment("plain-\($0)") }, at: 1)
    lines.append(#"{"type":"trailer","recordCount":\#(lines.count - 1),"totals":{}}"#)
    var batch = try ShardedBatch([Array((lines.joined(separator: "\n") + "\n").utf8)])
    batch.options = try CourseTests.options(night, threads: 1)
    batch.options.enforcesControlTotals = false
    self.batch = batch
    expected = try batch.run().get()
  }

  /// Does all missing steps up to those of a level.
  private func settle(through level: Int) throws(RunFailure) {
    let work = try ShardWork(batch.folder.path("work"))
    try work.hash(0, input: nil)
    for shard in work.plan.shards.indices { try work.run(shard, input: nil, threads: 1) }
    try work.gather()
    for level in 0...level {
      try work.claims(level: level)
      for shard in work.plan.shards.indices { try work.finish(shard, level: level, from: .file) }
    }
  }

  private func merge() throws -> Result<[String: [UInt8]], RunFailure> {
    do throws(RunFailure) { try settle(through: 2) } catch { return .failure(error) }
    return try batch.merge(ShardWork(batch.folder.path("work")))
  }

  /// Changes a byte of a file in place, so that it changes for every step that shares the file.
  private func change(_ file: String, at place: Int) throws {
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: batch.folder.path(file)))
    try handle.seek(toOffset: UInt64(place))
    let byte = try #require(handle.read(upToCount: 1)?.first)
    try handle.seek(toOffset: UInt64(place))
    // A digit stays a digit.
    try handle.write(contentsOf: [byte ^ 1])
    try handle.close()
  }

  /// The steps that a message says to remove.
  private func steps(toRemove failure: RunFailure) throws -> [String] {
    if let list = failure.message.firstMatch(of: /; remove (.*), which share it, and do those steps again$/) {
      return list.1.components(separatedBy: ", ")
    }
    let step = failure.message.firstMatch(of: /.*\/work\/([^\/]+)\/.*; remove its directory/)
    return [String(try #require(step, "\(failure)").1)]
  }

  @Test("any damage, at any level", arguments: 0...2)
  func advice(level: Int) throws {
    _ = try batch.plan(.count(4))
    func restart() throws {
      let work = try ShardWork(batch.folder.path("work"))
      for level in level + 1..<max(3, level + 1) {
        try work.remove(ShardWork.verdicts(level))
        for shard in work.plan.shards.indices { try work.remove(ShardWork.done(shard, level)) }
      }
      try settle(through: level)
    }
    try restart()
    // A plain shard and one with claims; files that are not empty, and the last digest of each list.
    let steps = try batch.folder.names(in: "work").filter { !$0.contains(/^plan|^(run|done)-[12]/) }
    for step in steps {
      for file in try batch.folder.names(in: "work/\(step)") {
        let bytes = try batch.folder.bytes(of: "work/\(step)/\(file)")
        let place = file == "SHA256SUMS" ? (bytes.dropLast().lastIndex(of: 0x0A) ?? -1) + 1 : bytes.count / 2
        guard !bytes.isEmpty else { continue }
        try restart()
        try change("work/\(step)/\(file)", at: place)
        guard case .failure(let failure) = try merge() else {
          Issue.record("\(step)/\(file) is damaged, and merged")
          continue
        }
        #expect(failure.exitCode == 74)
        let removed = try self.steps(toRemove: failure)
        #expect(removed.contains(step), "\(step)/\(file): \(failure.message)")
        for step in removed { try ShardWork(batch.folder.path("work")).remove(step) }
        let again = try merge()
        #expect((try? again.get()) == expected, "\(failure.message), then \(again)")
        try FileManager.default.removeItem(atPath: batch.folder.path("merged"))
      }
    }
  }

  @Test("a damaged file of claims is named before any of its claims is judged", arguments: [1, 2])
  func claims(level: Int) throws {
    let work = try batch.plan(.count(2))
    try settle(through: level - 1)
    let name = "work/\(ShardWork.done(1, level - 1))/claims.csv"
    let bytes = try batch.folder.bytes(of: name)
    #expect(bytes.count > 50)
    let path = batch.folder.path(name)
    for place in stride(from: 0, to: min(bytes.count, 300), by: 3) {
      var damaged = bytes
      damaged[place] ^= 0x55
      try batch.folder.write(damaged, to: name)
      let failure = #expect(throws: RunFailure.self) { try ShardWork(work.path).claims(level: level) }
      #expect(
        failure?.message == "\(path): is damaged: it does not match SHA256SUMS; "
          + "remove its directory and do that step again", "byte \(place)")
    }
    try batch.folder.write(bytes, to: name)
    #expect(try merge().get() == expected)
  }
}
