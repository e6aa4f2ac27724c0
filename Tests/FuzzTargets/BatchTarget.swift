import BatchRun
import Digests
import Failures
import Foundation
import Documents
import Rules
import Verification

/// Validates and settles a batch file: the bytes must always be the same, and the reports must add up.
enum BatchTarget {
  /// As in a run, and with several threads, in chunks so short that most lines span several.
  private static let ways = [(threads: 1, chunk: 1 << 20), (threads: 3, chunk: 61), (threads: 2, chunk: 7)]

  static func check(_ bytes: [UInt8]) throws(Disagreement) {
    let place = Scratch.file("batch", bytes)
    defer { place.remove() }
    var validations: [Validation] = []
    var settlements: [Settlement] = []
    let rules = SettlementRules(schedule: try schedule(for: bytes))
    // Chunks of one byte are slow, so the shortest chunks are for short batches.
    for way in bytes.count <= 700 ? ways : Array(ways.dropLast()) {
      let options = RunOptions(rules: rules, threads: way.threads, plainChunkLength: way.chunk)
      validations.append(Validation(place, options))
      settlements.append(Settlement(place, options, bytes: bytes.count))
    }
    for (validation, settlement) in zip(validations, settlements).dropFirst() {
      try validation.compare(with: validations[0])
      try settlement.compare(with: settlements[0])
    }
    try validations[0].check()
    try settlements[0].check()
    if validations[0].failure == nil, settlements[0].failure == nil {
      try require(
        validations[0].exitCode == settlements[0].exitCode,
        "validated with \(validations[0].exitCode), settled with \(settlements[0].exitCode)")
    }
  }
}

extension BatchTarget {
  /// The published fees, or named ones that are drawn from the bytes.
  private static func schedule(for bytes: [UInt8]) throws(Disagreement) -> FeeSchedule {
    let seed = XXH3.checksum(of: bytes.span)
    if seed & 1 == 0 { return .published }
    do throws(FeeScheduleError) { return try DrawnSchedule.schedule(seed) } catch {
      throw Disagreement(words: "the schedule of \(seed) is refused at \(error.path): \(error.reason)")
    }
  }
}

/// The result of validating a batch.
private struct Validation {
  var lines: [UInt8] = []
  var failure: String?
  var exitCode: Int32 = 0

  init(_ place: Scratch.Place, _ options: RunOptions) {
    var lines: [UInt8] = []
    do throws(Failure) {
      let result = try BatchRun.validate([place.path], findings: FindingsList(.jsonl), options: options) {
        text throws(Failure) in lines.append(text)
      }
      exitCode = result.exitCode
    } catch {
      failure = error.message
      exitCode = error.exitCode
    }
    self.lines = lines
  }

  func compare(with other: Validation) throws(Disagreement) {
    try require(
      failure == other.failure && exitCode == other.exitCode,
      "validated with \(failure ?? "\(exitCode)") or \(other.failure ?? "\(other.exitCode)")")
    // If a batch cannot be settled, the number of lines before the end depends on the chunks.
    if failure == nil { try require(lines == other.lines, "validation prints other lines in short chunks") }
  }

  func check() throws(Disagreement) {
    try require([0, 1, 2].contains(exitCode), "validation ends with \(exitCode): \(failure ?? "")")
    try ReportForm.checkFindings(lines)
  }
}

/// The result of settling a batch.
private struct Settlement {
  var reports: [String: [UInt8]] = [:]
  var failure: String?
  var exitCode: Int32 = 0
  var verification: String?

  /// - Parameter bytes: the length of the batch.
  init(_ place: Scratch.Place, _ options: RunOptions, bytes: Int) {
    let output = place.folder + "/settled"
    do throws(Failure) {
      exitCode = try BatchRun.settle([place.path], output: output, replace: false, options: options).exitCode
    } catch {
      failure = error.message
      exitCode = error.exitCode
    }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: output)) ?? [] {
      reports[name] = (try? Data(contentsOf: URL(fileURLWithPath: output + "/" + name))).map { [UInt8]($0) }
    }
    if failure == nil {
      verification = Self.verified(output)
      // Some of them are enough.
      if options.threads == 1, bytes % 4 == 1 { verification = verification ?? Self.other(place, output, options) }
    }
    try? FileManager.default.removeItem(atPath: output)
  }

  /// Verifies the reports with another batch than theirs, in which the payments are in another order and have other
  /// amounts; nil if that is a finding or an error, as it must be.
  private static func other(_ place: Scratch.Place, _ output: String, _ options: RunOptions) -> String? {
    guard let batch = FileManager.default.contents(atPath: place.path), !batch.isEmpty else { return nil }
    let reversed = batch.split(separator: 0x0A).reversed().joined(separator: [0x0A])
    let changed = reversed.map { $0 == UInt8(ascii: "1") ? UInt8(ascii: "2") : $0 } + [0x0A, 0x20]
    let path = place.folder + "/other"
    defer { try? FileManager.default.removeItem(atPath: path) }
    guard (try? Data(changed).write(to: URL(fileURLWithPath: path))) != nil else { return "cannot write \(path)" }
    do throws(Failure) {
      let again = Verification.SettledBatch(paths: [path], options: options)
      return try Verification.verify(output, batch: again).count > 0 ? nil : "another batch is taken for the same"
    } catch { return nil }
  }

  /// What the engine's own verification finds wrong in the reports.
  private static func verified(_ output: String) -> String? {
    do throws(Failure) {
      return try Verification.verify(output).findings.first?.text
    } catch {
      return error.message
    }
  }

  func compare(with other: Settlement) throws(Disagreement) {
    try require(
      failure == other.failure && exitCode == other.exitCode,
      "settled with \(failure ?? "\(exitCode)") or \(other.failure ?? "\(other.exitCode)")")
    for (name, report) in other.reports {
      try require(reports[name] == report, "\(name) has other bytes with other threads and chunks")
    }
  }

  func check() throws(Disagreement) {
    if let failure {
      try require(exitCode == 2, "settling ends with \(exitCode): \(failure)")
      try require(reports.isEmpty, "reports stand where the run failed")
      try ReportForm.checkText(Array(failure.utf8))
      return
    }
    try require(exitCode <= 1, "settling ends with \(exitCode)")
    try ReportForm.check(reports)
    try require(verification == nil, "the verification says: \(verification ?? "")")
  }
}
