import Foundation
import Stages
import Synchronization

/// The recorded results of the benchmarks at their tiny size: `results.tsv`, rewritten by SETTLE_RECORD=1.
enum RecordedResults {
  struct Result: Equatable {
    var payments: Int
    var bytes: Int
    var hash: UInt64
  }

  static let switchName = "SETTLE_RECORD"
  static let isRecording = ProcessInfo.processInfo.environment[switchName] == "1"
  private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "results.tsv")
  private static let header = "benchmark\tpayments\tbytes of JSON\thash"
  private static let recording = Mutex<[String: Result]>([:])

  /// The results by the names of the benchmarks.
  static let all: [String: Result] = {
    do {
      return Dictionary(try rows(), uniquingKeysWith: { first, _ in first })
    } catch {
      preconditionFailure("\(file.path) cannot be read: \(error)")
    }
  }()

  /// The names in the file, in order.
  static func names() throws -> [String] { try rows().map(\.0) }

  private static func rows() throws -> [(String, Result)] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst().map { line in
      let cells = line.split(separator: "\t")
      guard cells.count == 4, let payments = Int(cells[1]), let bytes = Int(cells[2]),
        let hash = UInt64(cells[3], radix: 16)
      else { throw CocoaError(.fileReadCorruptFile) }
      return (String(cells[0]), Result(payments: payments, bytes: bytes, hash: hash))
    }
  }

  /// Writes the file with the results so far.
  static func record(_ result: Result, of name: String) throws {
    try recording.withLock { recorded in
      recorded[name] = result
      let rows = StageBenchmark.all.compactMap { benchmark in
        recorded[benchmark.name].map {
          "\(benchmark.name)\t\($0.payments)\t\($0.bytes)\t\(String($0.hash, radix: 16))"
        }
      }
      try Data(([header] + rows).joined(separator: "\n").appending("\n").utf8).write(to: file)
    }
  }
}
