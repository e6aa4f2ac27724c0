import BatchRun
import Foundation
import Records
import Rules
import Statements
import TestSupport

/// A folder in which batches are settled and their statements made.
struct Counter {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Options with which refunds return fees.
  static func options(threads: Int, plainChunkLength: Int = 1 << 20) -> RunOptions {
    RunOptions(rules: SettlementRules(schedule: .returning), threads: threads, plainChunkLength: plainChunkLength)
  }

  /// The statements of a batch: contents by path.
  func statements(
    _ batch: [UInt8], _ format: StatementFormat, accounts: [String]? = nil, day: String? = nil, threads: Int = 1,
    chunk: Int = 1 << 20, options: RunOptions? = nil
  ) throws -> (files: [String: String], outcome: (result: RunResult, counts: Statements.Counts)) {
    try folder.write(batch, to: "batch")
    let selected = accounts.map { SelectedAccounts($0) }
    let outcome = try Statements.write(
      [folder.path("batch")],
      as: format, accounts: selected, day: day.flatMap { UTCTime(day: $0) }, output: folder.path("out"),
      options: options ?? Self.options(threads: threads, plainChunkLength: chunk))
    var files: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path("out")) {
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: folder.path("out/\(name)"), isDirectory: &isFolder)
      if !isFolder.boolValue { files[name] = String(decoding: try folder.bytes(of: "out/\(name)"), as: UTF8.self) }
    }
    try FileManager.default.removeItem(atPath: folder.path("out"))
    return (files, outcome)
  }

  /// `receivers.csv` of a run of a batch.
  func receivers(_ batch: [UInt8]) throws -> [[String]] {
    try folder.write(batch, to: "batch")
    _ = try BatchRun.settle(
      [folder.path("batch")], output: folder.path("run"), replace: true, options: RunOptions(threads: 2))
    return String(decoding: try folder.bytes(of: "run/receivers.csv"), as: UTF8.self).split(separator: "\n").dropFirst()
      .map { $0.split(separator: ",").map(String.init) }
  }
}

/// The fields of CSV text (RFC 4180), as rows of fields.
func rows(_ text: String) -> [[String]] {
  var rows: [[String]] = []
  var row: [String] = []
  var field = ""
  var isQuoted = false
  let scalars = Array(text.unicodeScalars)
  var at = 0
  while at < scalars.count {
    let scalar = scalars[at]
    if isQuoted {
      if scalar != "\"" {
        field.unicodeScalars.append(scalar)
      } else if at + 1 < scalars.count, scalars[at + 1] == "\"" {
        field.append("\"")
        at += 1
      } else {
        isQuoted = false
      }
    } else {
      switch scalar {
      case "\"": isQuoted = true
      case ",":
        row.append(field)
        field = ""
      case "\n":
        rows.append(row + [field])
        row = []
        field = ""
      default: field.unicodeScalars.append(scalar)
      }
    }
    at += 1
  }
  return rows
}
