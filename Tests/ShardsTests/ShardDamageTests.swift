import Failures
import Foundation
import Testing
import TestSupport

@testable import BatchRun
@testable import RunSupport
@testable import Shards

@Suite("A damaged work directory of shards: the message names the steps to repeat, and repeating them is enough")
struct ShardDamageTests {
  private let batch: ShardedBatch
  private let expected: [String: [UInt8]]

  /// The first shards have no claims to judge, so later levels take over their files; the last ones have some.
  init() throws {
    var course = DrawnCourse(SeededGenerator(seed: 11))
    let night = course.drawNight(after: CourseOracle())
    var lines = CourseNight.text([night], ([:], [:])).split(separator: "\n").dropLast().map(String.init)
    lines.insert(contentsOf: (1...60).map { Line.payment("plain-\($0)") }, at: 1)
    lines.append(#"{"type":"trailer","recordCount":\#(lines.count - 1),"totals":{}}"#)
    var batch = try ShardedBatch([Array((lines.joined(separator: "\n") + "\n").utf8)])
    batch.options = try CourseNight.options(night, threads: 1)
    batch.options.enforcesControlTotals = false
    self.batch = batch
    expected = try batch.run().get()
  }

  /// Does all missing steps up to those of a level.
  private func settle(through level: Int) throws(Failure) {
    let work = try ShardWork(batch.folder.path("work"))
    try work.hash(0, input: nil)
    for shard in work.plan.shards.indices { try work.run(shard, input: nil, threads: 1) }
    try work.gather()
    for level in 0...level {
      try work.claims(level: level)
      for shard in work.plan.shards.indices { try work.finish(shard, level: level, from: .file) }
    }
  }

  private func merge() throws -> Result<[String: [UInt8]], Failure> {
    do throws(Failure) { try settle(through: 2) } catch { return .failure(error) }
    return try batch.merge(ShardWork(batch.folder.path("work")))
  }

  /// What happens to a file, in place, so that it happens to every step that shares the file.
  enum Damage: CaseIterable {
    case changed, cut, longer, empty, gone

    func happen(to path: String, bytes: [UInt8]) throws {
      if self == .gone { return try FileManager.default.removeItem(atPath: path) }
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
      switch self {
      case .changed:
        // Of a list of digests the last one; a digit stays a digit.
        let isList = path.hasSuffix(FinishedStep.sums)
        let place = isList ? (bytes.dropLast().lastIndex(of: 0x0A) ?? -1) + 1 : bytes.count / 2
        try file.seek(toOffset: UInt64(place))
        try file.write(contentsOf: [bytes[place] ^ 1])
      case .cut: try file.truncate(atOffset: UInt64(bytes.count - 1))
      case .longer:
        try file.seekToEnd()
        try file.write(contentsOf: Array("7,7\n".utf8))
      default: try file.truncate(atOffset: 0)
      }
      try file.close()
    }
  }

  /// Does what a message says: its commands, to the letter.
  private func follow(_ message: String) throws {
    let start = try #require(message.firstRange(of: #/(rm -r|settle shard) /#)?.lowerBound, "\(message)")
    let work = batch.folder.path("work")
    for command in message[start...].components(separatedBy: " && ") {
      let words = command.components(separatedBy: " ")
      if words[0] == "rm" {
        for path in words.dropFirst(2) {
          #expect(path.hasPrefix("\(work)/"), "\(command)")
          try FileManager.default.removeItem(atPath: path)
        }
        continue
      }
      #expect(words.prefix(2) == ["settle", "shard"] && words.suffix(2) == ["--work", work], "\(command)")
      let steps = try ShardWork(work)
      switch words[2] {
      case "hash": try steps.hash(#require(Int(words[3])), input: nil)
      case "run": try steps.run(#require(Int(words[3])), input: nil, threads: 1)
      case "gather": try steps.gather()
      case "claims": try steps.claims(level: #require(Int(words[4])))
      case "finish":
        try steps.finish(#require(Int(words[3])), level: #require(Int(words[5])), from: .file)
      default: Issue.record("\(command)")
      }
    }
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
    var count = level
    // A plain shard and one with claims.
    let steps = try batch.folder.names(in: "work").filter { !$0.contains(/^plan|^(run|done)-[12]/) }
    for step in steps {
      for file in try batch.folder.names(in: "work/\(step)") {
        count += 1
        for damage in level == 2 ? Damage.allCases : [Damage.allCases[count % Damage.allCases.count]] {
          let bytes = try batch.folder.bytes(of: "work/\(step)/\(file)")
          if bytes.isEmpty, damage != .longer, damage != .gone { continue }
          try restart()
          try damage.happen(to: batch.folder.path("work/\(step)/\(file)"), bytes: bytes)
          guard case .failure(let failure) = try merge() else {
            Issue.record("\(step)/\(file) is \(damage), and merged")
            continue
          }
          #expect(failure.exitCode == 74)
          #expect(failure.message.contains("/work/\(step)"), "\(step)/\(file) \(damage): \(failure.message)")
          try follow(failure.message)
          let again = try merge()
          #expect((try? again.get()) == expected, "\(step)/\(file) \(damage): \(failure.message), then \(again)")
          try FileManager.default.removeItem(atPath: batch.folder.path("merged"))
        }
      }
    }
  }

  @Test("a lost step names its command")
  func lost() throws {
    _ = try batch.plan(.count(4))
    try settle(through: 2)
    for step in try batch.folder.names(in: "work") where step != ShardPlan.fileName {
      let work = try ShardWork(batch.folder.path("work"))
      try work.remove(step)
      do throws(Failure) {
        _ = try work.merge(output: batch.folder.path("merged"), replace: false, threads: 1)
      } catch {
        #expect(error.exitCode == 74 && error.message.contains("do that step first: settle shard"), "\(error.message)")
        #expect(step.contains(/^run|^hash/))
        try follow(error.message)
        _ = try work.merge(output: batch.folder.path("merged"), replace: false, threads: 1)
      }
      #expect(try batch.merge(work).get() == expected)
      try FileManager.default.removeItem(atPath: batch.folder.path("merged"))
    }
  }

  @Test("a damaged or lost plan is planned again, after its steps are removed", arguments: Damage.allCases)
  func plan(damage: Damage) throws {
    _ = try batch.plan(.count(2))
    try settle(through: 2)
    let path = batch.folder.path("work/\(ShardPlan.fileName)")
    try damage.happen(to: path, bytes: batch.folder.bytes(of: "work/\(ShardPlan.fileName)"))
    for attempt in 0...1 {
      let failure = #expect(throws: Failure.self) {
        if attempt == 0 { _ = try ShardWork(batch.folder.path("work")) } else { _ = try batch.plan(.count(2)) }
      }
      let message = try #require(failure?.message)
      let work = batch.folder.path("work")
      let list = try #require(message.firstMatch(of: #/: rm -r ([^&]+)( && settle shard plan BATCH... --work .*)?$/#)).1
      guard attempt == 1 else { continue }
      let names = try batch.folder.names(in: "work")
      for pattern in list.trimmingCharacters(in: .whitespaces).components(separatedBy: " ") {
        #expect(pattern.hasPrefix("\(work)/"))
        let start = pattern.dropFirst(work.count + 1)
        for name in names where start.hasSuffix("*") ? name.hasPrefix(start.dropLast()) : name == start {
          try FileManager.default.removeItem(atPath: "\(work)/\(name)")
        }
      }
    }
    #expect(try batch.folder.names(in: "work") == [])
    _ = try batch.plan(.count(2))
    #expect(try merge().get() == expected)
  }

  @Test("a directory without a plan and without steps is not removed")
  func noPlan() throws {
    try FileManager.default.createDirectory(atPath: batch.folder.path("other"), withIntermediateDirectories: true)
    try batch.folder.write([], to: "other/mine")
    let failure = #expect(throws: Failure.self) { try ShardWork(batch.folder.path("other")) }
    #expect(failure?.message.hasSuffix("; settle shard plan makes it") == true)
    _ = try batch.plan(.count(1), work: "other")
  }

  @Test("finish makes the same with any number of threads", arguments: [1, 2, 3, 4])
  func threads(count: Int) throws {
    let work = try batch.plan(.count(3))
    try work.hash(0, input: nil)
    for shard in work.plan.shards.indices { try work.run(shard, input: nil, threads: 1) }
    try work.gather()
    var digests: [String: String] = [:]
    for threads in [1, count] {
      for level in 0...2 {
        try work.claims(level: level)
        for shard in work.plan.shards.indices {
          let name = ShardWork.done(shard, level)
          try work.finish(shard, level: level, from: .file, threads: threads)
          let sums = try batch.folder.bytes(of: "work/\(name)/\(FinishedStep.sums)")
          #expect(threads == 1 && digests[name] == nil || digests[name] == String(decoding: sums, as: UTF8.self))
          digests[name] = String(decoding: sums, as: UTF8.self)
        }
      }
      for level in 0...2 {
        for shard in work.plan.shards.indices { try work.remove(ShardWork.done(shard, level)) }
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
      let failure = #expect(throws: Failure.self) { try ShardWork(work.path).claims(level: level) }
      #expect(
        failure?.message == "\(path): is damaged: it does not match SHA256SUMS; do that step again: rm -r "
          + "\(work.path)/done-1-\(level - 1) && settle shard finish 1 --level \(level - 1) --work \(work.path)",
        "byte \(place)")
    }
    try batch.folder.write(bytes, to: name)
    #expect(try merge().get() == expected)
  }
}
