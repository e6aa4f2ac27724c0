import BatchRun
import Foundation
import Input
import LedgerRuns
import Documents
import TestSupport
import Text

/// A whole run: from a stored batch to a directory of reports.
final class EndToEnd: PreparedStage {
  let payments: Int
  let bytes: Int
  private let folder: TemporaryFolder
  private let path: String
  private let options: RunOptions
  private let isValidation: Bool
  private var findings = TextBuffer(capacity: 1 << 16)

  /// Makes a run over a batch that `make` creates.
  ///
  /// - Parameters:
  ///   - isValidation: whether the batch is only validated; then the findings are kept in memory.
  ///   - make: makes the batch in a folder, and returns its path, its payments and the bytes of its text.
  init(
    threads: Int, isValidation: Bool = false,
    _ make: (TemporaryFolder) throws -> (path: String, payments: Int, bytes: Int)
  ) throws {
    folder = try TemporaryFolder()
    (path, payments, bytes) = try make(folder)
    options = RunOptions(threads: threads)
    self.isValidation = isValidation
  }

  /// Makes a run over a sample batch in which one payment in a hundred has a defect.
  convenience init(payments: Int, threads: Int, isValidation: Bool = false) throws {
    try self.init(threads: threads, isValidation: isValidation) { folder in
      let (path, bytes) = try folder.sampleBatch(payments: payments, defectsPerMillion: 10_000)
      return (path, payments, bytes)
    }
  }

  private var output: String { folder.path("out") }

  func setUp() throws {
    findings.removeAll()
    if FileManager.default.fileExists(atPath: output) { try FileManager.default.removeItem(atPath: output) }
  }

  func run() throws {
    guard isValidation else {
      _ = try BatchRun.settle([path], output: output, replace: false, options: options)
      return
    }
    _ = try BatchRun.validate([path], findings: FindingsList(.text), options: options) { text in
      self.findings.append(text)
    }
  }

  /// The hash of all reports except `SHA256SUMS`, whose digests depend on the folder's name.
  func resultHash() throws -> UInt64 {
    var hash = ResultHash()
    hash.add(findings, without: folder.path)
    for name in isValidation ? [] : try folder.names(in: "out") where name != "SHA256SUMS" {
      var text = TextBuffer()
      text.append(try folder.bytes(of: "out/" + name))
      hash.add(text, without: folder.path)
    }
    return hash.value
  }
}
