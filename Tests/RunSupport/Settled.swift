import BatchRun
import Failures
import Foundation
import Input
import TestSupport

/// The result of a run: its reports, or why there are no reports.
struct Settled {
  var reports: [String: [UInt8]] = [:]
  var result: RunResult?
  var failure: Failure?

  /// A report as text.
  func text(_ name: String) -> String { String(decoding: reports[name] ?? [], as: UTF8.self) }

  /// The rows of a CSV report without its header.
  func rows(_ name: String) -> [String] {
    text(name).split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast().map(String.init)
  }

  /// Line, offset, code and field of each row of `exceptions.csv`, which must have no quoted field.
  var exceptions: [String] {
    rows("exceptions.csv").map { row in
      let cells = row.split(separator: ",", omittingEmptySubsequences: false)
      return "\(cells[1]) \(cells[2]) \(cells[5]) \(cells[6])"
    }
  }

  /// The reports, with the stored form of the batch's files removed from the summary.
  var withoutStoredForm: [String: [UInt8]] {
    var reports = reports
    reports["SHA256SUMS"] = nil
    let summary = text("summary.json").replacing(/"bytes":[0-9]+,"sha256":"[0-9a-f]{64}"/, with: "")
    reports["summary.json"] = Array(summary.utf8)
    return reports
  }

  /// The first difference to another run's reports, or nil.
  func difference(from other: [String: [UInt8]]) -> String? {
    let mine = other["SHA256SUMS"] == nil ? withoutStoredForm : reports
    if let failure { return "failed: \(failure.message)" }
    for name in Set(mine.keys).union(other.keys).sorted() {
      if let difference = Golden.firstDifference(of: mine[name] ?? [], from: other[name] ?? []) {
        return "\(name) \(difference)"
      }
    }
    return nil
  }
}

/// A folder in which batches are settled.
struct Workshop {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Settles files of the folder, and removes the reports again.
  func settle(
    files: [String], options: RunOptions = RunOptions(threads: 1), output: String = "out", replace: Bool = false
  ) throws -> Settled {
    var settled = Settled()
    do throws(Failure) {
      settled.result = try BatchRun.settle(
        files.map { folder.path($0) }, output: folder.path(output), replace: replace, options: options)
    } catch {
      settled.failure = error
      return settled
    }
    for name in try folder.names(in: output) { settled.reports[name] = try folder.bytes(of: "\(output)/\(name)") }
    try FileManager.default.removeItem(atPath: folder.path(output))
    return settled
  }

  /// Settles batch files of these contents, named `batch`, `batch2` and so on.
  func settle(
    _ batches: [[UInt8]], threads: Int = 1, chunk: Int = 1 << 20, enforcesControlTotals: Bool = true,
    options: RunOptions = RunOptions(threads: 1)
  ) throws -> Settled {
    let names = batches.indices.map { $0 == 0 ? "batch" : "batch\($0 + 1)" }
    for (name, bytes) in zip(names, batches) { try folder.write(bytes, to: name) }
    var options = options
    options.threads = threads
    options.enforcesControlTotals = enforcesControlTotals
    options.plainChunkLength = chunk
    return try settle(files: names, options: options)
  }

  func settle(_ text: String, threads: Int = 1, chunk: Int = 1 << 20) throws -> Settled {
    try settle([Array(text.utf8)], threads: threads, chunk: chunk)
  }
}

/// Texts stored as LZ4.
enum Stored {
  /// One frame of blocks of `blockLength` bytes of text.
  static func lz4(_ text: [UInt8], blockLength: Int) throws -> [UInt8] {
    var stored: [UInt8] = []
    let writer = try LZ4FrameWriter { stored.append($0) }
    for start in stride(from: 0, to: text.count, by: blockLength) {
      let block = text.span.extracting(start..<min(text.count, start + blockLength))
      try writer.append(LZ4FrameWriter.compressBlock(block).span, of: block)
    }
    try writer.finish()
    return stored
  }

  /// A frame for each piece of `frameLength` bytes of text.
  static func frames(_ text: [UInt8], frameLength: Int) throws -> [UInt8] {
    try stride(from: 0, to: text.count, by: frameLength).flatMap { start in
      try lz4(Array(text[start..<min(text.count, start + frameLength)]), blockLength: frameLength)
    }
  }
}

/// Single records, as lines.
enum Line {
  /// The most bytes of a record.
  static let limit = 1_048_576

  /// A refund of the payment `A`.
  static let refund = #"{"type":"refund","refundKey":"R","payKey":"A","currencyCode":"USD","amount":"4.00"}"#

  static func payment(
    _ key: String, _ amount: String = "10.00", to account: String = "shop@example.com", more: String = ""
  ) -> String {
    #"{"payKey":"\#(key)","recipient":"\#(account)","subTotal":"\#(amount)"\#(more)}"#
  }

  /// A payment of exactly `length` bytes.
  static func payment(_ key: String, length: Int) -> String {
    let shortest = payment(key, more: ",\"x\":\"\"")
    let filling = String(repeating: "x", count: length - shortest.utf8.count)
    return payment(key, more: #","x":"\#(filling)""#)
  }
}
